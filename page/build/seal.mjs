// Makes a built page safe and its place fixed: the script becomes a classic one at the end of the body, so that it
// runs from disk and finds the data, and a content security policy with the hashes of the one script and the one
// style comes before everything that it governs.
import { createHash } from "node:crypto";

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export function sealed(page) {
  const take = (pattern, what) => {
    const found = [...page.matchAll(pattern)];
    if (found.length !== 1) throw new Error(`the built page has ${found.length} ${what}, not one`);
    page = page.replace(found[0][0], () => "");
    return found[0][1].trim();
  };
  // The compiler has seen that nothing constant is changed; the shorter word will do.
  const script = take(/<script type="module" crossorigin>([\s\S]*?)<\/script>\n?/g, "scripts").replace(/\bconst(?=[ [{])/g, "let");
  const style = take(/<style[^>]*>([\s\S]*?)<\/style>\n?/g, "styles");
  if (/<!--|<\/?script/i.test(script)) throw new Error("the script holds a text that ends or hides scripts");
  const policy = [
    "default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const insert = (before, text) => {
    if (page.split(before).length !== 2) throw new Error(`the built page has not one ${before}`);
    page = page.replace(before, () => text);
  };
  insert('<meta charset="utf-8">\n',
    `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n`);
  insert("</head>", `<style>${style}</style>\n</head>`);
  insert("</body>", `<script>${script}</script>\n</body>`);
  for (const marker of ["<title>dcube</title>", "<!--dcube:static-->", "<!--dcube:data-->"]) insert(marker, marker);
  return { page, sizes: `${page.length} bytes, script ${script.length}, style ${style.length}` };
}
