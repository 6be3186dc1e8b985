// For tests under node: the module that was built (DCUBE_WASM is its folder, build/wasm/web/wasm unless it is set), and
// web/page/src/lab/module.ts around it.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const built = process.env.DCUBE_WASM ?? `${root}build/wasm/web/wasm`;

/** What a TypeScript file of the page exports. */
export async function bundled(file) {
  const { build } = createRequire(`${root}web/page/package.json`)("esbuild");
  const { outputFiles } = await build({ entryPoints: [`${root}web/page/${file}`], bundle: true, format: "esm", platform: "neutral", target: "es2022", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

export const { Module } = await bundled("src/lab/module.ts");
export const bytes = await readFile(`${built}/dcube.wasm`);
export const compiled = await Module.compile(bytes);

const text = (result) => (result ? new TextDecoder().decode(result) : null);

/** Asks this instance. All results that it has, those in JSON read; `done` is what ask() said. */
export function asked(instance, request) {
  const done = instance.ask(request);
  const results = { done };
  for (const name of ["error", "report", "versus", "document", "explain", "command", "list", "catalogue", "network", "board", "judge"]) {
    const result = text(instance.result(name));
    if (result !== null) results[name] = name === "command" ? result : JSON.parse(result);
  }
  return results;
}

/** Asks an instance of its own, as a page does. */
export async function ask(request, imports) {
  return asked(await Module.start(compiled, imports), request);
}
