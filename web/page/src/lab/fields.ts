// The form's fields: where the field of each key stands, and what the page calls a key.

import type { Field } from "./catalogue";
import { KEYS } from "./keys";

interface Place {
  readonly key: string;
  /** Letters that it has room for. */
  readonly room: number;
  /** Behind "More", with its group; else in the row. */
  readonly more?: boolean;
  /** It may differ in a comparison. */
  readonly twin: boolean;
}

export interface FieldPlan extends Field, Place {
  readonly control: "select" | "check" | "input";
}

/** In the order in which they stand. Only link_model has no field: links take time once a number for them is given. */
const PLACES: readonly Place[] = [
  { key: "collective", room: 12, twin: false },
  { key: "topology", room: 13, twin: true },
  { key: "algorithm", room: 14, twin: true },
  { key: "ports", room: 4, twin: true },
  { key: "bytes", room: 5, twin: true },
  { key: "packets", room: 5, twin: true },
  { key: "root", room: 4, twin: true },
  { key: "peer", room: 4, twin: true },
  { key: "permutation", room: 12, twin: true },
  { key: "operation", room: 8, twin: true },
  { key: "type", room: 8, twin: true },
  { key: "rows", room: 5, twin: true },
  { key: "columns", room: 6, twin: true },
  { key: "layout", room: 13, twin: true },
  { key: "to_layout", room: 13, twin: true },
  { key: "machine", room: 10, more: true, twin: true },
  { key: "tau_ns_per_byte", room: 11, more: true, twin: true },
  { key: "beta_ns", room: 12, more: true, twin: true },
  { key: "clock", room: 11, more: true, twin: true },
  { key: "faults", room: 12, more: true, twin: true },
  { key: "failing", room: 12, more: true, twin: true },
  { key: "groups", room: 7, more: true, twin: true },
  { key: "detour_groups", room: 10, more: true, twin: true },
  { key: "waves", room: 8, more: true, twin: true },
  { key: "halvings", room: 7, more: true, twin: true },
  { key: "seed", room: 6, more: true, twin: true },
  { key: "in_place", room: 6, more: true, twin: false },
];

const keyNamed = (name: string): Field | undefined => KEYS.find(({ key }) => key === name);

export const FIELDS: readonly FieldPlan[] = PLACES.map((place) => {
  const field = keyNamed(place.key)!;
  const isChosen = field.values !== null || field.key === "algorithm";
  return { ...field, ...place, control: isChosen ? "select" : field.kind === "flag" ? "check" : "input" };
});

/** Before a key's field, and before what is wrong with it; a key of the request that has no label is its own. */
export const labelOf = (name: string): string => keyNamed(name)?.label ?? name;

/** Within a sentence: a label without its unit. */
export const wordOf = (name: string): string => labelOf(name).split(",")[0]!;
