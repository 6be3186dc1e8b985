// Sizes have 32 bits in the module: what does not fit is refused with the right figures, and the module goes on.

import assert from "node:assert/strict";
import test from "node:test";
import { Module, asked, compiled } from "./module.mjs";

/** What is wrong with this request, and that the same instance still runs a small one. */
async function refusal(request) {
  const instance = await Module.start(compiled);
  const { done, error } = asked(instance, request);
  assert.ok(!done, JSON.stringify(request));
  assert.ok(asked(instance, { collective: "broadcast", topology: "hypercube:3" }).done);
  return error;
}

test("numbers that no size can hold are refused, not cut", async () => {
  const network = { collective: "broadcast", topology: "hypercube:3" };
  for (const [key, value, allowed] of [
    ["packets", 2 ** 32 + 1, "0 to 4294967295 are allowed"],
    ["packets", "18446744073709551617", "0 to 4294967295 are allowed"],
    ["bytes", 2 ** 32 + 1, "at most 2^31 bytes are allowed"],
    ["bytes", "4GiB", "at most 2^31 bytes are allowed"],
    ["groups", 2 ** 32 + 1, "1 to 2147483648 are allowed"],
  ]) {
    const { kind, message } = await refusal({ ...network, [key]: value });
    assert.equal(kind, "input");
    assert.ok(message.includes(allowed), message);
  }
  const { message } = await refusal({ collective: "matrix-transpose", topology: "hypercube:2", rows: 2 ** 32 + 4, columns: 4 });
  assert.ok(message.includes("1 to 4294967295 are allowed"), message);
});

test("data of more than memory holds are refused: what is counted of them would not fit", async () => {
  for (const [request, limit] of [
    [{ collective: "all-to-all", topology: "hypercube:10", bytes: "64KiB" }, "at most 2^30 bytes"],
    [{ collective: "broadcast", topology: "hypercube:16", bytes: "65536" }, "at most 2^30 bytes"],
    [{ collective: "broadcast", topology: "hypercube:3", bytes: "2GiB", packets: 4294967295 }, "at most 2^30 bytes"],
    [{ collective: "matrix-transpose", topology: "hypercube:2", rows: 65536, columns: 65536 }, "at most 2^28 elements"],
  ]) {
    const { message } = await refusal(request);
    assert.ok(message.includes(limit), message);
  }
});

test("estimates that do not fit in 32 bits are given whole", async () => {
  const { message } = await refusal({ collective: "all-to-all", topology: "hypercube:15", bytes: 1 });
  const bytes = /would need (\d+) bytes/.exec(message);
  assert.ok(bytes && Number(bytes[1]) > 2 ** 31, message);
  const { message: network } = await refusal({ collective: "broadcast", topology: "hypercube:24", bytes: 1 });
  const needed = /would need (\d+) bytes/.exec(network);
  assert.ok(needed && Number(needed[1]) > 2 ** 32, network);
});
