// The picture of a bound in a document, and the checks that it has to pass before it is used.

import { need } from "../kit/columns";

/** `must`: packets (hops, prices, bytes) that have to be carried. */
export type BoundPicture = { must: number } &
  /** Packets go from one side of the network to the other; hexadecimal, a bit for each node or group: whether it sends. */
  (| { kind: "cut"; sending?: string; groups?: string }
    | { kind: "ports"; node: number; out: boolean }
    /** The part that each node is in, -1: one of those that hold the parts together. */
    | { kind: "parts"; of: number[] }
    | { kind: "distance"; from: number; to: number; rate: number; out: boolean; paths: number[] }
    /** The number of nodes that can have the last packet `first` + 0, 1, .. steps after the start, at most. */
    | { kind: "growth"; root: number; first: number; reversed: boolean; most: number[] }
    | { kind: "amount"; per_step: number; prices: boolean; by_distance: number[] }
    /** In ns: a start-up, bytes; then, so often more, a start-up and a byte. */
    | { kind: "time"; start_up: number; bytes: number; more: number; byte: number }
  );

const amounts = (values: unknown): boolean =>
  Array.isArray(values) && values.length <= 4096 && values.every((value) => Number.isFinite(value) && value >= 0);

export function checkPicture(picture: BoundPicture, nodes: number, groups: number): void {
  const node = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < nodes;
  const bits = (text: unknown, count: number): boolean =>
    typeof text === "string" && /^[0-9a-f]*$/.test(text) && text.length === Math.ceil(count / 4);
  const fine = {
    cut: (one: { sending?: string; groups?: string }) =>
      one.sending === undefined ? bits(one.groups, groups) : bits(one.sending, nodes),
    ports: (one: { node: number }) => node(one.node),
    parts: (one: { of: number[] }) =>
      Array.isArray(one.of) &&
      one.of.length === nodes &&
      one.of.every((part) => Number.isInteger(part) && part >= -1 && part < nodes),
    distance: (one: { from: number; to: number; rate: number; paths: number[] }) =>
      node(one.from) && node(one.to) && amounts([one.rate]) && amounts(one.paths),
    growth: (one: { root: number; first: number; most: number[] }) =>
      node(one.root) && amounts([one.first]) && amounts(one.most),
    amount: (one: { per_step: number; by_distance: number[] }) =>
      one.per_step > 0 && amounts([one.per_step]) && amounts(one.by_distance),
    time: (one: { start_up: number; bytes: number; more: number; byte: number }) =>
      amounts([one.start_up, one.bytes, one.more, one.byte]),
  } as Record<string, (one: never) => boolean>;
  need(
    Object.hasOwn(fine, picture.kind) && fine[picture.kind]!(picture as never) && amounts([picture.must]),
    "the picture of the bound",
  );
}

/** The numbers below `count` whose bit is set. */
export const bitsOf = (hex: string, count: number): boolean[] =>
  Array.from({ length: count }, (_, i) => ((parseInt(hex[i >> 2]!, 16) >> (3 - (i & 3))) & 1) === 1);
