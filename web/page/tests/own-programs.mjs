// Programs of one's own in a browser, with their outcome in the lab's page, there and in Firefox (firefox.mjs).
import assert from "node:assert/strict";

const body = (...lines) => ["function* program(me) {", ...lines, "}"].join("\n");

/** Name, source, the end of the message, line. */
const WRONG = [
  [
    "does not parse",
    body("  let a = ;"),
    /^the program cannot be read: SyntaxError: .* \(line 2 of your program\)$/,
    2,
  ],
  [
    "does not end",
    body("  if (me.id) {", "    yield;").slice(0, -2),
    /cannot be read: .*never closed \(line 3 of your program\)$/,
    3,
  ],
  [
    "has half a text",
    "function* program(me) {\n  `half\n}\n",
    /^the program cannot be read: SyntaxError: .* of your program\)$/,
    4,
  ],
  ["ends too early", body("  yield;", "}", "me.send("), /^the program cannot be read: SyntaxError: /, null],
  [
    "throws",
    body("", "  if (me.id === 3)", "    me.nothing();"),
    /^the program of node 3 failed in step 1: TypeError: me\.nothing is not a function \(line 4 of your program\)$/,
    4,
  ],
  [
    "breaks a rule",
    body("  me.send(0, me.input);", "  me.send(0, me.input);"),
    /^link-busy in step 1 at node 0, port 0: .*\(line 3 of your program\)$/,
    3,
  ],
  [
    "breaks a rule in a function",
    body(
      "  const twice = (port) => {",
      "    me.send(port, me.input);",
      "    me.send(port, me.input);",
      "  };",
      "  twice(1);",
    ),
    /^link-busy in step 1 at node 0, port 1: .*\(line 4 of your program\)$/,
    4,
  ],
  [
    "exchanges over no port",
    body("  yield* me.exchange(", "    7, me.input, me.output);"),
    /^no-such-port in step 1 at node 0, port 7.*\(line [23] of your program\)$/,
    null,
  ],
  [
    "waits for ever",
    body("  yield;", "  yield me.arrival(1);"),
    /^deadlock in step 2 .*nodes 0-7 \(line 3 of your program\)$/,
    3,
  ],
  [
    "changes what it has lent",
    body("  const own = me.allocate(8);", "  me.send(0, own);", "  yield;", "  own[0] = 1;", "  me.receive(0);"),
    /^lent-bytes-changed in step 2 .*\(line 3 of your program\)$/,
    3,
  ],
  [
    "reaches for the page",
    body("  document.title;"),
    /ReferenceError: document is not defined \(line 2 of your program\)$/,
    2,
  ],
  ["evaluates text", body("  eval('1');"), /failed in step 1: EvalError.*\(line 2 of your program\)$/, 2],
];

/** Runs each of them on the lab's page, and then a right one. */
export async function tryPrograms(page) {
  const ask = (source) =>
    page.evaluate(
      (source) =>
        window.dcubeLab.ask({
          collective: "all-gather",
          topology: "hypercube:3",
          bytes: 8,
          program: { name: "mine", source },
          results: ["report"],
        }).answer,
      source,
    );
  for (const [name, source, words, line] of WRONG) {
    const { error } = await ask(source);
    assert.ok(error, `a program that ${name}`);
    assert.match(error.message, words, `a program that ${name}`);
    assert.ok(error.line > 0, `a program that ${name}: ${error.message}`);
    if (line) assert.equal(error.line, line, `a program that ${name}`);
  }
  const right = body(
    "  const at = (node) => me.output.subarray(node * 8, node * 8 + 8);",
    "  at(me.id).set(me.input);",
    "  for (let k = 0; k < 7; k++) {",
    "    const mine = [], from = me.id;",
    "    if (k < 3) yield* me.exchange(k, me.output.subarray((from >> k << k) * 8, ((from >> k << k) + " +
      "(1 << k)) * 8), me.output.subarray(((from ^ 1 << k) >> k << k) * 8, (((from ^ 1 << k) >> k << k) " +
      "+ (1 << k)) * 8));",
    "  }",
    "  me.say('done', me.id);",
  );
  const { error, results } = await ask(right);
  assert.equal(error, undefined, error?.message);
  assert.deepEqual([results.report.verified, results.report.steps, results.said.length], [true, 3, 8]);
  assert.equal(await page.evaluate(() => window.dcubeLab.can.stop), true, "there are still workers");
}

/** A program that never yields is ended by Stop. */
export async function stopProgram(page) {
  const { error, took } = await page.evaluate(async (source) => {
    const running = window.dcubeLab.ask({
      collective: "all-gather",
      topology: "hypercube:3",
      program: { name: "mine", source },
    });
    await new Promise((done) => setTimeout(done, 300));
    const began = performance.now();
    running.stop();
    const { error } = await running.answer;
    return { error, took: performance.now() - began };
  }, body("  for (;;);"));
  assert.equal(error.kind, "stopped");
  return took;
}
