// node make.mjs VERSION MODULE FOLDER: makes FOLDER/package, the npm package with that module, and its archive in
// FOLDER. The same bytes every time.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const [version, module, folder] = process.argv.slice(2);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const made = `${folder}/package`;

rmSync(made, { recursive: true, force: true });
mkdirSync(made, { recursive: true });
for (const name of ["dcube.mjs", "host.mjs", "README.md"]) copyFileSync(here(name), `${made}/${name}`);
copyFileSync(here("../../LICENSE"), `${made}/LICENSE`);
const notices = [here("../wasm/NOTICE"), here("NOTICE")].map((file) => readFileSync(file, "utf8"));
writeFileSync(`${made}/NOTICE`, notices.join("\n"));

const { name, ...rest } = JSON.parse(readFileSync(here("package.json"), "utf8"));
writeFileSync(`${made}/package.json`, `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);

// A fifth smaller than what npm's archive would make of it.
const bytes = readFileSync(module);
const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
writeFileSync(`${made}/dcube.wasm.br`, brotliCompressSync(bytes, { params }));

execFileSync("npm", ["pack", "--silent", "--offline", "--ignore-scripts", "--pack-destination", folder], {
  cwd: made,
  stdio: ["ignore", "ignore", "inherit"],
});
