// Whatever is asked, the module answers, does not trap, and does the next thing that it is asked for.

import assert from "node:assert/strict";
import test from "node:test";
import { Module, compiled } from "./module.mjs";
import { natively } from "./natively.mjs";
import { requests } from "./requests.mjs";

const GOOD = { collective: "all-to-all", topology: "hypercube:3", bytes: 8 };
const text = (bytes) => bytes && new TextDecoder().decode(bytes);

/** As Module.ask(), with any bytes. What the module does not catch is thrown. */
function asked(instance, bytes) {
  const { exports } = instance;
  const at = exports.set_words(bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  const done = exports.ask() === 0;
  return { done, error: text(instance.result("error")), report: text(instance.result("report")) };
}

const asText = (request) => new TextEncoder().encode(request);
const good = (instance) => JSON.parse(asked(instance, asText(JSON.stringify(GOOD))).report).verified;

test("random requests end with results or an error, as they do natively, and leave the module usable", async () => {
  const all = [...requests(1000, 26)];
  const native = await natively(all.map((one) => one.replaceAll("\n", " ")));
  let possible = 0;
  let instance = await Module.start(compiled);
  for (const [i, request] of all.entries()) {
    if (i % 25 === 0) instance = await Module.start(compiled);
    const { done, error } = asked(instance, asText(request));
    assert.equal(done, error === null, request);
    assert.equal(done, native[i].ok, `${request}: ${error ?? native[i].results.error}`);
    if (error) assert.equal(JSON.parse(error).kind, JSON.parse(native[i].results.error).kind, request);
    possible += done ? 1 : 0;
    assert.ok(good(instance), request);
  }
  assert.ok(possible > 100, `${possible} were possible`);
});

test("bytes that are no text end with an error, and leave the module usable", async () => {
  const instance = await Module.start(compiled);
  for (const bytes of [[], [0], [255, 254], [0xc3], [...Array(256).keys()], Array(100000).fill(0x5b), Array(100000).fill(0x7b), Array(70000).fill(0x22)]) {
    const { done, error } = asked(instance, Uint8Array.from(bytes));
    assert.equal(done, false);
    assert.equal(JSON.parse(error).kind, "input");
    assert.ok(good(instance));
  }
});
