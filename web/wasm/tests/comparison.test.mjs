// The module beside the native program: every entry of the catalogue on six networks, with all ports, with one, and on links
// that take time. Reports are the same but for times and what is said of the host; so are documents, lists and explanations.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { promisify } from "node:util";
import { lists, questions, runs, some } from "./catalogue.mjs";
import { Module, compiled } from "./module.mjs";
import { dcube, natively } from "./natively.mjs";

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

const recorded = some(runs, 4).map((one) => ({ ...one, results: ["report", "document"] }));

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
  assert.ok(recorded.length > 200, `${recorded.length} runs`);
  const all = await natively(recorded);
  for (const [i, { ok, results }] of all.entries()) {
    const what = JSON.stringify(recorded[i]);
    assert.ok(ok, `${what}: ${results.error}`);
    const found = await inModule(recorded[i]);
    assert.ok(found.ok, `${what}: ${found.results.error}`);
    const [mine, other] = [found, { results }].map((one) => without(JSON.parse(one.results.report), OF_THE_RUN));
    assert.deepEqual(mine, other, what);
    assert.ok(found.results.document === results.document, `${what}: the documents differ`);
  }
});

test("the module and the program give the same explanations", async () => {
  const explained = some(questions, 7).map((one) => ({ ...one, results: ["explain"] }));
  for (const [i, { results }] of (await natively(explained)).entries())
    assert.deepEqual((await inModule(explained[i])).results, Object.fromEntries(Object.entries(results).filter(([name]) => name !== "command")), JSON.stringify(explained[i]));
});

test("a request and the command line that it names give the same report", async () => {
  for (const request of some(runs, 120).map((one) => ({ ...one, results: ["report"] }))) {
    const instance = await Module.start(compiled);
    assert.ok(instance.ask(request));
    const command = text(instance.result("command"));
    const line = `${command.replace(/^\.\/dcube/, '"$DCUBE"')} --format json --threads 1 --repeat 1`;
    const { stdout } = await promisify(execFile)("bash", ["-c", line], { env: { ...process.env, DCUBE: dcube } });
    const [mine, other] = [text(instance.result("report")), stdout].map((one) => without(JSON.parse(one), [...OF_THE_RUN, ...OF_THE_PROGRAM]));
    assert.deepEqual(mine, other, command);
  }
});
