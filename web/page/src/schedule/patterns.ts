// Patterns of a schedule: packets whose places in the table are another packet's places, moved. One slider moves the
// mark from one to the next, and so shows the rule by which the schedule was made.

import { range } from "../kit/numbers";
import type { Film } from "../viewer/film";
import type { Schedule } from "./schedule";

export interface Patterns {
  /** The slider's name. */
  label: string;
  /** The packets that are marked, one set after the other. */
  marks: string[][];
  /** The text about mark `i`. */
  words(i: number): string;
  /** The sets are the rows of the table of packets. */
  rows: boolean;
}

export function patternsOf(film: Film, schedule: Schedule): Patterns | null {
  const { nodes, data } = film.network;
  if (data.relative !== "xor" || nodes < 4 || film.data.messages.parts > 1) return null;
  return schedule.symmetric ? staircase(schedule, nodes) : rotations(film, schedule);
}

/** Complementary packets whose hops are those of the pair before, one column further. */
function staircase({ hops, ports, steps, names }: Schedule, nodes: number): Patterns | null {
  if (nodes !== 2 * steps || names.length !== nodes - 1) return null;
  const digits = names[0]!.length;
  const binary = (node: number): string => node.toString(2).padStart(digits, "0");
  const pairs = range(nodes / 2).map((x) => [binary(x), binary(nodes - 1 - x)]);
  const places = (pair: string[], by: number): string =>
    hops
      .filter(({ name }) => pair.includes(name))
      .map(({ step, port }) => `${(step - 1 + by) % steps}.${port}`)
      .sort()
      .join(" ");
  const byPlaces = new Map(pairs.map((pair) => [places(pair, 0), pair]));
  const first = pairs.find((pair) =>
    hops.some(({ name, step, port }) => step === 1 && port === 0 && pair.includes(name)),
  );
  const marks = first ? range(steps).map((by) => byPlaces.get(places(first, by))) : [];
  const found = marks.filter((pair): pair is string[] => pair !== undefined);
  if (
    found.length !== steps ||
    new Set(found).size !== steps ||
    !found.every((pair) => places(pair, 0).split(" ").length === ports.length)
  )
    return null;
  const named = ([a, b]: string[]): string =>
    Number(a) === 0 ? `${b} (its opposite stays at home)` : `${a} and its opposite ${b}`;
  return {
    label: "Pair",
    marks: found,
    rows: true,
    words: (i) => {
      const later = `, ${i === 1 ? "one column" : `${i} columns`} later than the first pair`;
      const where = i === 0 ? ", in one column after the other." : `${later}; after the last column comes the first.`;
      return `Pair ${i + 1} of ${steps}: ${named(found[i]!)}. Together they need each port once${where}`;
    },
  };
}

/** A packet whose name turned by a bit is at the next port, and so around all ports. */
function rotations(film: Film, { hops, ports, inwards }: Schedule): Patterns | null {
  const { nodes } = film.network;
  const digits = Math.log2(nodes);
  const first = hops.find(({ port, name }) => port === 0 && /^[01]+$/.test(name) && name.length === digits);
  if (!first || ports.length !== digits) return null;
  const marks = range(digits).map((by) => first.name.slice(by) + first.name.slice(0, by));
  const port = (name: string): number => hops.find((hop) => hop.name === name)?.port ?? -1;
  if (new Set(marks).size !== digits || marks.some((name, by) => port(name) !== by)) return null;
  return {
    label: "Turn",
    marks: marks.map((name) => [name]),
    rows: false,
    words: (i) =>
      i === 0
        ? `${first.name} ${inwards ? "comes" : "leaves"} by port 0.`
        : `${first.name} rotated by ${i === 1 ? "one bit" : `${i} bits`} is ${marks[i]}: port ${i}.`,
  };
}

/** Whether the table is the smaller cube's twice, with a 0 and with a 1 in front, above the port of the last dimension. */
export function growthOf(film: Film, { hops, steps, symmetric, names }: Schedule): boolean {
  const { nodes, data } = film.network;
  if (
    !symmetric ||
    data.relative !== "xor" ||
    nodes < 4 ||
    film.data.messages.parts > 1 ||
    nodes !== 2 * steps ||
    names.length !== nodes - 1
  )
    return false;
  const last = Math.log2(nodes) - 1;
  const at = new Map(hops.map(({ name, step, port }) => [`${step}.${port}`, name]));
  return range(last).every((port) =>
    range(steps / 2).every((step) => {
      const [early, late] = [at.get(`${step + 1}.${port}`), at.get(`${step + 1 + steps / 2}.${port}`)];
      return early?.[0] === "0" && late?.[0] === "1" && early.slice(1) === late.slice(1);
    }),
  );
}
