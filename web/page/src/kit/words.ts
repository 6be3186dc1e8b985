// Numbers and texts for people.

/** Narrow, and no place to break a line. */
const THIN = "\u202f";

/** With thin spaces between groups of three. */
export function grouped(value: number): string {
  const text = String(value);
  const [whole, rest] = text.split(".") as [string, string | undefined];
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  return rest === undefined ? spaced : `${spaced}.${rest}`;
}

/** A lower bound, to a tenth: rounded down, so that it stays one. */
export const tenths = (value: number): number => Math.floor(value * 10 + 1e-6) / 10;

/** Untrusted text: cut, without characters that turn or hide other text, numbers in one piece. */
export function plain(text: unknown, most = 4000): string {
  const cut = String(text ?? "").slice(0, most);
  return cut
    .replace(/\b\d{1,3}(?:[ \u2009]\d{3})+\b/g, (number) => number.replace(/\s/g, THIN))
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "\ufffd");
}

/** "1 packet", "64 packets". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** "1, 2 and 7", cut after `most`. */
export function listed(items: readonly (string | number)[], most = 40): string {
  const shown = items.slice(0, most).map(String);
  if (items.length > most) return `${shown.join(", ")} and ${grouped(items.length - most)} more`;
  if (shown.length < 2) return shown.join("");
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** Nanoseconds in the unit that makes them short. */
export function timeWords(ns: number): string {
  for (const [unit, size] of [
    ["s", 1e9],
    ["ms", 1e6],
    ["\u00b5s", 1e3],
  ] as const) {
    if (Math.abs(ns) >= size) return `${Math.round((ns / size) * 1000) / 1000} ${unit}`;
  }
  return ns === 0 ? "0" : `${Math.round(ns * 1000) / 1000} ns`;
}
