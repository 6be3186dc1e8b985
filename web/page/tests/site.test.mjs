// The documents' site, as `./dcube docs` makes it, in a browser and from disk. DCUBE_SITE names its folder; without it these
// tests are skipped.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { some } from "./thorough.mjs";

const site = process.env.DCUBE_SITE ?? "";
const skip = site ? false : "DCUBE_SITE names no folder of the site";
const top = fileURLToPath(new URL("../../..", import.meta.url));
const inFolder = (folder) =>
  readdirSync(join(top, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const documents = ["", "docs", "docs/measurements"].flatMap(inFolder).concat("web/page/README.md");
const pages = documents.map((name) => name.replace(/md$/, "html"));

let browser;
before(async () => {
  if (site) browser = await launch();
});
after(() => browser?.close());

/** A page of the site in a tab of its own; `problems` has errors and requests to a network. */
async function opened(name, { dark = false } = {}) {
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  page.on("requestfailed", (request) => problems.push(`missing: ${request.url()} ${request.failure()?.errorText}`));
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await page.goto(`file://${join(site, name)}`);
  return { page, problems };
}

/** Clicks a link to another page, and waits for that. */
const followed = (page, selector) =>
  Promise.all([page.waitForNavigation(), page.$eval(selector, (link) => link.click())]);

test("site: every document has a page, which opens from disk and asks nothing of a network", { skip }, async () => {
  const { page, problems } = await opened("README.html");
  for (const name of pages) assert.ok(existsSync(join(site, name)), name);
  // One generator makes them all.
  const few = pages.filter((_, index) => index % 4 === 0);
  for (const name of some(pages, few)) {
    await page.goto(`file://${join(site, name)}`);
    assert.deepEqual(problems, [], name);
  }
  await page.close();
});

test("site: its colours are the system's, or chosen by a button and kept", { skip }, async () => {
  const colour = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const { page, problems } = await opened("README.html", { dark: true });
  const dark = await colour(page);
  await page.$eval(".content-icon-container .theme-toggle", (button) => button.click());
  const light = await colour(page);
  assert.deepEqual([dark, light], ["rgb(19, 20, 22)", "rgb(255, 255, 255)"]);
  await page.reload();
  assert.equal(await colour(page), light);
  await page.evaluate(() => localStorage.clear());
  assert.deepEqual(problems, []);
  await page.close();
});

test("site: the search finds the antipode, and leads to a page that has it", { skip }, async () => {
  const { page, problems } = await opened("docs/tutorial.html");
  await page.type("input.sidebar-search", "antipode");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("#search-results li a")].some((link) => link.textContent === "Glossary"),
  );
  await followed(page, "#search-results a[href*='docs/glossary.html']");
  assert.match(await page.$eval("article", (article) => article.textContent), /antipode/);
  assert.deepEqual(problems, []);
  await page.close();
});

test(
  "site: from its first page one comes to every document, to the lessons and back, and to the reference",
  { skip },
  async () => {
    const { page, problems } = await opened("index.html");
    await page.waitForFunction(() => location.pathname.endsWith("/README.html") && document.readyState === "complete");
    const links = await page.$$eval(".sidebar-tree a", (all) => all.map((link) => link.getAttribute("href")));
    assert.deepEqual(
      pages.filter((name) => name !== "README.html" && !links.includes(name)),
      [],
    );
    await followed(page, ".sidebar-tree a[href='lessons/index.html']");
    await followed(page, ".home a");
    await page.waitForSelector(".sidebar-tree");
    await followed(page, ".sidebar-tree a[href='reference/index.html']");
    assert.match(await page.$eval(".title", (title) => title.textContent), /The C\+\+ interface/);
    assert.deepEqual(problems, []);
    await page.close();
  },
);

test(
  "site: every link of a document or a lesson leads to a file and to a place in it, in the reference, too",
  { skip },
  () => {
    const places = new Map();
    const placesOf = (file) => {
      if (!places.has(file))
        places.set(
          file,
          new Set([...readFileSync(join(site, file), "utf8").matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => id)),
        );
      return places.get(file);
    };
    let checked = 0; // but not the links of a lesson's script, and those of Doxygen's pages to each other
    for (const file of readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"))) {
      const inReference = file.startsWith("reference/");
      const markup = readFileSync(join(site, file), "utf8").replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, "");
      const inLesson = /^lessons\/\d/.test(file);
      for (const [, link] of markup.matchAll(/<(?:a|link|img|area|iframe)\s[^>]*?(?:href|src)="([^"]*)"/g)) {
        if (/^(\w+:|#$|$)/.test(link) || (inLesson && link.startsWith("#")) || (inReference && !link.startsWith("../")))
          continue;
        const [path, hash] = link.replaceAll("&amp;", "&").split("#");
        const to = path === "" ? file : join(file, "..", decodeURIComponent(path.split("?")[0]));
        assert.ok(existsSync(join(site, to)), `${file} leads to ${link}, which is missing`);
        if (hash && !hash.includes("=") && to.endsWith(".html"))
          assert.ok(placesOf(to).has(decodeURIComponent(hash)), `${file} leads to ${link}`);
        ++checked;
      }
    }
    assert.ok(checked > 1000);
  },
);
