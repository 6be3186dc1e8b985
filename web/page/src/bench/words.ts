// Quantities as engineers write them.

import { grouped } from "../kit/words";

/** Three digits that count, no more zeros than needed. */
export function figures(value: number): string {
  if (value === 0) return "0";
  const short = Number(value.toPrecision(3));
  return short >= 1e15 || short < 1e-6 ? short.toExponential() : grouped(short);
}

const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** "64 B", "4 KiB", "1.5 MiB". */
export function bytes(value: number): string {
  let unit = 0;
  while (value >= 1024 && unit < BINARY.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number.isInteger(value) ? grouped(value) : figures(value)} ${BINARY[unit]}`;
}

/** "1.2 µs", "340 ms". */
export function seconds(value: number): string {
  for (const [unit, size] of [
    ["s", 1],
    ["ms", 1e-3],
    ["µs", 1e-6],
  ] as const)
    if (value >= size) return `${figures(value / size)} ${unit}`;
  return value === 0 ? "0 s" : `${figures(value * 1e9)} ns`;
}

export const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
export const giga = (perSecond: number): string => figures(perSecond / 1e9);
