// The person's choices of what to see.

import { plain } from "../kit/words";
import type { ColourBy } from "./colouring";

/** The thing that is followed: a block, a message's part, or a sum's part; -1 where the kind of message has no such thing. */
export interface Thread {
  origin: number;
  target: number;
  part: number;
}

export type Selection =
  | { what: "node"; node: number }
  | { what: "link"; link: number }
  | { what: "group"; group: number }
  | { what: "packet"; thread: Thread };

/** Captions on all nodes, or on one block. */
export type Register = "all" | "one";

export interface Options {
  say: Register;
  colour: ColourBy;
  /** Blocks of this origin only; -1: all. */
  show: number;
  /** Index of the layout; -1: the summary. */
  layout: number;
  idle: boolean;
  bound: boolean;
  /** The share by which the network is pulled apart: 0 whole, 1 the picture of its bound. */
  pull: number;
  gantt: boolean;
  /** Only the network: nodes without what they hold. */
  bare: boolean;
  /** Then with the bits of a cube's nodes in their boxes. */
  bits: boolean;
  /** Numbers of the nodes, which they add up: they stand in the boxes in place of the shares. */
  values: readonly number[];
  /** The schedule as a table: 0 none, 1 ports and steps, 2 packets and steps, 3 packets and ports. */
  table: number;
  /** Whether the steps are the rows of the table of ports and steps. */
  stepRows: boolean;
  /** A lesson's names for the ports, in the table. */
  names: readonly string[];
  /** The pattern that is marked in the table; 0: none. */
  turn: number;
  present: boolean;
  /** The things that a word lights: the links of the bound, the nodes between which its packets go, the packets that
      bring something new, or the links of a dimension. */
  light: "bound" | "ends" | "new" | number | null;
  selection: Selection | null;
  /** The node that the keyboard is at. */
  focus: number;
}

/** Nothing is chosen. */
export const PLAIN: Options = {
  say: "all",
  colour: "origin",
  show: -1,
  layout: 0,
  idle: false,
  bound: false,
  pull: 0,
  gantt: false,
  bare: false,
  bits: false,
  values: [],
  table: 0,
  stepRows: false,
  names: [],
  turn: 0,
  present: false,
  light: null,
  selection: null,
  focus: -1,
};

/** "0-15", "3-.2" (no target, part 2), "-4.0". */
export function threadText({ origin, target, part }: Thread): string {
  return `${origin < 0 ? "" : origin}-${target < 0 ? "" : target}${part < 0 ? "" : `.${part}`}`;
}

export function readThread(text: string): Thread | null {
  const found = /^(\d{0,6})-(\d{0,6})(?:\.(\d{1,8}))?$/.exec(text);
  if (!found) return null;
  const number = (digits: string | undefined): number => (digits ? Number(digits) : -1);
  return { origin: number(found[1]), target: number(found[2]), part: number(found[3]) };
}

/** "port_0,the_bridge" as names, and back. */
export const namesIn = (text: string): string[] =>
  text === "" ? [] : plain(text, 200).replaceAll("_", " ").split(",");
/** "5,3,0,4", a number for each node; anything else is none. */
export function numbersIn(text: string, nodes: number): number[] {
  const numbers = text.split(",");
  return numbers.length === nodes && numbers.every((one) => /^\d{1,4}$/.test(one)) ? numbers.map(Number) : [];
}
export const namesText = (names: readonly string[]): string => names.join(",").replaceAll(" ", "_");
