// Programs to begin with, each with the request that it is made for. Their texts are files of examples/.

import allReduce from "./examples/all-reduce.js";
import bitonicSort from "./examples/bitonic-sort.js";
import broadcast from "./examples/broadcast.js";
import brokenRule from "./examples/broken-rule.js";
import changedWhileLent from "./examples/changed-while-lent.js";
import deadlock from "./examples/deadlock.js";
import doubling from "./examples/doubling.js";
import hello from "./examples/hello.js";
import prefixSums from "./examples/prefix-sums.js";
import ring from "./examples/ring.js";
import type { Request } from "./request";

export interface Example {
  /** The name of the file, and of the program. */
  name: string;
  title: string;
  source: string;
  /** Without a collective it is a free run: nothing is verified but the machine's rules. */
  request: Request;
  /** The outcome: so many steps, or an error of that kind. */
  expects: { steps: number } | { rule: string };
}

export const EXAMPLES: readonly Example[] = [
  {
    name: "hello",
    title: "Hello, neighbours",
    source: hello,
    request: { topology: "hypercube:4" },
    expects: { steps: 1 },
  },
  {
    name: "broadcast",
    title: "Broadcast on a cube",
    source: broadcast,
    request: { collective: "broadcast", topology: "hypercube:4", root: 5 },
    expects: { steps: 4 },
  },
  {
    name: "ring",
    title: "All-gather on a ring",
    source: ring,
    request: { collective: "all-gather", topology: "ring:8" },
    expects: { steps: 7 },
  },
  {
    name: "doubling",
    title: "All-gather by doubling",
    source: doubling,
    request: { collective: "all-gather", topology: "hypercube:4" },
    expects: { steps: 4 },
  },
  {
    name: "all-reduce",
    title: "All-reduce on a cube",
    source: allReduce,
    request: { collective: "all-reduce", topology: "hypercube:4", type: "int32" },
    expects: { steps: 4 },
  },
  {
    name: "prefix-sums",
    title: "Prefix sums",
    source: prefixSums,
    request: { topology: "hypercube:4", bytes: 4, type: "int32" },
    expects: { steps: 4 },
  },
  {
    name: "bitonic-sort",
    title: "Bitonic sort",
    source: bitonicSort,
    request: { topology: "hypercube:4", bytes: 16, type: "int32" },
    expects: { steps: 10 },
  },
  {
    name: "deadlock",
    title: "A deadlock",
    source: deadlock,
    request: { topology: "hypercube:3" },
    expects: { rule: "deadlock" },
  },
  {
    name: "broken-rule",
    title: "A broken rule",
    source: brokenRule,
    request: { topology: "hypercube:3" },
    expects: { rule: "link-busy" },
  },
  {
    name: "changed-while-lent",
    title: "Changed while lent",
    source: changedWhileLent,
    request: { collective: "all-reduce", topology: "hypercube:3", type: "int32" },
    expects: { rule: "lent-bytes-changed" },
  },
];
