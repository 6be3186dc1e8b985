#!/usr/bin/env node
// dcube's command line: the program itself, compiled to WebAssembly.

import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { Program } from "./host.mjs";

const module = brotliDecompressSync(readFileSync(new URL("dcube.wasm.br", import.meta.url)));
process.exitCode = new Program(module).run(process.argv.slice(2));
