// The form's fields are the table's keys, and the words of an address or an error about a key follow from it.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { before, test } from "node:test";
import { build } from "esbuild";

const src = (file) => fileURLToPath(new URL(`../src/lab/${file}`, import.meta.url));
const load = async (file) => {
  const {
    outputFiles: [{ text }],
  } = await build({ entryPoints: [src(file)], bundle: true, format: "esm", target: "es2022", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
};

let KEYS, FIELDS, fieldOf, request, words;
before(async () => {
  [{ KEYS }, { FIELDS, fieldOf }, request, words] = await Promise.all(
    ["keys.ts", "fields.ts", "request.ts", "words.ts"].map(load),
  );
});

test("every key has one field, except link_model", () => {
  const keys = KEYS.map(({ key }) => key).filter((key) => key !== "link_model");
  assert.deepEqual(FIELDS.map(({ key }) => key).sort(), keys.sort());
  for (const { key, label, about } of FIELDS) assert.ok(label.length > 1 && about.length > 3, key);
  assert.deepEqual([fieldOf("link_model"), fieldOf("graph"), fieldOf("root")], ["tau_ns_per_byte", "topology", "root"]);
});

test("a key that has no place in the row stands behind More, and may differ in a comparison", () => {
  const planned = (name) => FIELDS.find(({ key }) => key === name);
  assert.deepEqual([planned("topology").more, planned("seed").more], [false, true]);
  const alike = FIELDS.filter(({ twin }) => !twin).map(({ key }) => key);
  assert.deepEqual(alike, ["collective", "in_place"]);
});

test("values of an address are of their key's kind", () => {
  const { fromAddress } = request;
  assert.deepEqual(
    fromAddress(
      "packets=4&bytes=4KiB&algorithm=17&permutation=3&in_place=true&tau_ns_per_byte=2&foo=1&program.source=1",
    ),
    {
      ...request.FIRST,
      packets: 4,
      bytes: "4KiB",
      algorithm: "17",
      permutation: "3",
      in_place: true,
      tau_ns_per_byte: "2",
      foo: "1",
      program: { source: "1" },
    },
  );
});

test("an error has labels in place of keys", () => {
  const { errorLine, errorTitle, errorWords } = words;
  const missing = {
    kind: "input",
    message: "peer is missing",
    key: "peer",
    subject: true,
    why: ["is missing: send goes from ", { key: "root" }, " to another node"],
  };
  assert.equal(errorLine(missing), "Peer is missing: send goes from Root to another node");
  const links = {
    kind: "input",
    message: "",
    key: "beta_ns",
    why: ["a packet needs ", { key: "tau_ns_per_byte" }, " and ", { key: "versus" }],
  };
  assert.deepEqual(
    [errorTitle(links), errorWords(links)],
    ["\u03b2, ns per packet: ", "a packet needs \u03c4 and versus"],
  );
  assert.equal(errorTitle({ ...links, subject: true }), "\u03b2 ");
  const board = { kind: "input", message: "", key: "link_model", why: ["a board has steps"] };
  assert.equal(errorTitle(board), "\u03c4, ns per byte: ");
  assert.equal(errorTitle({ ...missing, run: 1 }), "Peer in the second run ");
  assert.equal(errorTitle({ kind: "rule", message: "", run: 1 }), "A rule was broken in the second run: ");
  const rule = { kind: "rule", message: "link-busy in step 1 at node 0, port 0: no", key: null, why: null };
  assert.deepEqual(
    [errorTitle(rule), errorWords(rule), errorLine(rule)],
    ["A rule was broken: ", rule.message, rule.message],
  );
  assert.equal(
    errorLine({
      kind: "input",
      message: "a request is a JSON object, not 17",
      key: null,
      why: ["a request is a JSON object, not 17"],
    }),
    "a request is a JSON object, not 17",
  );
});

test("a report's values have the units of the table", () => {
  const { keyWords, valueWords } = words;
  assert.deepEqual(["tau_ns_per_byte", "virtual_time_ns", "link_bytes", "ns"].map(keyWords), [
    "tau, ns per byte",
    "virtual time, ns",
    "link bytes",
    "ns",
  ]);
  assert.deepEqual(
    [
      valueWords("wall_seconds", 0.0025),
      valueWords("hops_per_second", 1234.56),
      valueWords("ratio_to_bound", 1.25),
      valueWords("link_utilisation", 2 / 3),
      valueWords("busiest_link", { from: 1, constructor: 2 }),
      valueWords("verified", true),
    ],
    ["2.5 ms", "1\u202f235", "1.25", "0.6667", "from 1, constructor 2", "yes"],
  );
});
