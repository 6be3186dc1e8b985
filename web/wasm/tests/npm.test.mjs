// The npm package beside the native program: the same texts but for times and what is said of the host, the same exit
// codes, the same files.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { brotliDecompressSync, inflateRawSync } from "node:zlib";
import { ofEachEntry } from "./catalogue.mjs";
import { Module, asked, built, root } from "./module.mjs";
import { dcube } from "./natively.mjs";

const npm = `${built}/../npm`;
const { Program } = await import(`${npm}/package/host.mjs`);
const module = brotliDecompressSync(readFileSync(`${npm}/package/dcube.wasm.br`));
const program = new Program(module);
const manifest = JSON.parse(readFileSync(`${npm}/package/package.json`, "utf8"));

const folder = mkdtempSync(join(tmpdir(), "dcube-npm-"));
process.chdir(folder);
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const ENVIRONMENT = { COLUMNS: "80", NO_COLOR: "1" };

/** {code, out, err} of a command line in the package. */
function inPackage(words) {
  const parts = { 1: [], 2: [] };
  const code = program.run(words, { write: (stream, bytes) => parts[stream].push(Buffer.from(bytes)), environment: ENVIRONMENT });
  return { code, out: Buffer.concat(parts[1]).toString(), err: Buffer.concat(parts[2]).toString() };
}

/** The same of the native program. */
async function ofProgram(words, input = "") {
  const child = spawn(dcube, words, { env: ENVIRONMENT });
  const parts = { out: [], err: [] };
  child.stdout.on("data", (part) => parts.out.push(part));
  child.stderr.on("data", (part) => parts.err.push(part));
  child.stdin.on("error", () => {}).end(input);
  const [code] = await once(child, "close");
  return { code, out: Buffer.concat(parts.out).toString(), err: Buffer.concat(parts.err).toString() };
}

/** Of the text of a run, without the rows that differ from one run to the next. */
function withoutMeasured(text) {
  return text.replace(/^(wall time|speed|peak memory|memory|planning) .*\n( {15}.*\n)*/gm, "");
}

/** Of a table with times of runs: these are the last column. */
const withoutWall = (text) => text.replace(/ +[\d.]+(e[+-]\d+)? (ns|us|ms|s)$/gm, "");

const same = (text) => text;

async function compare(words, alike = same) {
  const [mine, other] = [inPackage(words), await ofProgram(words)];
  for (const one of [mine, other]) one.out = alike(one.out);
  assert.deepEqual(mine, other, words.join(" "));
  return mine;
}

const OPTIONS = { tau_ns_per_byte: "--tau", beta_ns: "--beta" };

/** The command line of a request. */
function commandOf({ collective, ...keys }) {
  return ["run", collective, ...Object.entries(keys).flatMap(([key, value]) => [OPTIONS[key] ?? `--${key.replaceAll("_", "-")}`, Array.isArray(value) ? value.join("\n") : `${value}`])];
}

test("every entry of the catalogue has the same report, with the same digest", async () => {
  const all = ofEachEntry();
  assert.ok(all.length > 100, `${all.length} entries`);
  for (const one of all) {
    const { code, out, err } = await compare([...commandOf(one), "--verbose", "--threads", "1", "--repeat", "1"], withoutMeasured);
    assert.equal(code, 0, `${JSON.stringify(one)}: ${err}`);
    assert.match(out, /^digest {9}[0-9a-f]{16}, /m);
    assert.match(out, /^verified /m);
  }
});

const GRAPH = "0 1\n1 2\n2 3\n3 0\n0 2\n";
writeFileSync("graph.txt", GRAPH);
writeFileSync("data", Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7) % 251)));
writeFileSync("empty", "");
writeFileSync("own.jsonl", '{"step":1,"from":0,"to":1,"pieces":[{"origin":0}]}\n{"step":2,"from":0,"to":2}\n{"step":2,"from":1,"to":3}\n');
writeFileSync("wrong.jsonl", '{"step":1,"from":1,"to":0,"pieces":[{"origin":0}]}\n');
mkdirSync("inner");
symlinkSync("circle", "circle");

const NATIVE = ["bench", "scale", "limits", "self-test", "export"];

const WORDS = [
  "--version=3", "help run", "help lab", "--nothing", "run --help", "compare --help", "lab --help",
  "run", "run all-to-all", "run all-to-all --dim", "run all-to-all --dim 99", "run all-to-all --dim 3 --dim 4", "run all-to-none --dim 3",
  "run all-to-all --dim 3 --algorithm nothing", "run all-to-all --dim 3 --byts 4", "run all-to-all --topology torus:3x", "run all-to-all --dim 3 -q",
  "run broadcast --dim 3 --fail-link 0-1@1", "run all-to-all --topology graph:missing --dry-run", "run all-to-all --topology graph:inner --dry-run",
  "run broadcast --dim 2 --algorithm @missing", "run permute --dim 3 --permutation @missing",
  "run broadcast --dim 2 --input missing", "run broadcast --dim 2 --input inner", "run broadcast --dim 2 --input empty", "run broadcast --dim 2 --bytes 8 --input data",
  "run broadcast --dim 2 --output missing/out", "run broadcast --dim 2 --output inner", "run broadcast --dim 2 --output graph.txt/out", "run broadcast --dim 2 --input data --trace data", "run broadcast --dim 2 --output a --trace ./a",
  "compare broadcast", "info", "info --topology petersen", "info --dim 5", "info --topology graph:graph.txt --json", "info --topology mesh:3x4 --without-link 0-1",
  "list", "list --format markdown", "list machines", "list keys", "list fields", "list bench-fields", "list trace-fields", "list limits-fields", "list --collective broadcast",
  "explain", "explain L5", "explain spsc", "explain optimal --collective all-to-all --dim 4", "explain wave --dim 3 --tau 1 --beta 10", "explain nothing",
  "view all-to-all --dim 2", "view scatter --dim 3 --machine ncube3", "view broadcast --dim 2 --versus-topology complete:4", "view --trace own.jsonl broadcast --dim 2", "view --board broadcast --dim 3",
  "verify own.jsonl broadcast --dim 2", "verify own.jsonl broadcast --dim 2 --json", "verify wrong.jsonl broadcast --dim 2", "verify wrong.jsonl broadcast --dim 2 --json", "verify own.jsonl", "verify missing", "verify inner", "verify empty broadcast --dim 2",
  "histogram --dim 3 --bins 16 --input data", "histogram --dim 3 --bins 16 --input data --format csv", "histogram --dim 3", "histogram --dim 2 --bins 999 --input data",
  "lab --dim 3 --print-request", "lab all-reduce --topology graph:graph.txt*path:2 --packets 6 --print-request", "lab all-to-none", "lab --module data",
  "test", "demo x", "python",
];

test("commands, help and errors are the same, with the same exit codes", async () => {
  const codes = new Set();
  for (const line of WORDS) {
    const { code, err } = await compare(line === "" ? [] : line.split(" "));
    codes.add(code);
    if (code !== 0) assert.match(err, /^(dcube: [^\n]+\n)+$/, line);
  }
  assert.deepEqual([...codes].sort(), [0, 1, 2]);
});

test("tables, replays and runs of files are the same but for times", async () => {
  for (const line of ["compare broadcast --dim 3 --bytes 192 --tau 1 --beta 10", "compare all-to-all --topology torus:3x3 --ports one", "compare scatter --dim 2 --format csv --dry-run"])
    await compare(`${line} --threads 1`.split(" "), withoutWall);
  for (const line of ["replay own.jsonl broadcast --dim 2 --verbose", "replay wrong.jsonl broadcast --dim 2", "run broadcast --dim 3 --input data --verbose", "run broadcast --dim 2 --trace-format table", "run broadcast --dim 3 --explain --dry-run --tau 1 --beta 5/2", "run gather --dim 2 --bytes 1000 --input data", "run all-to-all --topology graph:graph.txt --verbose", "run broadcast --dim 2 --algorithm @own.jsonl"])
    await compare(`${line} --threads 1 --repeat 1`.replace(/((table|dry-run).*) --repeat 1/, "$1").split(" "), withoutMeasured);
});

/** What a command line leaves in a folder of its own: names and contents, by the package and by the program. */
async function written(words, before = {}) {
  const results = [];
  for (const execute of [inPackage, ofProgram]) {
    const place = mkdtempSync(join(folder, "w-"));
    process.chdir(place);
    for (const [name, text] of Object.entries(before)) writeFileSync(name, text);
    const { code, err } = await execute(words);
    results.push({ code, err, files: Object.fromEntries(readdirSync(".").map((name) => [name, readFileSync(name)])) });
    process.chdir(folder);
  }
  return results;
}

test("files are the same: output, traces, matrices, pages, figures", async () => {
  for (const [line, names] of [
    ["run all-to-all --dim 3 --bytes 5 --output out --trace t.jsonl -q", ["out", "t.jsonl"]],
    ["run scatter --dim 3 --input ../data --output out -q", ["out"]],
    ["run reduce --dim 2 --tau 1 --beta 3 --trace t.txt --trace-format table -q", ["t.txt"]],
    ["run matrix-transpose --dim 2 --rows 8 --columns 8 --output a.npy -q", ["a.npy"]],
    ["view all-to-all --dim 3 --html page.html --plain --svg figure.svg", ["figure.svg", "page.html"]],
    ["view --board broadcast --dim 3 --html board.html --plain", ["board.html"]],
    ["help --man-pages .", null],
  ]) {
    const [mine, other] = await written(line.split(" "));
    assert.equal(mine.code, 0, mine.err);
    assert.equal(mine.err, other.err, line);
    if (names === null) continue;
    assert.deepEqual(Object.keys(mine.files), names);
    for (const name of names) assert.ok(mine.files[name].equals(other.files[name]), `${line}: ${name}`);
  }
});

const unpacked = (page) => page.toString().replace(/"(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"/g, (text) => {
  try {
    return inflateRawSync(Buffer.from(text.slice(1, -1), "base64")).toString("hex");
  } catch {
    return text;
  }
});

test("a page with compressed columns has the same columns", async () => {
  const [mine, other] = await written("view all-to-all --dim 4 --html page.html".split(" "));
  assert.equal(mine.code, 0, mine.err);
  assert.equal(unpacked(mine.files["page.html"]), unpacked(other.files["page.html"]));
});

test("a command that fails leaves what was there, and nothing else", async () => {
  for (const line of ["run broadcast --dim 3 --algorithm recursive-doubling --fail-link 0-1@1 --output out --trace t.jsonl", "run broadcast --dim 99 --output out", "view all-to-all --dim 3 --algorithm nothing --html out", "run all-to-all --dim 3 --input out --output t.jsonl --trace out"]) {
    const [mine, other] = await written(line.split(" "), { out: "precious" });
    assert.notEqual(mine.code, 0, line);
    assert.deepEqual({ ...mine, files: {} }, { ...other, files: {} }, line);
    assert.deepEqual(mine.files, { out: Buffer.from("precious") }, line);
    assert.deepEqual(mine.files, other.files);
  }
});

test("links are followed, modes are kept, and devices are written directly", () => {
  writeFileSync("target", "old", { mode: 0o640 });
  symlinkSync("target", "link");
  const run = (file) => inPackage(["run", "broadcast", "--dim", "2", "--bytes", "4", "-q", "--output", file]);
  assert.equal(run("link").code, 0);
  assert.equal(readFileSync("target").length, 16);
  assert.equal(statSync("target").mode & 0o777, 0o640);
  assert.equal(run("/dev/null").code, 0);
  assert.equal(run("circle").code, 2);
  assert.ok(statSync("/dev/null").isCharacterDevice());
  assert.match(inPackage(["run", "broadcast", "--dim", "2", "--input", "target", "--output", "link", "--trace", "target"]).err, /name the same file/);
});

test("help and errors name the commands that are there", async () => {
  const there = /^ {2}([a-z-]+) {2,}/gm;
  const named = ({ out }) => [...out.matchAll(there)].map(([, name]) => name);
  assert.deepEqual(named(inPackage(["help"])), named(await ofProgram(["help"])).filter((name) => !NATIVE.includes(name)));
  for (const words of [[], ["nothing"]]) {
    const [mine, other] = [inPackage(words), await ofProgram(words)];
    const without = NATIVE.reduce((text, name) => text.replace(`, ${name},`, ","), other.err);
    assert.deepEqual(mine, { ...other, err: without });
  }
});

test("commands that are not there are refused in one line that says what has them", () => {
  for (const name of NATIVE) {
    const { code, out, err } = inPackage([name, "all-to-all", "--dim", "3"]);
    assert.deepEqual({ code, out }, { code: 2, out: "" }, name);
    assert.equal(err, `dcube: ${name} is not in dcube's npm package, which is for learning, not for measuring: in dcube's source folder, ./dcube ${name} builds the program that has it\n`);
  }
  for (const [line, expected] of [["run all-to-all --dim 3 --ranks 2", /--ranks needs processes and MPI/], ["run all-to-all --dim 3 --plan-cache inner", /has no files/]]) {
    const { code, err } = inPackage(line.split(" "));
    assert.equal(code, 2, line);
    assert.match(err, expected);
  }
});

test("the lab's page has the package's module, which answers as the page asks", async () => {
  const { code, out } = inPackage(["lab", "all-to-all", "--dim", "3", "--html", "lab.html"]);
  assert.deepEqual({ code, out }, { code: 0, out: "lab.html\n" });
  const [, packed] = /id="dcube-module">([^<]+)</.exec(readFileSync("lab.html", "utf8"));
  const unpackedModule = inflateRawSync(Buffer.from(packed, "base64"));
  assert.ok(unpackedModule.equals(module));
  const instance = await Module.start(await Module.compile(unpackedModule));
  const { done, report } = asked(instance, { collective: "all-to-all", topology: "hypercube:3" });
  assert.ok(done);
  assert.equal(report.steps, 4);
});

test("the package is small, of the program's version, and needs no other", () => {
  assert.equal(inPackage(["--version"]).out.split("\n")[0], `dcube ${manifest.version}`);
  const archive = `${npm}/dcube-${manifest.version}.tgz`;
  assert.ok(statSync(archive).size < 1_200_000, `${statSync(archive).size} bytes`);
  assert.deepEqual(readdirSync(`${npm}/package`).sort(), ["LICENSE", "NOTICE", "README.md", "dcube.mjs", "dcube.wasm.br", "host.mjs", "package.json"]);
  assert.equal(manifest.dependencies, undefined);
  const header = readFileSync(`${root}include/dcube/version.hpp`, "utf8");
  assert.equal(manifest.version, [...header.matchAll(/#define DCUBE_VERSION_[A-Z]+ (\d+)/g)].map(([, number]) => number).join("."));
});

test("as a process: streams, standard input, and a reader that has gone", async () => {
  const bin = `${npm}/package/${manifest.bin.dcube}`;
  const node = (words, input = "") => new Promise((done) => {
    const child = execFile(process.execPath, [bin, ...words], { env: { ...process.env, ...ENVIRONMENT } }, (error, out, err) => done({ code: error?.code ?? 0, out, err }));
    child.stdin.end(input);
  });
  const lines = readFileSync("own.jsonl", "utf8");
  assert.deepEqual(await node(["verify", "-", "broadcast", "--dim", "2"], lines), await ofProgram(["verify", "-", "broadcast", "--dim", "2"], lines));
  assert.deepEqual(await node(["run"]), await ofProgram(["run"]));
  const shell = (line) => new Promise((done) => execFile("sh", ["-c", line], { env: { ...process.env, NODE: process.execPath, BIN: bin } }, (_, out, err) => done({ out, err })));
  assert.deepEqual(await shell('"$NODE" "$BIN" run broadcast --dim 2 --bytes 4 -q --output /dev/stdout | wc -c'), { out: "16\n", err: "" });
  const { out, err } = await shell('"$NODE" "$BIN" list fields | head -n 1');
  assert.deepEqual({ lines: out.split("\n").length, err }, { lines: 2, err: "" });
});
