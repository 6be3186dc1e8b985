// No file of src/ imports itself, directly or not: files can then be read one after the other.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../src", import.meta.url));
// Node 18.13, which Debian 12 began with, reads no folder with all that is in it.
const below = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? below(join(folder, one.name)) : [join(folder, one.name)],
  );
const files = below("").filter((name) => name.endsWith(".ts"));
const importsOf = (file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^(?:import|export)\b[^;]*? from "(\.[^"]*)";/gm)].map(
    ([, path]) => relative(root, join(root, dirname(file), `${path}.ts`)),
  );

/** The files of a cycle, or null. */
function cycleIn(graph) {
  const done = new Set();
  const way = [];
  const visit = (file) => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    way.push(file);
    for (const next of graph.get(file) ?? []) {
      // texts have none
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    way.pop();
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return null;
}

test("no file imports itself, directly or by others; types count", () => {
  assert.deepEqual(
    cycleIn(
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ),
    ["b", "c", "b"],
  );
  const graph = new Map(files.map((file) => [file, importsOf(file)]));
  assert.ok([...graph.values()].flat().length > 200);
  assert.equal(cycleIn(graph), null);
});
