// Builds the pages: drawn.html plays runs on networks that are drawn; viewer.html also shows summaries of large ones, and
// lessons; bench.html shows a benchmark. Most runs need only the first, and stay small.
import { mkdirSync, writeFileSync } from "node:fs";
import { build } from "vite";
import config from "../vite.config.mjs";
import { sealed } from "./seal.mjs";

const root = new URL("..", import.meta.url);
mkdirSync(new URL("dist/", root), { recursive: true });
for (const [file, page, whole] of [["viewer.html", "viewer", true], ["drawn.html", "viewer", false], ["bench.html", "bench", true]]) {
  const { output } = await build(config({ root: root.pathname, page, whole }));
  const made = sealed(output.find(({ fileName }) => fileName === `${page}.html`).source);
  writeFileSync(new URL(`dist/${file}`, root), made.page);
  console.log(`dist/${file}: ${made.sizes}`);
}
