// What can be asked, as the module lists it ("what": "catalogue"), and what a list of algorithms says.

export interface Collective {
  name: string;
  idea?: string;
  /** The keys that apply to it, of those that do not apply to all. */
  fields: string[];
}

export interface Field {
  key: string;
  help: string;
  values: string[] | null;
  applies_to?: string[] | null;
}

/** A name with what it means. */
export interface Named {
  name: string;
  help?: string;
}

export interface Catalogue {
  collectives: Collective[];
  fields: Field[];
  networks: Named[];
  permutations: Named[];
  operations: string[];
  types: string[];
  machines: { name: string; tau?: unknown; beta?: unknown }[];
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
