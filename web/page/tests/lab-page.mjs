// The lab's page with the module in it, as `dcube lab --html` makes it, and the actions of tests on it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { drawn, hooks } from "./browser.mjs";

const built = (path) => fileURLToPath(new URL(`../../../build/${path}`, import.meta.url));
const module = process.env.DCUBE_WASM ?? [built("wasm/web/wasm/dcube.wasm"), built("wasm/dcube.wasm")].find(existsSync);

/** The reason why there is nothing to test; false: there is. In CI, where the module has to be there, its absence is a failure. */
export const missing =
  module && existsSync(module) ? false : "the module is not built: cmake --preset wasm, or DCUBE_WASM names it";
if (missing && process.env.CI) throw new Error(missing);

/** Writes the page into a file; `request` is the first one where the address has none. */
export function writeLab(file, request) {
  const page = readFileSync(new URL("../dist/lab.html", import.meta.url), "utf8");
  const packed = deflateRawSync(readFileSync(module), { level: 9 }).toString("base64");
  writeFileSync(
    file,
    page
      .replace('{"kind":"lab"}', () =>
        request ? `{"kind":"lab","request":${JSON.stringify(request)}}` : '{"kind":"lab"}',
      )
      .replace("<!--dcube:module-->", () => `<script type="text/plain" id="dcube-module">${packed}</script>`),
  );
  return file;
}

/** Opens the lab in a new tab; `problems` has errors, dialogs and requests to anywhere but the page itself. */
export async function openLab(
  browser,
  file,
  { size = [1280, 900], hash = "", dark = false, still = false, touch = false, before } = {},
) {
  const page = await browser.newPage();
  const problems = [];
  page.setDefaultTimeout(120000);
  page.on("console", (message) => {
    if (["error", "warn", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|blob):/.test(request.url()) || (request.url().startsWith("file:") && !request.isNavigationRequest()))
      problems.push(`request: ${request.url()}`);
  });
  await page.setViewport({ width: size[0], height: size[1], deviceScaleFactor: 1, hasTouch: touch });
  await page
    .emulateMediaFeatures([
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: still ? "reduce" : "no-preference" },
    ])
    .catch(() => undefined); // not in Firefox
  if (before) await page.evaluateOnNewDocument(before);
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector("body[data-ready]");
  await page.evaluate(hooks);
  return { page, problems };
}

/** The page's texts: the line of the result, the error, the film's title, and the address without "#". */
export const said = (page) =>
  page.evaluate(() => {
    const text = (selector) => {
      const one = document.querySelector(selector);
      return one && one.checkVisibility() ? one.textContent : "";
    };
    return {
      state: document.querySelector(".lab-state").textContent,
      wrong: text(".lab-wrong"),
      title: document.querySelector(".player h1")?.textContent ?? "",
      stale: document.querySelector("main").hasAttribute("data-stale"),
      address: decodeURIComponent(location.hash.slice(1)),
      field: document.querySelector(".lab-field.wrong")?.dataset.key ?? null,
    };
  });

export const field = (key, twin = false) =>
  `.lab-field[data-key="${key}"] ${twin ? ".twin :is(input, select)" : "label:not(.twin) :is(input, select)"}`;

/** Types or chooses a value. */
export async function fill(page, key, value, twin = false) {
  const place = field(key, twin);
  await page.$eval(
    place,
    (one, value) => {
      const more = one.closest("details");
      if (more) more.open = true;
      if (one.type === "checkbox") one.checked = value;
      else if (one.tagName === "SELECT" && ![...one.options].some((option) => option.value === value))
        one.append(new Option(value, value));
      if (one.type !== "checkbox") one.value = value;
      one.dispatchEvent(new Event(one.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
    },
    value,
  );
}

/** Nothing runs any longer. */
export async function finished(page) {
  await page.waitForFunction(() => !window.dcubeLab.lab.busy);
  await drawn(page);
}

export async function run(page) {
  await page.evaluate(() => {
    void window.dcubeLab.lab.run();
  });
  await finished(page);
  return said(page);
}
