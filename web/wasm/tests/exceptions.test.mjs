// One program compiled natively and for WebAssembly, with the exception runtime of web/wasm/exceptions, prints the same.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { built } from "./module.mjs";

/** Runs a WASI program that only prints and exits. */
async function printed(file) {
  let memory;
  let out = "";
  const exit = Symbol("exit");
  const view = () => new DataView(memory.buffer);
  const wasi = {
    fd_write(_file, parts, count, written) {
      let total = 0;
      for (let i = 0; i < count; ++i) {
        const size = view().getUint32(parts + 8 * i + 4, true);
        out += new TextDecoder().decode(new Uint8Array(memory.buffer, view().getUint32(parts + 8 * i, true), size));
        total += size;
      }
      view().setUint32(written, total, true);
      return 0;
    },
    proc_exit(code) {
      throw { exit, code };
    },
  };
  const module = await WebAssembly.compile(readFileSync(file));
  for (const { name } of WebAssembly.Module.imports(module)) wasi[name] ??= () => 52;
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi });
  memory = exports.memory;
  try {
    exports._start();
  } catch (error) {
    if (error.exit !== exit) throw error;
    assert.equal(error.code, 0);
  }
  return out;
}

test("exceptions: what C++ promises happens in WebAssembly as it does natively", async () => {
  const native = execFileSync(`${built}/exceptions_test`, { encoding: "utf8" });
  assert.ok(native.split("\n").length > 100);
  assert.ok(native.endsWith("terminated\n"));
  assert.deepEqual((await printed(`${built}/dcube_exceptions_test.wasm`)).split("\n"), native.split("\n"));
});
