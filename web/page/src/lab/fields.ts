// The fields of the form: one for each key of a request, in the order in which they stand there.

export interface FieldPlan {
  readonly key: string;
  readonly label: string;
  /** Where it stands: in the row, or behind "More". */
  readonly group: "row" | "Links" | "Faults" | "Data" | "Tuning";
  readonly kind: "text" | "number" | "select" | "check";
  /** What it is if nothing is typed. */
  readonly usual?: string;
  /** Letters that it has room for. */
  readonly room: number;
  /** It may differ in a comparison. */
  readonly twin?: boolean;
}

export const FIELDS: readonly FieldPlan[] = [
  { key: "collective", label: "Collective", group: "row", kind: "select", room: 12 },
  { key: "topology", label: "Network", group: "row", kind: "text", room: 13, twin: true },
  { key: "algorithm", label: "Algorithm", group: "row", kind: "select", usual: "auto", room: 14, twin: true },
  { key: "ports", label: "Ports", group: "row", kind: "select", usual: "all", room: 4, twin: true },
  { key: "bytes", label: "Bytes", group: "row", kind: "text", usual: "64", room: 5, twin: true },
  { key: "packets", label: "Packets", group: "row", kind: "number", usual: "1", room: 5, twin: true },
  { key: "root", label: "Root", group: "row", kind: "number", usual: "0", room: 4, twin: true },
  { key: "peer", label: "To node", group: "row", kind: "number", room: 6, twin: true },
  { key: "permutation", label: "Permutation", group: "row", kind: "text", room: 12, twin: true },
  { key: "operation", label: "Operation", group: "row", kind: "select", usual: "sum", room: 8, twin: true },
  { key: "type", label: "Type", group: "row", kind: "select", usual: "uint8", room: 8, twin: true },
  { key: "rows", label: "Rows", group: "row", kind: "number", room: 5, twin: true },
  { key: "columns", label: "Columns", group: "row", kind: "number", room: 6, twin: true },
  { key: "layout", label: "Layout", group: "row", kind: "select", room: 13, twin: true },
  { key: "to_layout", label: "To layout", group: "row", kind: "select", room: 13, twin: true },
  { key: "machine", label: "Machine", group: "Links", kind: "select", room: 10, twin: true },
  { key: "tau_ns_per_byte", label: "\u03c4, ns a byte", group: "Links", kind: "text", room: 9, twin: true },
  { key: "beta_ns", label: "\u03b2, ns a packet", group: "Links", kind: "text", room: 10, twin: true },
  { key: "clock", label: "Clock", group: "Links", kind: "select", usual: "data-driven", room: 11, twin: true },
  { key: "faults", label: "Missing", group: "Faults", kind: "text", room: 12, twin: true },
  { key: "failing", label: "Failing", group: "Faults", kind: "text", room: 12, twin: true },
  { key: "groups", label: "Groups", group: "Tuning", kind: "number", room: 6, twin: true },
  { key: "detour_groups", label: "Detour groups", group: "Tuning", kind: "number", room: 10, twin: true },
  { key: "waves", label: "Waves", group: "Tuning", kind: "text", room: 8, twin: true },
  { key: "halvings", label: "Halvings", group: "Tuning", kind: "number", room: 7, twin: true },
  { key: "seed", label: "Seed", group: "Data", kind: "number", usual: "1", room: 6, twin: true },
  { key: "in_place", label: "In place", group: "Data", kind: "check", room: 6 },
];

/** What stands in an empty field. */
export const HINTS: Readonly<Record<string, string>> = {
  faults: "0-1,9", failing: "0-1@3,5@2", tau_ns_per_byte: "none", beta_ns: "none",
  groups: "the best", detour_groups: "the best", waves: "the best", halvings: "the best",
};

/** What the fields are for, where a word is not enough. */
export const MEANINGS: Readonly<Record<string, string>> = {
  collective: "what the nodes do together", topology: "who is linked to whom: hypercube:4, torus:6x6, ring:5*path:4, ..",
  algorithm: "auto takes the best one that there is", ports: "how many links a node may use in a step: all, or one",
  bytes: "of a packet: 64, 4KiB", packets: "of a message", root: "the node that has or gets all", peer: "the node that it goes to",
  machine: "\u03c4 and \u03b2 of a real machine", tau_ns_per_byte: "a byte takes so long on a link; with it links take time, and steps do not count",
  beta_ns: "every packet takes so long to start", faults: "links and nodes that are missing from the start: 0-1,9",
  failing: "links and nodes that fail while it runs, from a step on: 0-1@3,5@2", seed: "of the data", in_place: "one array a node: what it gets takes the place of what it gave",
};

/** What a field must have, and has once its collective is chosen: of a network of so many nodes. */
export const NEEDED: Readonly<Record<string, (nodes: number) => string>> = {
  peer: (nodes) => String(Math.max(1, nodes - 1)), permutation: () => "rotation", rows: (nodes) => String(2 * nodes), columns: (nodes) => String(2 * nodes),
};

/** The words by which an error speaks of a key. */
const WORDS: Readonly<Record<string, RegExp>> = {
  algorithm: /algorithm/i, collective: /collective/i, root: /\broot\b/i,
  peer: /--to\b|destination|\bpeer\b/i, faults: /--without|missing link|\bfaults?\b/i, failing: /--fail|\bfail/i, tau_ns_per_byte: /--tau\b|\btau/i, beta_ns: /--beta\b|\bbeta/i,
  operation: /--op\b|operation/i, columns: /--cols\b|columns/i, rows: /--rows\b|\brows\b/i, bytes: /\bbytes\b|--bytes|\bsize\b/i, packets: /\bpackets?\b/i,
  type: /--type|\btype\b/i, permutation: /permutation/i, to_layout: /to.layout/i, layout: /layout/i, machine: /--machine|\bmachine\b/i, ports: /--ports|\bports?\b/i,
  seed: /\bseed\b/i, groups: /--groups/i, waves: /waves/i, halvings: /halvings/i, clock: /clock/i,
  topology: /network|topolog|hypercube|torus|mesh|\bring\b|dimension|graph:/i,
};

/** The key that an error of input is about, as far as its words tell: an option that is named, then what was typed, then other words. */
export function keyOf(message: string, typed: ReadonlyMap<string, readonly string[]>): string | null {
  const named = /(?:--|')([a-z]+(?:[-_][a-z]+)*)\b/.exec(message)?.[1]?.replaceAll("-", "_");
  const known = OPTIONS[named ?? ""] ?? named;
  if (known && (known in WORDS || typed.has(known))) return known;
  if (/memory/.test(message)) return null;
  const texts = [...typed].flatMap(([key, all]) => all.filter((text) => text.length > 2).map((text) => [key, text] as const)).sort(([, a], [, b]) => b.length - a.length);
  const quoted = texts.find(([key, text]) => key !== "collective" && key !== "topology" && message.includes(text) && !/[\w-]/.test(message[message.indexOf(text) + text.length] ?? "") && !/[\w-]/.test(message[message.indexOf(text) - 1] ?? ""));
  return quoted?.[0] ?? Object.keys(WORDS).find((key) => typed.has(key) && WORDS[key]!.test(message)) ?? null;
}

/** A message with the fields' names in place of the options of a command line: "--rows and --cols" are "rows and columns". */
export const inFields = (message: string): string => message.replace(/--([a-z]+(?:-[a-z]+)*)\b/g, (option, name: string) => {
  const words = name.replaceAll("-", "_");
  const plan = FIELDS.find(({ key }) => key === (OPTIONS[words] ?? words));
  return plan && plan.group !== "Faults" ? plan.label.replace(/,.*/, "").toLowerCase() : option;
});

/** Keys whose options have other names. */
const OPTIONS: Readonly<Record<string, string>> = {
  dim: "topology", op: "operation", to: "peer", cols: "columns", tau: "tau_ns_per_byte", beta: "beta_ns", without_link: "faults", without_node: "faults", fail_link: "failing", fail_node: "failing",
};
