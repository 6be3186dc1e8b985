// Builds the two pages: drawn.html plays runs on networks that are drawn; viewer.html also shows summaries of large
// ones, and lessons. Most pages need only the first, and stay small.
import { mkdirSync, writeFileSync } from "node:fs";
import { build } from "vite";
import config from "../vite.config.mjs";
import { sealed } from "./seal.mjs";

const root = new URL("..", import.meta.url);
mkdirSync(new URL("dist/", root), { recursive: true });
for (const [file, whole] of [["viewer.html", true], ["drawn.html", false]]) {
  const { output } = await build(config({ root: root.pathname, whole }));
  const { page, sizes } = sealed(output.find(({ fileName }) => fileName === "viewer.html").source);
  writeFileSync(new URL(`dist/${file}`, root), page);
  console.log(`dist/${file}: ${sizes}`);
}
