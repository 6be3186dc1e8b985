// Programs of one's own in the module: the page's examples, and what the machine refuses.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import vm from "node:vm";
import { compiled, root } from "./module.mjs";
import { createRequire } from "node:module";

const { build } = createRequire(`${root}web/page/package.json`)("esbuild");
const examples = { name: "examples", setup: (on) => on.onLoad({ filter: /\/examples\/[\w-]+\.js$/ }, async ({ path }) => ({ contents: await readFile(path, "utf8"), loader: "text" })) };
const { outputFiles: [{ text }] } = await build({
  stdin: { contents: `export * from "./run"; export * from "./program"; export * from "./examples";`, loader: "ts", resolveDir: `${root}web/page/src/lab` },
  bundle: true, format: "esm", target: "es2022", write: false, plugins: [examples],
});
const { asked, started, programText, programsOf, readyForPrograms, EXAMPLES } = await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);

readyForPrograms(null); // here they find all that node has

let scripts = 0;
/** As a page's worker does it. */
async function ran(request) {
  const programs = programsOf(request);
  vm.runInThisContext(programText(programs), { filename: `blob:null/${++scripts}` });
  const results = asked(await started(compiled, () => undefined, programs), { results: ["report", "document"], ...request });
  return Object.fromEntries(results.map(([name, bytes]) => [name, JSON.parse(new TextDecoder().decode(bytes))]));
}
const body = (...lines) => ["function* program(me) {", ...lines, "}"].join("\n");
const own = (source, request = {}) => ran({ collective: "all-gather", topology: "hypercube:3", bytes: 8, ...request, program: { name: "mine", source } });
const message = async (...of) => (await own(...of)).error?.message;

for (const { name, source, request, expects } of EXAMPLES)
  test(`the example ${name}`, async () => {
    const { error, report, document, said } = await ran({ ...request, program: { name, source } });
    if (expects.rule) {
      assert.equal(error.rule, expects.rule);
      assert.ok(error.line > 0 && error.message.endsWith(`(line ${error.line} of your program)`), error.message);
      return;
    }
    assert.equal(error, undefined);
    assert.equal(report.steps, expects.steps);
    assert.equal(report.verified, request.collective !== undefined);
    assert.equal(report.collective, request.collective ?? null);
    assert.equal(document.films.length, 1);
    assert.ok(document.films[0].columns);
    assert.equal(document.films[0].bound === null, request.collective === undefined);
    if (request.collective === undefined) assert.equal(said.length, 16);
  });

test("a failed run has its film up to there", async () => {
  const { error, document } = await own(body("  yield* me.exchange(0, me.input, me.output.subarray(0, 8));", "  if (me.id === 5) me.send(9, me.input);"));
  assert.equal(error.rule, "no-such-port");
  const [{ verdict, columns }] = document.films;
  assert.deepEqual([verdict.accepted, verdict.what, verdict.step, verdict.node], [false, "rule", 2, 5]);
  assert.equal(columns.rows, 8);
});

test("a deadlock's film has the nodes that wait, and their ports", async () => {
  const { document } = await own(body("  if (me.id < 2) yield me.arrival(1); else if (me.id === 7) yield me.anyArrival();"));
  assert.deepEqual(document.films[0].verdict.waiting, [[0, 1], [1, 1], [7, -1]]);
});

test("bytes that nodes share behind the machine's back are refused, and so is a run below its bound", async () => {
  const shared = await own(body("  if (me.id === 0) Math.shared = me.input.slice();", "  yield;", "  me.output.set(Math.shared);"), { collective: "broadcast" });
  assert.equal(shared.error.kind, "impossible");
  assert.match(shared.error.message, /^this cannot be: node 1 never received byte 0 of the message from node 0/);
  assert.equal(shared.document.films[0].verdict.what, "impossible");
  assert.equal(shared.document.films[0].bound.met, false);
  const doubling = EXAMPLES.find(({ name }) => name === "doubling").source;
  const large = await own(doubling, { topology: "hypercube:5" });
  assert.match(large.error.message, /^this cannot be: 5 steps are fewer than 7.*bytes at once in step 2, and a packet has at most 8$/);
});

const numbersOf = (lines) => lines.map(({ text }) => text.match(/-?\d+/g).map(Number));

test("prefix sums and sorted keys are what they should be", async () => {
  const example = (name) => EXAMPLES.find((one) => one.name === name);
  const results = async (name) => {
    const { source, request } = example(name);
    return numbersOf((await ran({ ...request, program: { name, source } })).said.sort((a, b) => a.node - b.node));
  };
  let sum = 0;
  for (const [mine, prefix] of await results("prefix-sums")) {
    sum = (sum + mine) | 0;
    assert.equal(prefix, sum);
  }
  const keys = (await results("bitonic-sort")).flat();
  assert.equal(keys.length, 64);
  assert.deepEqual(keys, [...keys].sort((a, b) => a - b));
  assert.ok(new Set(keys).size > 32);
});

test("a film knows whose bytes are sent, and the phases", async () => {
  const { document } = await own(body("  me.phase('say it');", "  me.output.set(me.input, me.id * 8);", "  for (let k = 0; k < 3; k++) {", "    const n = 8 << k, at = (node) => (node >> k << k) * 8;",
    "    yield* me.exchange(k, me.output.subarray(at(me.id), at(me.id) + n), me.output.subarray(at(me.id ^ 1 << k), at(me.id ^ 1 << k) + n));", "  }"));
  assert.deepEqual(document.films[0].phases.map(({ name, first, last }) => [name, first, last]), [["say it", 1, 3]]);
  assert.ok(document.films[0].columns.rows ?? document.films[0].columns);
});

test("every operation and type adds as the machine does", async () => {
  const allReduce = EXAMPLES.find(({ name }) => name === "all-reduce").source;
  for (const type of ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"])
    for (const operation of ["sum", "min", "max", "bit-xor"]) {
      if (operation === "bit-xor" && type.startsWith("float")) continue;
      const { error, report } = await own(allReduce, { collective: "all-reduce", type, operation, bytes: 16 });
      assert.equal(error, undefined, `${type} ${operation}: ${error?.message}`);
      assert.equal(report.verified, true);
    }
});

test("a broken rule is reported with the line of the call", async () => {
  assert.equal(await message(body("  me.send(0, me.input);", "  me.send(0, me.input);")),
    "link-busy in step 1 at node 0, port 0: a second packet on one link in one step (line 3 of your program)");
  assert.match(await message(body("  me.receive(1);")), /^nothing-arrived in step 1 at node 0, port 1.* \(line 2 of your program\)$/);
  assert.match(await message(body("  me.send(7, me.input);")), /^no-such-port in step 1 at node 0, port 7.*\(line 2/);
  assert.match(await message(body("  if (me.neighbour(3)) me.say('x');")), /^no-such-port in step 1 at node 0, port 3.*\(line 2/);
  assert.match(await message(body("  yield;", "  yield me.arrival(3);")), /^no-such-port in step 2 at node 0, port 3.*\(line 3/);
  assert.match(await message(body("  if (me.id === 0)", "    me.send(1, me.input);")), /^never-received in step 1 at node 2, port 1.*\(line 3/);
  assert.match(await message(body("  me.send(0, me.input); yield;", "  me.receive(0, me.output.subarray(0, 4));")), /^size-mismatch in step 2.*\(line 3/);
  assert.match(await message(body("  me.send(0, me.input);", "  me.send(1, me.input);"), { ports: "one" }), /^second-send in step 1 at node 0, port 1.*\(line 3/);
  assert.match(await message(body("  const own = me.allocate(8);", "  me.send(0, own); yield;", "  own[0]++;", "  me.receive(0);")), /^lent-bytes-changed in step 2 at node \d, port 0.*\(line 3/);
});

test("deadlocks, exceptions, wrong results, endless programs", async () => {
  const { error } = await own(body("  if (me.id % 2) yield me.arrival(0);", "  else yield me.anyArrival();"));
  assert.equal(error.kind, "deadlock");
  assert.match(error.message, /nodes 0, 2, 4, 6.*\(lines 2 and 3 of your program\)$/);
  assert.deepEqual(error.waiting, [{ line: 2, nodes: [1, 3, 5, 7] }, { line: 3, nodes: [0, 2, 4, 6] }]);
  assert.equal(await message(body("  if (me.id === 3) me.nothing();")), "the program of node 3 failed in step 1: TypeError: me.nothing is not a function (line 2 of your program)");
  assert.match(await message(body("  try { me.send(9, me.input); } catch {}")), /^no-such-port/);
  assert.equal((await own(body())).error.kind, "verification");
  const endless = await own(body("  for (;;) yield;"), { topology: "hypercube:0" });
  assert.equal(endless.error.rule, "too-many-steps");
  assert.match(await message("function* program(me) {}"), /node 0/);
  for (const odd of ["{ toJSON() { throw 1; }, toString() { throw 2; } }", "new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } })", "Object.assign(new Error(), { name: Symbol() })"])
    assert.equal(await message(body(`  throw ${odd};`)), "the program of node 0 failed in step 1: it threw something that cannot be shown");
  assert.match(await message(body("  throw new Error('long'.repeat(1e7));")), /^the program of node 0 failed in step 1: Error: long.{1000,3000}$/);
  assert.match(await message(body("  (Math.all ??= [])[me.id] = me.input;", "  yield;", "  me.output.set(Math.all[7], 0);")), /^the program of node 0 failed in step 2: TypeError: .*another node.*\(line 4/);
  assert.match(await message("let x = 1;"), /there is no `program`/);
});

test("memory may grow while programs run, and their arrays stay", async () => {
  const { error, report } = await own(body(
    "  const all = [];", "  const mine = me.output.subarray(me.id * 8, me.id * 8 + 8);", "  mine.set(me.input);",
    "  for (let k = 0; k < 3; k++) {", "    all.push(me.allocate(3000000));", "    const n = 8 << k, at = (node) => (node >> k << k) * 8;",
    "    yield* me.exchange(k, me.output.subarray(at(me.id), at(me.id) + n), me.output.subarray(at(me.id ^ 1 << k), at(me.id ^ 1 << k) + n));",
    "    if (mine.length !== 8 || all[0].length !== 3000000 || mine[0] !== me.input[0]) throw new Error('cut off');", "  }"));
  assert.equal(error, undefined, error?.message);
  assert.equal(report.verified, true);
});

test("two programs, compared", async () => {
  const doubling = EXAMPLES.find(({ name }) => name === "doubling").source;
  const request = { collective: "all-gather", topology: "hypercube:3", program: { name: "mine", source: doubling } };
  const first = await ran({ ...request, versus: { program: { name: "other", source: `\n\n${doubling}` } } });
  assert.deepEqual([first.report.algorithm, first.versus.algorithm, first.versus.steps], ["mine", "other", 3]);
  const second = await ran({ ...request, versus: { program: { name: "other", source: `\n\n${doubling.replace("yield*", "")}` } } });
  assert.equal(second.error.program, 1);
  const line = `\n\n${doubling}`.split("\n").findIndex((text) => text.includes("me.exchange")) + 1;
  assert.equal(second.error.line, line);
  assert.ok(second.error.message.endsWith(`without yield* it does nothing (line ${line} of your program)`), second.error.message);
});

test("links that take time, failing links, networks with holes", async () => {
  const ring = EXAMPLES.find(({ name }) => name === "ring").source;
  const timed = await own(ring, { topology: "ring:6", tau_ns_per_byte: 1, beta_ns: 10 });
  assert.equal(timed.error, undefined, timed.error?.message);
  assert.equal(timed.report.verified, true);
  const lost = await own(ring, { topology: "ring:6", failing: "0-1@3" });
  assert.equal(lost.error.rule, "packet-lost");
  assert.ok(lost.error.line > 0, lost.error.message);
});
