// Programs of one's own, without the module: a mock of its exports runs them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import vm from "node:vm";
import { build } from "esbuild";
import { MockMachine } from "./mock-machine.mjs";

const src = (file) => fileURLToPath(new URL(`../src/lab/${file}`, import.meta.url));
const example = (name) => readFileSync(src(`examples/${name}.js`), "utf8");

let program;
before(async () => {
  const {
    outputFiles: [{ text }],
  } = await build({ entryPoints: [src("program.ts")], bundle: true, format: "esm", target: "es2022", write: false });
  program = await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
  program.readyForPrograms(null); // here they find all that node has
});

let scripts = 0;
/** Runs it as a worker does, whose source begins with it. */
function ran(source, dimension = 2, options = {}) {
  vm.runInThisContext(program.programText([source]), { filename: `blob:null/${++scripts}` });
  const runner = new program.ProgramRunner([source], program.madePrograms());
  const machine = new MockMachine(dimension, { ...options, facts: { source, ...options.facts } });
  runner.attach(machine.exports);
  const answer = machine.run(runner.resume);
  return {
    answer: answer.kind ? runner.explain(answer) : answer,
    machine,
    said: runner.said.map(({ node, text }) => `${node}: ${text}`),
  };
}
const body = (...lines) => ["function* program(me) {", ...lines, "}"].join("\n"); // the first of them is line 2
const message = (source, dimension, options) => ran(source, dimension, options).answer.message;

for (const moves of [false, true]) {
  const how = moves ? ", while the module's memory moves at every call" : "";
  test(`all-gather by doubling${how}`, () => {
    const { answer, machine } = ran(example("doubling"), 3, { output: 64, moves });
    assert.deepEqual(answer, { steps: 3 });
    for (const node of [0, 5])
      for (let i = 0; i < 64; i++) assert.equal(machine.output(node)[i], ((i >> 3) * 16 + (i & 7)) & 255);
  });
  test(`all-reduce, broadcast, hello, prefix sums and sort${how}`, () => {
    const sum = ran(example("all-reduce"), 3, { moves });
    assert.deepEqual(sum.answer, { steps: 3 });
    assert.equal(sum.machine.output(6)[1], [0, 1, 2, 3, 4, 5, 6, 7].reduce((all, id) => all + id * 16 + 1, 0) & 255);
    const sent = ran(example("broadcast"), 3, { moves, facts: { root: 5 }, holds: (id) => id === 5 });
    assert.deepEqual(sent.answer, { steps: 3 });
    for (let id = 0; id < 8; id++) assert.deepEqual([...sent.machine.output(id)], [80, 81, 82, 83, 84, 85, 86, 87]);
    assert.deepEqual(ran(example("hello"), 2, { moves }).said, [
      "0: my neighbours are [1,2]",
      "1: my neighbours are [0,3]",
      "2: my neighbours are [3,0]",
      "3: my neighbours are [2,1]",
    ]);
    const prefix = ran(example("prefix-sums"), 3, { moves });
    assert.deepEqual(prefix.answer, { steps: 3 });
    assert.equal(prefix.machine.output(7)[0], (16 * 28) & 255);
    assert.equal(prefix.machine.output(2)[1], 16 * 3 + 3);
    assert.match(prefix.said[7], /^7: my number is \d+ \d+ and the sum up to me \S+ \S+$/);
    const sort = ran(example("bitonic-sort"), 3, { input: 16, output: 16, moves });
    assert.deepEqual(sort.answer, { steps: 6 });
    const keys = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((id) => [...new Int32Array(sort.machine.output(id).buffer)]);
    assert.deepEqual(
      keys,
      [...keys].sort((a, b) => a - b),
    );
    assert.equal(new Set(keys).size, 32);
  });
}

test("rules name the line of the call", () => {
  assert.equal(
    message(example("broken-rule")),
    "link-busy in step 1 at node 0, port 0: a second packet on one link in one step (line 7 of your program)",
  );
  assert.match(message(body("  me.receive(1);")), /^nothing-arrived .* \(line 2 of your program\)$/);
  assert.match(
    message(body("  const there = (k) => {", "    me.send(k, me.input);", "  };", "  there(9);")),
    /^no-such-port in step 1 at node 0, port 9: .* \(line 3 of your program\)$/,
  );
  assert.match(
    message(example("changed-while-lent")),
    /^lent-bytes-changed in step 2 at node \d, port 0: bytes sent in step 1 were changed.* \(line 9 of your program\)$/,
  );
  assert.match(
    message(body("  if (me.id === 0)", "    me.send(1, me.input);")),
    /^never-received in step 1 at node 2, port 1: .* \(line 3 of your program\)$/,
  );
  assert.match(
    message(
      body("  yield* me.exchange(0, me.input, me.output);", "  yield* me.exchange(", "    7, me.input, me.output);"),
    ),
    /^no-such-port in step 2 at node 0.*\(line 3 of your program\)$/,
  );
});

test("a deadlock names the lines at which nodes wait", () => {
  const { answer } = ran(example("deadlock"));
  assert.match(answer.message, /^deadlock in step 1 .* \(line 6 of your program\)$/);
  assert.deepEqual(answer.waiting, [{ line: 6, nodes: [0, 1, 2, 3] }]);
  const two = ran(body("  if (me.id < 1)", "    yield me.arrival(0);", "  else", "    yield me.anyArrival();")).answer;
  assert.match(two.message, /\(lines 3 and 5 of your program\)$/);
  assert.deepEqual(two.waiting, [
    { line: 3, nodes: [0] },
    { line: 5, nodes: [1, 2, 3] },
  ]);
});

test("exceptions have the line and the column, whatever is thrown", () => {
  const { answer } = ran(body("", "  if (me.id === 3)", "    me.nothing();"));
  assert.equal(
    answer.message,
    "the program of node 3 failed in step 1: TypeError: me.nothing is not a function (line 4 of your program)",
  );
  assert.deepEqual([answer.line, answer.column], [4, 8]);
  assert.match(message(body("  throw 'words';")), /failed in step 1: it threw words$/);
  assert.match(message(body("  undeclared = 3;")), /ReferenceError: undeclared is not defined \(line 2/); // strict
  assert.match(message("const a = 1;\nnull.b;\nfunction* program(me) {}"), /TypeError: .*null.* \(line 2/);
});

test("what is not a program says so", () => {
  assert.match(message("const a = 1;"), /there is no `program`/);
  assert.match(message("function program(me) { me.send(0, me.input); }"), /`program` is no generator/);
  assert.match(message("const program = 3;"), /`program` is no generator/);
  assert.match(message("async function* program(me) {}"), /`program` is no generator/);
});

test("what is yielded, and what is not", () => {
  assert.match(message(body("  yield 3;")), /yield takes nothing, me.arrival\(port\) or me.anyArrival\(\), not 3/);
  assert.match(
    message(body("  yield me.exchange(0, me.input, me.output);")),
    /write yield\* me.exchange\(..\), with a star \(line 2/,
  );
  assert.match(
    message(body("  me.exchange(0, me.input, me.output);")),
    /yield\* me.exchange\(port, out, into\): without yield\* it does nothing \(line 2/,
  );
  assert.match(message(body("  me.arrival(0);")), /yield me.arrival\(port\): without yield it does nothing \(line 2/);
});

test("only the node's own memory is sent and written", () => {
  const own = /must be the node's own memory.* \(line 2 of your program\)$/;
  assert.match(message(body("  me.send(0, new Uint8Array(8));")), own);
  assert.match(message(body("  me.send(0, [1, 2]);")), /takes bytes of the node's own memory, not a list \(line 2/);
  assert.match(message(body("  me.send(0, me.input, -1);")), /a header is a whole number from 0 to 2\^53 - 1, not -1/);
  assert.match(message(body("  me.send(0.5, me.input);")), /a port is a whole number from 0 to 1, not 0.5/);
  assert.match(message(body("  me.send(2 ** 32, me.input);")), /a port is a whole number/);
  assert.match(message(body("  me.copy(me.input, me.output);")), /the node's input may only be read/);
  assert.match(message(body("  me.input[0] += 1; me.send(0, me.input);")), /a node's input may only be read \(line 2/);
  assert.match(
    message(body("  me.send(0, me.input); yield;", "  const packet = me.receive(0);", "  me.send(0, packet);")),
    /a received packet is the sender's.* \(line 4/,
  );
  assert.match(
    message(
      body(
        "  me.send(0, me.input); yield;",
        "  const packet = me.receive(0);",
        "  packet.bytes[0] ^= 1;",
        "  me.copy(me.output, packet);",
      ),
    ),
    /a received packet is the sender's, and may only be read \(line 5/,
  );
  assert.match(message(body("  me.copy(me.output.subarray(0, 4), me.input);")), /8 bytes do not fit into 4/);
  assert.match(
    message(
      "let own = 0;\nfunction* program(me) {\n  if (own++ === 0 && me.id === 0) Math.other = me;\n  " +
        "Math.other.send(0, Math.other.input);\n  yield;\n  me.receive(0);\n}",
    ),
    /the node whose turn it is, 1, uses the `me` of node 0 \(line 4/,
  );
});

test("bytes set by hand are sent as they are, typed arrays too, and packets can be read", () => {
  const { answer, said } = ran(
    body(
      "  const mine = me.allocateAs(Float64Array, 2);",
      "  mine[0] = me.id + 0.5; mine[1] = -me.id;",
      "  me.send(0, mine, 2 ** 40 + me.id); yield;",
      "  const packet = me.receive(0);",
      "  me.say(packet.header - 2 ** 40, packet.size, packet.as(Float64Array));",
    ),
    1,
  );
  assert.deepEqual(answer, { steps: 1 });
  assert.deepEqual(said, ["0: 1 16 1.5 -1", "1: 0 16 0.5 0"]);
});

test("set and copy carry bytes alike, and sums of values need no memory of the node's", () => {
  const { machine } = ran(
    body(
      "  me.output.set(me.input.subarray(0, 4), 4);",
      "  me.copy(me.output.subarray(0, 4), Uint8Array.of(1, 2, 3, 4));",
      "  me.add(me.output.subarray(0, 2), Uint8Array.of(9, 9));",
    ),
    1,
  );
  assert.deepEqual([...machine.output(1)], [10, 11, 3, 4, 16, 17, 18, 19]);
});

test("many lines are said, and no more than can be read", () => {
  const { said } = ran(body("  for (let i = 0; i < 3000; i++) me.say('x', i, [1], me.input.subarray(0, 2));"), 0);
  assert.equal(said.length, 2001);
  assert.equal(said[1], "0: x 1 [1] 0 1");
  assert.match(said.at(-1), /and 1000 more lines/);
});

test("what cannot be read: the words of browsers, and the place", () => {
  const { unreadable } = program;
  const source = "function* program(me) {\n  yield\n";
  assert.deepEqual(
    unreadable(["a\nb b\n"], { message: "Uncaught SyntaxError: Unexpected identifier 'b'", lineno: 3, colno: 3 }),
    {
      kind: "program",
      message: "the program cannot be read: SyntaxError: Unexpected identifier 'b' (line 2 of your program)",
      step: null,
      line: 2,
      column: 3,
      program: 0,
    },
  );
  for (const lineno of [5, 6, 9])
    assert.match(
      unreadable([source], { message: "SyntaxError: missing } after function body", lineno, colno: 1 }).message,
      /never closed \(line 3 of your program\)$/,
    );
  for (const message of ["Uncaught read", "uncaught exception: read"])
    assert.equal(unreadable([source], { message, lineno: 1, colno: 1 }), null);
  assert.equal(unreadable([source], {}), null);
  assert.deepEqual(
    [2, 3, 4, 5, 6, 7, 8, 9]
      .map((lineno) => unreadable(["a\nb", "c\nd"], { lineno }))
      .map((error) => [error.program, error.line]),
    [
      [0, 1],
      [0, 2],
      [0, 2],
      [1, 1],
      [1, 1],
      [1, 2],
      [1, 2],
      [1, 2],
    ],
  );
});

test("programs are put into a script so that lines can be counted", () => {
  assert.deepEqual(
    program
      .programText(["a\nb", "c\nd"])
      .split("\n")
      .map((line) => (line.length < 2 ? line : "...")),
    ["...", "a", "b", "...", "...", "c", "d", "...", ""],
  );
  assert.deepEqual(program.programsOf({ program: { source: "a" }, versus: { program: { source: "b" } } }), ["a", "b"]);
  assert.deepEqual(program.programsOf({ program: { source: "a" }, versus: { program: { source: "a" } } }), ["a"]);
  assert.deepEqual(program.programsOf({ versus: { algorithm: "a" } }), []);
});
