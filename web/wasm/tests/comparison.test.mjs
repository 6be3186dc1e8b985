// The module beside the native program: every entry of the catalogue on six networks, with all ports, with one, and on links
// that take time. Reports are the same but for times and what is said of the host; so are documents, lists and explanations.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { promisify } from "node:util";
import { Module, compiled } from "./module.mjs";
import { dcube, natively } from "./natively.mjs";

const NETWORKS = ["hypercube:3", "hypercube:4", "torus:4x3", "ring:5*path:4", "complete:5", "petersen"];
const NODES = [8, 16, 12, 20, 5, 10];
const MACHINES = [{}, { ports: "one" }, { tau_ns_per_byte: "5/2", beta_ns: 100 }];

/** What each run takes, and what is said of the host. */
const OF_THE_RUN = [
  "date", "wall_seconds", "hops_per_second", "link_bytes_per_second", "planning_seconds", "peak_memory_bytes", "cores",
];
const OF_THE_PROGRAM = ["warm_runs", "repeat", "planning_parts", "threads_asked", "limit_seconds", "limit_binds", "limit_doubt", "share_of_limit"];

function without(report, keys) {
  for (const key of keys) delete report[key];
  return report;
}

const text = (bytes) => bytes && new TextDecoder().decode(bytes);

/** As a page asks: one instance for each request. Results by name, as texts. */
async function inModule(request) {
  const instance = await Module.start(compiled);
  const ok = instance.ask(request);
  return { ok, results: Object.fromEntries(["error", "report", "document", "explain", "list"].map((name) => [name, text(instance.result(name))]).filter(([, result]) => result !== null)) };
}

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
const questions = collectives.flatMap(({ name }) =>
  NETWORKS.flatMap((topology, i) => MACHINES.map((machine) => ({ ...question(name, keysOf(name), topology, NODES[i]), ...machine }))));
const lists = await natively(questions.map((one) => ({ ...one, what: "list" })));
const runs = lists.flatMap(({ ok, results }, i) => (ok ? JSON.parse(results.list).algorithms : []).filter(({ possible }) => possible)
  .map(({ name }) => ({ ...questions[i], algorithm: name, results: ["report", "document"] })));

test("the module and the program give the same lists and errors", async () => {
  for (const [i, { ok, results }] of lists.entries()) {
    const found = await inModule({ ...questions[i], what: "list" });
    const what = JSON.stringify(questions[i]);
    assert.equal(found.ok, ok, what);
    assert.equal(found.results.error, results.error, what);
    if (ok) assert.deepEqual(JSON.parse(found.results.list), JSON.parse(results.list), what);
  }
});

test("the module and the program give the same reports and documents, of every algorithm", async () => {
  assert.ok(runs.length > 800, `${runs.length} runs`);
  const all = await natively(runs);
  for (const [i, { ok, results }] of all.entries()) {
    const what = JSON.stringify(runs[i]);
    assert.ok(ok, `${what}: ${results.error}`);
    const found = await inModule(runs[i]);
    assert.ok(found.ok, `${what}: ${found.results.error}`);
    const [mine, other] = [found, { results }].map((one) => without(JSON.parse(one.results.report), OF_THE_RUN));
    assert.deepEqual(mine, other, what);
    assert.ok(found.results.document === results.document, `${what}: the documents differ`);
  }
});

test("the module and the program give the same explanations", async () => {
  const some = questions.filter((_, i) => i % 7 === 0).map((one) => ({ ...one, results: ["explain"] }));
  for (const [i, { results }] of (await natively(some)).entries())
    assert.deepEqual((await inModule(some[i])).results, Object.fromEntries(Object.entries(results).filter(([name]) => name !== "command")), JSON.stringify(some[i]));
});

test("a request and the command line that it names give the same report", async () => {
  const some = runs.filter((_, i) => i % 40 === 0).map((one) => ({ ...one, results: ["report"] }));
  for (const request of some) {
    const instance = await Module.start(compiled);
    assert.ok(instance.ask(request));
    const command = text(instance.result("command"));
    const line = `${command.replace(/^\.\/dcube/, '"$DCUBE"')} --format json --threads 1 --repeat 1`;
    const { stdout } = await promisify(execFile)("bash", ["-c", line], { env: { ...process.env, DCUBE: dcube } });
    const [mine, other] = [text(instance.result("report")), stdout].map((one) => without(JSON.parse(one), [...OF_THE_RUN, ...OF_THE_PROGRAM]));
    assert.deepEqual(mine, other, command);
  }
});
