// The module as a whole: its size, errors and what they leave behind, the largest networks, memory.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { Module, ask, asked, bytes, compiled } from "./module.mjs";

test("the module has less than 1.15 MB, gzipped", () => {
  const size = gzipSync(bytes, { level: 9 }).length;
  assert.ok(size < 1_150_000, `${size} bytes`);
});

test("the module has no pages in it, and no names of functions", () => {
  assert.ok(!bytes.includes("<!doctype") && !bytes.includes("<!DOCTYPE"));
  assert.equal(WebAssembly.Module.customSections(compiled, "name").length, 0);
});

test("the module asks nothing of its host but what is known, and of WASI only what module.ts has", () => {
  const of = (module) => WebAssembly.Module.imports(compiled).filter((one) => one.module === module).map((one) => one.name).sort();
  assert.deepEqual(of("dcube").filter((name) => !["planning", "resume", "step"].includes(name)), []);
  const known = ["clock_time_get", "environ_get", "environ_sizes_get", "fd_close", "fd_fdstat_get", "fd_prestat_dir_name", "fd_prestat_get", "fd_read", "fd_seek", "fd_write", "proc_exit", "random_get"];
  assert.deepEqual(of("wasi_snapshot_preview1").filter((name) => !known.includes(name)), []);
  assert.equal(new Set(WebAssembly.Module.imports(compiled).map((one) => one.module)).size, 2);
});

test("progress: planning and steps are told", async () => {
  const steps = [];
  const texts = [];
  const imports = { step: (number, expected) => steps.push([number, expected]), planning: (text, done, all) => texts.push([text, done, all]) };
  const { error } = await ask({ collective: "all-to-all", topology: "hypercube:4", faults: "0-1", bytes: 8 }, imports);
  assert.equal(error, undefined);
  assert.ok(steps.length >= 8, `${steps.length} steps`);
  assert.ok(steps.every(([number, expected]) => Number.isInteger(number) && Number.isInteger(expected)));
  assert.ok(texts.length > 0 && texts.every(([text, done, all]) => text.length > 0 && done >= 0 && done <= all));
});

const wrong = {
  "an unknown key": { collectiv: "all-to-all" },
  "no collective": { topology: "hypercube:3" },
  "an unknown collective": { collective: "all-to-none" },
  "a wrong type": { collective: "all-to-all", bytes: [1] },
  "2^32 + 1 packets": { collective: "broadcast", topology: "hypercube:3", packets: 4294967297 },
  "2^32 bytes": { collective: "all-to-all", topology: "hypercube:3", bytes: 4294967296 },
  "2^62 bytes": { collective: "all-to-all", topology: "hypercube:3", bytes: "4611686018427387904" },
  "a number with a fraction": { collective: "all-to-all", bytes: 1.5 },
  "a negative number": { collective: "all-to-all", bytes: -1 },
  "a number beyond all": { collective: "all-to-all", bytes: 1e300 },
  "a network that is none": { collective: "all-to-all", topology: "hypercube:" },
  "a network that is too large": { collective: "all-to-all", topology: "hypercube:40" },
  "an algorithm for another network": { collective: "all-to-all", topology: "ring:5", algorithm: "direct" },
  "a network in two parts": { collective: "all-to-all", topology: "path:4", faults: "1-2" },
  "a link that fails": { collective: "all-to-all", topology: "hypercube:3", failing: "0-1@2" },
  "more memory than there is": { collective: "all-to-all", topology: "hypercube:6", bytes: "256KiB" },
};

test("errors are answers, and leave the module usable", async () => {
  const instance = await Module.start(compiled);
  const good = asked(instance, { collective: "all-to-all", topology: "hypercube:3", bytes: 8 });
  assert.equal(good.error, undefined);
  for (const [what, request] of Object.entries(wrong)) {
    const { done, error, report } = asked(instance, request);
    assert.equal(done, false, what);
    assert.equal(report, undefined, what);
    assert.ok(error.message.length > 10 && !error.message.includes("\n"), `${what}: ${error.message}`);
    assert.ok(["input", "rule"].includes(error.kind), `${what}: ${error.kind}`);
    assert.ok(error.exit === 1 || error.exit === 2, what);
    const again = asked(instance, { collective: "all-to-all", topology: "hypercube:3", bytes: 8 });
    assert.equal(again.report?.digest, good.report.digest, what);
  }
});

test("bytes that are no request are errors", async () => {
  const instance = await Module.start(compiled);
  const raw = (data) => {
    const at = instance.exports.set_words(data.length);
    new Uint8Array(instance.exports.memory.buffer, at, data.length).set(data);
    return instance.exports.ask();
  };
  const some = ["", "{", "null", "[]", "\"\"", "{}{}", "{\"collective\":", "\u0000", "{\"collective\":\"all-to-all\",\"collective\":\"all-to-all\"}", "[".repeat(100000), "{\"a\":".repeat(10000)];
  for (const text of some) assert.equal(raw(new TextEncoder().encode(text)), 1, text.slice(0, 40));
  assert.equal(raw(new Uint8Array([0xff, 0xfe, 0x80, 0x00])), 1);
  assert.equal(asked(instance, { collective: "broadcast", topology: "hypercube:3", bytes: 8 }).error, undefined);
});

test("memory: what does not fit is refused with the figures, before it is taken", async () => {
  const instance = await Module.start(compiled);
  const { error } = asked(instance, { collective: "all-to-all", topology: "hypercube:6", bytes: "256KiB" });
  assert.equal(error.kind, "input");
  assert.match(error.message, /\d+(\.\d+)? (MiB|GiB|MB|GB)/);
  assert.ok(instance.exports.memory.buffer.byteLength < 64 * 2 ** 20);
});

test("memory: where it ends in the middle, that is an error, and the instance goes on", async () => {
  const MiB = 2 ** 20;
  const requests = [
    { collective: "all-to-all", topology: "torus:6x6", bytes: 64, results: ["report", "document", "explain"] },
    { collective: "broadcast", topology: "hypercube:10", bytes: 64, packets: 20, results: ["report", "document"] },
  ];
  const instance = await Module.start(compiled);
  const { allocate, release } = instance.exports;
  const kinds = new Set();
  for (const left of [0.25, 0.5, 1, 2, 3, 4, 6, 8, 16]) {
    const kept = allocate(left * MiB);
    const hogs = [];
    for (let size = 512 * MiB; size >= 1024; size /= 2) {
      for (let at = allocate(size); at !== 0; at = allocate(size)) hogs.push(at);
    }
    release(kept);
    for (const request of requests) {
      const { done, error } = asked(instance, request);
      assert.ok(instance.alive, `${left} MiB: ${error?.message}`);
      if (!done) kinds.add(error.kind);
      if (!done) assert.ok(["memory", "input"].includes(error.kind), `${left} MiB: ${error.kind}: ${error.message}`);
    }
    for (const at of hogs) release(at);
  }
  assert.ok(kinds.has("memory"));
});

// The longest networks: recursion that is as deep as a network is long would end the instance.
const long = [
  { collective: "broadcast", topology: "path:2000", bytes: 8 },
  { collective: "reduce", topology: "path:2000", bytes: 8 },
  { collective: "all-gather", topology: "ring:500", bytes: 1 },
  { collective: "scatter", topology: "path:2000", bytes: 1 },
  { collective: "gather", topology: "ring:2000", bytes: 1 },
  { collective: "all-reduce", topology: "torus:30x30", bytes: 900 },
  { collective: "broadcast", topology: "torus:30x30", bytes: 64, packets: 10 },
  { collective: "all-to-all", topology: "path:60", bytes: 1 },
  { collective: "all-to-all", topology: "torus:12x12", bytes: 1 },
  { collective: "broadcast", topology: "path:2000", bytes: 4096, tau_ns_per_byte: 1, beta_ns: 100 },
];

for (const request of long) {
  test(`no stack overflows: ${request.collective} on ${request.topology}${request.beta_ns ? " with links that take time" : ""}`, async () => {
    const { error, report } = await ask(request);
    assert.equal(error, undefined);
    assert.equal(report.verified ?? true, true);
  });
}
