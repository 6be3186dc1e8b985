// Builds the pages, into dist/ or the folder that is named: film.html plays runs; viewer.html is for lessons and
// boards; bench.html shows a benchmark; lab.html runs what is asked of it. A page is one file with one style and its
// scripts. They are classic ones at the end of the body, so that they run from disk and find the data; a content
// security policy with the hashes of all comes before everything that it governs.
// lab.js is what lab.html has beside the viewer's script, for lessons, which load it when it is first asked for.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const notice = fileURLToPath(new URL("../../wasm/NOTICE", import.meta.url));

/** Texts that a script has in it: "lab:worker" is a script of its own, the one of the lab's workers, and "lab:cell" that of
    the frame around a program's worker. */
const TEXTS = {
  "lab:cell": () => bundled(`import "./lab/cell.ts";`, "ts"),
  "lab:worker": () => bundled(`import "./lab/worker.ts";`, "ts"),
  "lab:style": () => bundled(`@import "./lab/lab.css"; @import "./lab/editor.css";`, "css"),
  "lab:notice": () => (existsSync(notice) ? readFileSync(notice, "utf8") : ""),
};

const texts = {
  name: "texts",
  setup(on) {
    on.onResolve({ filter: /^lab:/ }, ({ path }) => ({ path, namespace: "texts" }));
    on.onLoad({ filter: /.*/, namespace: "texts" }, async ({ path }) => ({
      contents: await TEXTS[path](),
      loader: "text",
    }));
    on.onLoad({ filter: /\/lab\/examples\/[\w-]+\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8"),
      loader: "text",
    }));
  },
};

async function bundled(contents, loader) {
  const {
    outputFiles: [{ text }],
  } = await build({
    stdin: { contents, loader, resolveDir: `${root}src` },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
    plugins: [texts],
  });
  return text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

async function scriptOf(file) {
  const code = await bundled(`import "./${file}";`, "ts");
  if (/<!--|<\/?script/i.test(code)) throw new Error(`${file} holds a text that ends or hides it`);
  return code;
}

/** A page's parts beside its style and its scripts, and the permissions of its policy beside them. */
const PLAIN = { data: "<!--dcube:data-->", title: "dcube", scripts: "", others: "" };
/** The lab's scripts may compile the module, and start workers from texts of their own. It has no document but its kind. What
    takes the place of dcube:module is <script type="text/plain" id="dcube-module">, with the module gzipped, in base64. */
const LAB = {
  title: "dcube in the browser",
  scripts: " 'wasm-unsafe-eval' blob:",
  others: "; worker-src blob:",
  data: `<!--dcube:module-->\n<script type="application/json" class="dcube-data" id="view-0">{"kind":"lab"}</script>`,
};

/** `framed`: the script of a frame, which is not in the page itself. */
async function pageOf(scripts, framed, styles, { data, title, scripts: allowed, others } = PLAIN) {
  const style = await bundled(styles.map((file) => `@import "./${file}";`).join("\n"), "css");
  if (/<\/style/i.test(style)) throw new Error("the style holds a text that ends it");
  const policy =
    `default-src 'none'; script-src ${[...scripts, ...framed].map(hash).join(" ")}${allowed}${others}; ` +
    `style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return {
    style,
    page: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<div id="static">
<!--dcube:static-->
</div>
</main>
${data}
${scripts.map((code) => `<script>${code}</script>`).join("\n")}
</body>
</html>
`,
  };
}

const dist = process.argv[2] ?? `${root}dist`;
mkdirSync(dist, { recursive: true });
const cell = await TEXTS["lab:cell"]();
const [film, viewer, bench, lab] = await Promise.all(
  ["film.ts", "main.ts", "bench/main.ts", "lab/main.ts"].map(scriptOf),
);
const parts = ["print.css", "schedule/schedule.css", "bound/bound.css", "predict/predict.css"]; // later ones win
const films = ["style.css", ...parts];
const all = ["style.css", "lesson.css", "slides.css", ...parts, "board.css"];
// A page of a film may become a lesson, in which programs run, too.
for (const [file, scripts, framed, styles, what] of [
  ["film.html", [film], [], films, PLAIN],
  ["viewer.html", [viewer], [cell], all, PLAIN],
  ["bench.html", [bench], [], ["style.css", "bench/bench.css"], PLAIN],
  ["lab.html", [lab, viewer], [cell], all, LAB],
]) {
  const { page, style } = await pageOf(scripts, framed, styles, what);
  writeFileSync(`${dist}/${file}`, page);
  console.log(
    `dist/${file}: ${page.length} characters, script ${scripts.map((code) => code.length).join(" + ")}, style ${style.length}`,
  );
}
writeFileSync(`${dist}/lab.js`, lab);
console.log(`dist/lab.js: ${lab.length} characters`);
