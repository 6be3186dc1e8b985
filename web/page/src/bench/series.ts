// The cells of one curve. A cell is named by its variables; a curve has all of them equal but the one it is
// drawn over, and its label names only what distinguishes it from the other curves.

import { counted } from "../kit/words";
import type { Cell } from "./document";
import { bytes } from "./words";

export type Over = "threads" | "size" | "nodes";

export interface Scale {
  weak: boolean;
  /** Several sizes of a message: they are the size that curves are drawn over. Else the whole size is. */
  messages: boolean;
  /** All networks are hypercubes, and are named by their dimension. */
  cubes: boolean;
}

/** The names of a cell, in the order of labels; "" is left out. */
export const VARIABLES = [
  "collective",
  "algorithm",
  "network",
  "message",
  "threads",
  "root",
  "sum",
  "options",
  "ports",
  "links",
  "packets",
  "channel",
  "pin",
] as const;
export type Variable = (typeof VARIABLES)[number];
export type Names = Record<Variable, string>;

/** 6 for "hypercube:6"; null for other networks. */
export function dimensionOf({ topology }: Cell): number | null {
  const found = /^hypercube:(\d{1,3})$/.exec(topology);
  return found ? Number(found[1]) : null;
}

export function namesOf(cell: Cell): Names {
  const { rows, columns, tau_ns_per_byte: tau, beta_ns: beta, link_model: model } = cell;
  const dimension = dimensionOf(cell);
  const matrix = rows === null || columns === null ? "" : `${rows} × ${columns}`;
  return {
    collective: cell.collective,
    algorithm: cell.asked !== null && cell.asked !== "auto" ? cell.asked : cell.algorithm,
    network: dimension === null ? cell.topology : `d = ${dimension}`,
    message: cell.bytes === null ? matrix : bytes(cell.bytes),
    threads: counted(cell.threads, "thread"),
    root: cell.root === null ? "" : `root ${cell.root}`,
    sum: [cell.operation, cell.type].filter(Boolean).join(" "),
    options: cell.options ?? "",
    ports: cell.ports === null ? "" : `${cell.ports} ${cell.ports === "one" ? "port" : "ports"}`,
    links: [model ?? "", tau === null ? "" : `tau ${tau} ns/B`, beta === null ? "" : `beta ${beta} ns`]
      .filter(Boolean)
      .join(", "),
    packets: cell.packets === null ? "" : counted(cell.packets, "packet"),
    channel: cell.channel ?? "",
    pin: cell.pin === null ? "" : `pin ${cell.pin}`,
  };
}

export const labelOf = (cell: Cell): string => {
  const { collective, algorithm, network, message, threads } = namesOf(cell);
  return [collective, algorithm, network, message, threads].filter(Boolean).join(", ");
};

/** Names a cell by what distinguishes it from the others: "d = 9, 64 B"; "" where nothing does. */
export function namer(cells: readonly Cell[], without: readonly Variable[] = []): (cell: Cell) => string {
  const all = cells.map(namesOf);
  const different = VARIABLES.filter(
    (variable) => !without.includes(variable) && all.some((names) => names[variable] !== all[0]![variable]),
  );
  return (cell) => {
    const names = namesOf(cell);
    return different
      .map((variable) => names[variable])
      .filter(Boolean)
      .join(", ");
  };
}

export function scaleOf(cells: readonly Cell[], weak: boolean): Scale {
  const sizes = new Set(cells.map((cell) => cell.bytes));
  return {
    weak,
    messages: !sizes.has(null) && sizes.size > 1,
    cubes: cells.every((cell) => dimensionOf(cell) !== null),
  };
}

/** A cell's place on an axis. */
export function placeOf(cell: Cell, over: Over, { messages, cubes }: Scale): number | null {
  if (over === "threads") return cell.threads;
  if (over === "nodes") return cubes ? dimensionOf(cell) : cell.nodes;
  return (messages ? cell.bytes : cell.size_bytes) || null;
}

/** "hypercube:6" and "hypercube:7" are one family; with weak scaling so many nodes per thread. */
function family(cell: Cell): string {
  return dimensionOf(cell) === null ? cell.topology.replaceAll(/\d+/g, "n") : "hypercube";
}

/** The names that a curve's cells share. */
function shared(cell: Cell, over: Over, { weak, messages }: Scale): Names {
  const names = namesOf(cell);
  const thread = cell.nodes / cell.threads;
  if (over === "threads") {
    names.threads = "";
    if (weak) names.network = `${family(cell)}, ${counted(thread, "node")} per thread`;
  } else if (over === "size" && messages) names.message = "";
  else {
    names.network = family(cell);
    if (weak) names.threads = `${counted(thread, "node")} per thread`;
  }
  return names;
}

export interface Curve {
  /** The difference from the others; "" if it is the only one. */
  label: string;
  names: Names;
  /** In the order of the axis. */
  cells: Cell[];
}

export interface Curves {
  /** The names that all have in common. */
  common: string;
  curves: Curve[];
}

/** The curves over one axis, of all cells for which `worth` is not null. */
export function curvesOf(
  cells: readonly Cell[],
  over: Over,
  scale: Scale,
  worth: (cell: Cell) => number | null,
): Curves {
  const found = new Map<string, Curve>();
  for (const cell of cells) {
    if (worth(cell) === null || placeOf(cell, over, scale) === null) continue;
    const names = shared(cell, over, scale);
    const key = JSON.stringify(names);
    const curve = found.get(key) ?? { label: "", names, cells: [] };
    curve.cells.push(cell);
    found.set(key, curve);
  }
  const curves = [...found.values()];
  const varies = (variable: Variable): boolean =>
    curves.some(({ names }) => names[variable] !== curves[0]!.names[variable]);
  const different = VARIABLES.filter(varies);
  const said = VARIABLES.filter(
    (variable) =>
      !different.includes(variable) && ["collective", "algorithm", "network", "message", "threads"].includes(variable),
  );
  for (const curve of curves) {
    curve.label = different
      .map((variable) => curve.names[variable])
      .filter(Boolean)
      .join(", ");
    curve.cells.sort((a, b) => placeOf(a, over, scale)! - placeOf(b, over, scale)!);
  }
  return {
    curves,
    common:
      curves.length === 0
        ? ""
        : said
            .map((variable) => curves[0]!.names[variable])
            .filter(Boolean)
            .join(", "),
  };
}

export const longest = ({ curves }: Curves, over: Over, scale: Scale): number =>
  Math.max(0, ...curves.map(({ cells }) => new Set(cells.map((cell) => placeOf(cell, over, scale))).size));

/** At most this many curves are drawn at first. */
const MOST_CURVES = 8;

/**
 * The curves that are drawn at first, and the variables that were fixed for that: that one is fixed which leaves the most
 * curves, but no more than MOST_CURVES; if there is none, the one with the most values, and so on.
 */
export function chosenAtFirst(curves: readonly Curve[]): { chosen: Set<Curve>; fixed: string[] } {
  let left = [...curves];
  const fixed: string[] = [];
  while (left.length > MOST_CURVES) {
    const options = VARIABLES.map((variable) => {
      const values = [...new Set(left.map(({ names }) => names[variable]))];
      const value = values[0]!;
      return { value, values: values.length, rest: left.filter(({ names }) => names[variable] === value) };
    }).filter(({ values }) => values > 1);
    if (options.length === 0) return { chosen: new Set(left.slice(0, MOST_CURVES)), fixed };
    const few = options.filter(({ rest }) => rest.length <= MOST_CURVES).sort((a, b) => b.rest.length - a.rest.length);
    const best = few[0] ?? options.sort((a, b) => b.values - a.values)[0]!;
    fixed.push(best.value);
    left = best.rest;
  }
  return { chosen: new Set(left), fixed };
}
