// The form's fields: the place of each key's field, and the page's names for keys.

import type { Field } from "./catalogue";
import { KEYS } from "./keys";

export interface FieldPlan extends Field {
  /** Letters that it has room for. */
  readonly room: number;
  /** Behind "More", with its group; else in the row. */
  readonly more: boolean;
  /** It may differ in a comparison. */
  readonly twin: boolean;
  readonly control: "select" | "check" | "input";
}

/** The fields in the row, in their order, with their room. All others stand behind "More". */
const ROW: Readonly<Record<string, number>> = {
  collective: 12,
  topology: 13,
  algorithm: 14,
  ports: 4,
  bytes: 5,
  packets: 5,
  root: 4,
  peer: 4,
  permutation: 12,
  counts: 8,
  operation: 8,
  type: 8,
  rows: 5,
  columns: 6,
  layout: 13,
  to_layout: 13,
};
const ROOM_BEHIND_MORE = 11;

/** Keys that have no field of their own: links take time once a number for them is given, and a graph is a network. */
const STANDS_AT: Readonly<Record<string, string>> = { link_model: "tau_ns_per_byte", graph: "topology" };

/** The key whose field an error about this key is shown at. */
export const fieldOf = (key: string): string => STANDS_AT[key] ?? key;

const keyNamed = (name: string): Field | undefined => KEYS.find(({ key }) => key === name);

function planOf(field: Field): FieldPlan {
  const isChosen = field.values !== null || field.key === "algorithm";
  const control = isChosen ? "select" : field.kind === "flag" ? "check" : "input";
  const room = ROW[field.key];
  return {
    ...field,
    room: room ?? ROOM_BEHIND_MORE,
    more: room === undefined,
    twin: field.key !== "collective" && control !== "check", // a box to tick cannot say "the same"
    control,
  };
}

export const FIELDS: readonly FieldPlan[] = [
  ...Object.keys(ROW).map((key) => keyNamed(key)!),
  ...KEYS.filter(({ key }) => !(key in ROW) && !(key in STANDS_AT)),
].map(planOf);

/** A key's label, at its field and before an error about it; a key of the request that has no label is its own. */
export const labelOf = (name: string): string => keyNamed(name)?.label ?? name;

/** A key's name within a sentence: its label without the unit. */
export const wordOf = (name: string): string => labelOf(name).split(",")[0]!;
