// For tests under node: every entry of the catalogue on some networks, as requests.

import { natively } from "./natively.mjs";

const NETWORKS = ["hypercube:3", "hypercube:4", "torus:4x3", "ring:5*path:4", "complete:5", "petersen"];
const NODES = [8, 16, 12, 20, 5, 10];
const MACHINES = [{}, { ports: "one" }, { tau_ns_per_byte: "5/2", beta_ns: 100 }];

/** What each collective is asked for on a network of so many nodes. */
function question(name, fields, topology, nodes) {
  const request = { collective: name, topology };
  if (fields.includes("bytes")) request.bytes = 12;
  if (fields.includes("packets")) request.packets = name === "all-to-all" || name === "all-reduce" ? 1 : 3;
  if (fields.includes("root")) request.root = 1;
  if (fields.includes("peer")) request.peer = nodes - 1;
  if (fields.includes("permutation")) request.permutation = [...Array(nodes).keys()].map((node) => (node + 2) % nodes);
  if (fields.includes("rows")) Object.assign(request, { rows: nodes, columns: nodes, type: "int16" });
  if (fields.includes("operation")) Object.assign(request, { operation: "max", type: "int32" });
  return request;
}

const [{ results: { catalogue } }] = await natively([{ what: "catalogue" }]);
const { collectives, fields } = JSON.parse(catalogue);
const keysOf = (name) => fields.filter(({ applies_to }) => applies_to?.includes(name)).map(({ key }) => key);
export const questions = collectives.flatMap(({ name }) =>
  NETWORKS.flatMap((topology, i) => MACHINES.map((machine) => ({ ...question(name, keysOf(name), topology, NODES[i]), ...machine }))));

/** The native lists of algorithms for these questions. */
export const lists = await natively(questions.map((one) => ({ ...one, what: "list" })));

/** A question with each algorithm that can do it. */
export const runs = lists.flatMap(({ ok, results }, i) => (ok ? JSON.parse(results.list).algorithms : []).filter(({ possible }) => possible)
  .map(({ name }) => ({ ...questions[i], algorithm: name })));

/** Whether all of it is asked, as before a release, or some of it. */
const thorough = Boolean(process.env.DCUBE_THOROUGH);
export const some = (all, every) => all.filter((_, i) => thorough || i % every === 0);

/** The first runs of each entry of the catalogue. */
export function ofEachEntry() {
  const seen = new Map();
  return runs.filter(({ collective, algorithm }) => {
    const times = seen.get(`${collective} ${algorithm}`) ?? 0;
    seen.set(`${collective} ${algorithm}`, times + 1);
    return times < (thorough ? 2 : 1);
  });
}
