// Documents and pages for tests, made of real runs by dcube view, and pages of documents that a test has changed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

const dcube = process.env.DCUBE ?? "dcube";

export function program(...args) {
  const done = spawnSync(dcube, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (done.error) throw done.error;
  return { code: done.status, text: done.stdout, errors: done.stderr };
}

/** The trace of `dcube run ARGS`: its head and its other lines. */
export function traceOf(args) {
  const folder = mkdtempSync(join(tmpdir(), "dcube-page-"));
  const file = join(folder, "trace.jsonl");
  const { code, errors } = program("run", ...args, "--trace", file);
  if (code !== 0) throw new Error(`dcube run ${args.join(" ")}: ${errors}`);
  const [head, ...lines] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  return { head, lines };
}

export function column(values) {
  if (values.every((value) => value === values[0])) return values[0] ?? 0;
  const bytes = [];
  let last = 0;
  for (const value of values) {
    const difference = value - last;
    last = value;
    let code = difference >= 0 ? difference * 2 : -difference * 2 - 1;
    for (; code >= 128; code = Math.floor(code / 128)) bytes.push(code % 128 | 128);
    bytes.push(code);
  }
  const raw = Buffer.from(bytes);
  return { raw: raw.length, data: deflateRawSync(raw).toString("base64") };
}

/** A run on links that take time. */
export const timedBroadcast = "broadcast --dim 3 --bytes 8KiB --link link-bound --tau 1 --beta 1000".split(" ");

/** The page of a run, or of two side by side (`--versus`). */
export function pageOfRun(file, args) {
  const { code, errors } = program("view", ...args, "--html", file);
  if (code !== 0) throw new Error(`dcube view ${args.join(" ")}: ${errors}`);
  return file;
}

/** The document that `dcube view` puts into the page of a run. */
export function documentOf(args) {
  const folder = mkdtempSync(join(tmpdir(), "dcube-page-"));
  const page = readFileSync(pageOfRun(join(folder, "page.html"), args), "utf8");
  rmSync(folder, { recursive: true });
  return JSON.parse(/ id="view-0">(.*?)<\/script>/s.exec(page)[1]);
}

/** A page with these documents in it, as `dcube view` writes it; a document that is a text goes in as it is. */
export function writePage(file, documents, statics = "") {
  const plays = /board\\?":|class="beat/.test(`${JSON.stringify(documents)} ${statics}`) ? "viewer" : "film";
  const page = readFileSync(new URL(`../dist/${plays}.html`, import.meta.url), "utf8");
  const data = documents.map(
    (text, i) =>
      `<script type="application/json" class="dcube-data" id="view-${i}">` +
      `${(typeof text === "string" ? text : JSON.stringify(text)).replaceAll("<", "\\u003c")}</script>`,
  );
  writeFileSync(
    file,
    page
      .replace("<title>dcube</title>", () => "<title>A run</title>")
      .replace("<!--dcube:static-->", () => statics)
      .replace("<!--dcube:data-->", () => data.join("\n")),
  );
  return file;
}
