// Builds the pages: viewer.html plays runs, lessons among them; bench.html shows a benchmark. A page is one file with one
// style and one script. The script is a classic one at the end of the body, so that it runs from disk and finds the data;
// a content security policy with the hashes of both comes before everything that it governs.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

async function bundled(contents, loader) {
  const { outputFiles: [{ text }] } = await build({
    stdin: { contents, loader, resolveDir: `${root}src` }, bundle: true, minify: true, format: "iife", target: "es2022", charset: "utf8",
    legalComments: "none", write: false,
  });
  return text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

async function made(script, styles) {
  const code = await bundled(`import "./${script}";`, "ts");
  const style = await bundled(styles.map((file) => `@import "./${file}";`).join("\n"), "css");
  if (/<!--|<\/?script/i.test(code) || /<\/style/i.test(style)) throw new Error("the script or the style holds a text that ends or hides it");
  const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return { code, style, page: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>dcube</title>
<style>${style}</style>
</head>
<body>
<main>
<div id="static">
<!--dcube:static-->
</div>
</main>
<!--dcube:data-->
<script>${code}</script>
</body>
</html>
` };
}

mkdirSync(`${root}dist`, { recursive: true });
for (const [file, script, styles] of [
  ["viewer.html", "main.ts", ["style.css", "lesson.css", "slides.css", "print.css", "schedule/schedule.css", "bound/bound.css", "board.css"]],
  ["bench.html", "bench/main.ts", ["style.css", "bench/bench.css"]],
]) {
  const { page, code, style } = await made(script, styles);
  writeFileSync(`${root}dist/${file}`, page);
  console.log(`dist/${file}: ${page.length} characters, script ${code.length}, style ${style.length}`);
}
