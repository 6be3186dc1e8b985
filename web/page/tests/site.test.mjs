// The documents' site, as `./dcube docs` makes it, in a browser and from disk. DCUBE_SITE names its folder; without it these
// tests are skipped.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { launch, violations } from "./browser.mjs";

const site = process.env.DCUBE_SITE ?? "";
const skip = site ? false : "DCUBE_SITE names no folder of the site";
const SIZES = { screen: [1440, 900], tablet: [768, 1024], phone: [360, 740], side: [844, 390] };
const documents = site ? readdirSync(site).filter((name) => name.endsWith(".html")).sort() : [];

let browser;
before(async () => { if (site) browser = await launch(); });
after(() => browser?.close());

/** A page of the site in a tab of its own; `problems` has whatever went wrong or to a network. */
async function opened(name, { size = SIZES.screen, dark = false, script = true } = {}) {
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => { if (["error", "warn"].includes(message.type())) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) problems.push(`request: ${request.url()}`); });
  page.on("requestfailed", (request) => problems.push(`missing: ${request.url()}`));
  await page.setJavaScriptEnabled(script);
  await page.setViewport({ width: size[0], height: size[1], hasTouch: size[0] < 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await page.goto(`file://${join(site, name)}`);
  if (script) await page.waitForSelector("body[data-ready]");
  return { page, problems };
}

const counted = (page) => page.waitForFunction(() => /result|Nothing/.test(document.querySelector(".said [role=status]").textContent));
const results = (page) => page.$$eval(".found a", (all) => all.map((one) => ({
  title: one.querySelector("b").textContent, href: one.getAttribute("href"), kind: one.querySelector(".kind")?.textContent ?? "", chosen: one.ariaSelected,
})));

/** What the search of an open page finds. */
async function found(page, query) {
  if (!(await page.$("dialog.search[open]"))) await page.keyboard.press("/");
  await page.$eval(".search input", (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, query);
  await counted(page);
  return results(page);
}

test("site: every page opens from disk, asks nothing of a network, and fits its window, light and dark", { skip }, async () => {
  assert.ok(documents.length > 20);
  for (const name of documents)
    for (const [size, dark] of [[SIZES.screen, false], [SIZES.phone, true]]) {
      const { page, problems } = await opened(name, { size, dark });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${name} is ${wide} px too wide for ${size}`);
      const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      assert.equal(background, dark ? "rgb(14, 17, 22)" : "rgb(255, 255, 255)");
      assert.deepEqual(problems, [], name);
      await page.close();
    }
});

test("site: the search finds the antipode, and leads to sections that have it", { skip }, async () => {
  const { page, problems } = await opened("index.html");
  const all = await found(page, "antipode");
  assert.equal(all[0].title, "antipode");
  assert.equal(all[0].kind, "word");
  assert.ok(all.some(({ href }) => href.startsWith("tutorial.html#")));
  assert.ok(all.length >= 5);
  for (const { href } of all.slice(0, 5)) {
    await found(page, "antipode");
    await page.evaluate((address) => document.querySelector(`.found a[href="${CSS.escape(address)}"]`).click(), href);
    await page.waitForFunction((address) => location.href.endsWith(address) && document.body.dataset.ready === "", {}, href);
    if (href.startsWith("lessons/")) break;  // another kind of page, without this search
    const section = await page.evaluate(() => {
      const start = document.getElementById(decodeURIComponent(location.hash.slice(1))) ?? document.querySelector("h1");
      if (start.localName === "tr") return start.textContent;
      let text = start.textContent;
      for (let next = start.nextElementSibling; next && !/^h[1-6]$/.test(next.localName); next = next.nextElementSibling) text += next.textContent;
      return text;
    });
    assert.match(section, /antipode/i, href);
    assert.equal(await page.$("dialog.search[open]"), null);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test("site: the search by keyboard: /, Ctrl-K, arrows, Enter, Escape", { skip }, async () => {
  const { page, problems } = await opened("tutorial.html");
  for (const open of [() => page.keyboard.press("/"), async () => {
    await page.keyboard.down("Control");
    await page.keyboard.press("k");
    await page.keyboard.up("Control");
  }]) {
    await open();
    await page.waitForSelector("dialog.search[open]");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "combobox");
    await page.keyboard.type("link");
    await counted(page);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("dialog.search").open);
  }
  await page.evaluate(() => {  // by a script that does not wait for the next frame
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    for (const key of ["/", "Escape", "/"]) press(key);
  });
  assert.ok(await page.$("dialog.search[open]"));
  await page.keyboard.type("lower bound");
  await counted(page);
  const chosen = () => page.$$eval(".found a", (all) => all.findIndex((one) => one.ariaSelected === "true"));
  const count = (await results(page)).length;
  assert.ok(count > 2);
  assert.equal(await chosen(), 0);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await chosen(), 2);
  assert.equal(await page.$eval(".search input", (input) => input.getAttribute("aria-activedescendant")), "found-2");
  for (let i = 0; i < 3; ++i) await page.keyboard.press("ArrowUp");
  assert.equal(await chosen(), count - 1);
  const { href } = (await results(page))[count - 1];
  await page.keyboard.press("Enter");
  await page.waitForFunction((address) => location.href.endsWith(address), {}, href);
  assert.deepEqual(problems, []);
  await page.close();
});

test("site: all words must be there, the last one may be a beginning, and titles come first", { skip }, async () => {
  const { page } = await opened("index.html");
  const titles = async (query) => (await found(page, query)).map(({ title }) => title);
  assert.equal((await titles("glossary"))[0], "Glossary");
  assert.equal((await titles("staircase all-to-all"))[0], "staircase: all-to-all");
  assert.equal((await titles("steps_lower_bound"))[0], "steps_lower_bound");
  assert.ok((await titles("opposite corn")).includes("antipode"));
  assert.deepEqual(await titles("antipode zebra"), []);
  assert.deepEqual(await titles("ntipode"), []);
  const both = await titles("gray code");
  const reversed = await titles("code gray");
  assert.deepEqual([...both].sort(), [...reversed].sort());
  if (existsSync(join(site, "lessons/index.html"))) {
    const lessons = (await found(page, "total exchange")).filter(({ href }) => href.startsWith("lessons/"));
    assert.ok(lessons.length > 0);
  }
  if (existsSync(join(site, "reference/dcube.tag"))) for (const query of ["dcube::Machine::run", "machine run"]) assert.equal((await titles(query))[0], "dcube::Machine::run");
  await page.close();
});

test("site: what is searched for is never markup", { skip }, async () => {
  const hostile = ["<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "javascript:alert(1)", "</mark><b>", "&lt;b&gt;", "(((", "[", "\\", "*", "$&", "a".repeat(10000)];
  for (const query of hostile) {
    const { page, problems } = await opened(`index.html?q=${encodeURIComponent(query)}`);
    await counted(page);
    assert.equal(await page.$eval(".search input", (input) => input.value), query);
    assert.equal(await page.$("dialog.search :is(img, script)"), null);
    for (const { href } of await results(page)) assert.match(href, /^[\w/.-]+\.html(#[^<>"]*)?$/);
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test("site: it is accessible, light and dark, with the search and the contents open", { skip }, async () => {
  for (const [size, dark] of [[SIZES.screen, false], [SIZES.phone, true], [SIZES.tablet, false]])
    for (const name of ["index.html", "algorithms.html", "tutorial.html"]) {
      const { page } = await opened(name, { size, dark });
      assert.deepEqual(await violations(page, ["serious", "critical"]), [], `${name} ${size}`);
      await found(page, "bound");
      assert.deepEqual(await violations(page, ["serious", "critical"]), [], `${name} ${size}, search`);
      await page.keyboard.press("Escape");
      if (size[0] <= 900) {
        await page.click("button.menu");
        await page.waitForSelector(".contents:popover-open");
        assert.deepEqual(await violations(page, ["serious", "critical"]), [], `${name} ${size}, contents`);
      }
      await page.close();
    }
});

test("site: on a phone the contents and the search are whole sheets", { skip }, async () => {
  for (const size of [SIZES.phone, SIZES.side]) {
    const { page, problems } = await opened("command-line.html", { size });
    assert.ok(!(await page.$eval(".contents", (nav) => nav.checkVisibility())));
    await page.click("button.menu");
    await page.waitForSelector(".contents:popover-open");
    await page.keyboard.press("Escape");
    assert.ok(!(await page.$eval(".contents", (nav) => nav.checkVisibility())));
    await page.click("button.to-search");
    await page.waitForSelector("dialog.search[open]");
    const all = await found(page, "trace");
    assert.ok(all.length > 3);
    const inside = await page.$eval("dialog.search", (sheet) => {
      const { left, top, right, bottom } = sheet.getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    });
    assert.ok(inside);
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test("site: colours are chosen by a button and kept; copied is what one types", { skip }, async () => {
  const { page, problems } = await opened("index.html");
  const theme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  assert.equal(await theme(), "light");
  await page.click("button.theme");
  assert.equal(await theme(), "dark");
  await page.reload();
  assert.equal(await theme(), "dark");
  await page.click("button.theme");
  const texts = await page.evaluate(() => [...document.querySelectorAll(".program")].slice(0, 2).map((program) => copied(program)));
  assert.match(texts[0], /^\.\/dcube run [^\n]*\n$/);  // a session, without what is printed
  assert.match(texts[1], /^\.\/dcube run [^\n]*\n\.\/dcube test\n$/);
  const copies = async (allowed) => {
    await page.evaluate((allowed) => {
      navigator.clipboard.writeText = async (text) => {
        if (!allowed) throw new Error("not allowed");
        window.written = text;
      };
    }, allowed);
    await page.hover(".program");
    await page.click(".program .copy");
  };
  await copies(false);
  assert.match(await page.evaluate(() => getSelection().toString()), /^\$ \.\/dcube run|^\.\/dcube run/);
  await copies(true);
  await page.waitForSelector(".copy[data-done]");
  assert.equal(await page.evaluate(() => window.written), texts[0]);
  assert.deepEqual(problems, []);
  await page.close();
});

test("site: without a script it is the same text, with its contents", { skip }, async () => {
  const { page, problems } = await opened("glossary.html", { script: false });
  assert.ok(await page.$("main h1"));
  assert.ok((await page.$$(".contents a")).length > 20);
  assert.ok(await page.$("button.to-search[hidden]"));
  assert.deepEqual(problems, []);
  await page.close();
});

/** What search.js hands to the page. */
const indexOf = () => JSON.parse(readFileSync(join(site, "search.js"), "utf8").replace(/^dcubeSearch\(/, "").replace(/\);\n$/, ""));

/** All files of a folder, by their paths in it. */
function filesIn(folder, top = folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name), top) : [relative(top, join(folder, entry.name))]);
}

test("site: every link leads to a file and to a place in it, in the lessons and in the reference, too", { skip }, () => {
  const files = filesIn(site);
  const known = new Set(files);
  const places = new Map();
  const placesOf = (file) => {
    if (!places.has(file)) places.set(file, new Set([...readFileSync(join(site, file), "utf8").matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => id)));
    return places.get(file);
  };
  let checked = 0;
  const check = (from, link) => {
    const [path, hash] = link.split("#");
    const file = path === "" ? from : join(from, "..", decodeURIComponent(path.split("?")[0]));
    assert.ok(known.has(file), `${from} leads to ${link}, which is missing`);
    if (hash && !hash.includes("=") && file.endsWith(".html")) assert.ok(placesOf(file).has(decodeURIComponent(hash)), `${from} leads to ${link}`);
    ++checked;
  };
  for (const file of files.filter((name) => name.endsWith(".html"))) {
    const markup = readFileSync(join(site, file), "utf8").replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, "");
    const inLesson = /^lessons\/\d/.test(file);
    for (const [, link] of markup.matchAll(/<(?:a|link|img|area|iframe)\s[^>]*?(?:href|src)="([^"]*)"/g))
      if (!/^(\w+:|#$|$)/.test(link) && !(inLesson && link.startsWith("#"))) check(file, link.replaceAll("&amp;", "&"));
  }
  for (const { file, entries } of indexOf()) for (const [anchor] of entries) check("index.html", file + anchor);
  assert.ok(checked > 1000);
});

test("site: the lessons lead back to it", { skip: skip || !existsSync(join(site, "lessons")) }, async () => {
  const page = await browser.newPage();
  await page.goto(`file://${join(site, "lessons/index.html")}`);
  await Promise.all([page.waitForNavigation(), page.click(".home a")]);
  assert.equal(page.url(), `file://${join(site, "index.html")}`);
  await page.close();
});

test("site: how large the index is, and how long a search takes", { skip }, async (context) => {
  const { page } = await opened("index.html");
  const milliseconds = await page.evaluate((pages) => {
    const entries = prepared(pages);
    const queries = ["antipode", "lower bound", "total exchange hypercube", "s", "dcube run all-to-all"];
    const begin = performance.now();
    for (let i = 0; i < 20; ++i) for (const query of queries) search(entries, query);
    return (performance.now() - begin) / 20 / queries.length;
  }, indexOf());
  const bytes = statSync(join(site, "search.js")).size;
  context.diagnostic(`${bytes} bytes, ${milliseconds.toFixed(2)} ms`);
  assert.ok(bytes < 2_000_000);
  await page.close();
});
