// The possible requests, as the module lists them ("what": "catalogue"), and its list of algorithms.

export interface Collective {
  name: string;
  idea?: string;
}

/** A key of a question; null where there is none. */
export interface Field {
  readonly key: string;
  readonly label: string;
  /** The heading above its field. */
  readonly group: string;
  readonly kind: "text" | "nodes" | "numbers" | "texts" | "number" | "exact" | "flag";
  readonly about: string;
  /** The form of its values: "64, 64B, 4KiB, 1M". */
  readonly form: string | null;
  /** The value where none is given. */
  readonly usual: string | null;
  /** All that are possible. */
  readonly values: readonly string[] | null;
  /** The collectives that have it; null: all. */
  readonly applies_to: readonly string[] | null;
}

/** A key of a report. */
export interface ReportKey {
  key: string;
  unit: string | null;
  about: string;
  /** A detail, of no interest at a first look. */
  detail: boolean;
}

/** A name with its meaning. */
export interface Named {
  name: string;
  help?: string;
}

export interface Catalogue {
  collectives: Collective[];
  networks: Named[];
  permutations: Named[];
  report: ReportKey[];
}

export interface Entry {
  name: string;
  paper?: string;
  idea?: string;
  summary?: string;
  possible: boolean;
  why: string | null;
  steps?: number | null;
  time_ns?: number | null;
}

export interface AlgorithmList {
  best: string | null;
  algorithms: Entry[];
}

export interface NetworkFacts {
  title: string;
  nodes: number;
  links: number;
  ports: number;
}
