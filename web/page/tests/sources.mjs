// The page's sources, as node can import them.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** What these files of src/ export, as one module; it is kept in this folder. */
export async function sources(folder, ...files) {
  const file = join(folder, "sources.mjs");
  const contents = files.map((name) => `export * from "./${name}";`).join("\n");
  await build({
    stdin: { contents, loader: "ts", resolveDir: fileURLToPath(new URL("../src", import.meta.url)) },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    outfile: file,
  });
  return import(file);
}
