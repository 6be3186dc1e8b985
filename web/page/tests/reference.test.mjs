// The reference of the public headers in a browser and from disk. DCUBE_REFERENCE names its folder (DCUBE_SITE that of a site
// with it); without them these tests are skipped.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";

const folder = process.env.DCUBE_REFERENCE ?? join(process.env.DCUBE_SITE ?? "", "reference");
const there = (process.env.DCUBE_REFERENCE || process.env.DCUBE_SITE) && existsSync(folder);
const skip = there ? false : "DCUBE_REFERENCE and DCUBE_SITE name no folder of the reference";
const pages = there ? readdirSync(folder).filter((name) => name.endsWith(".html")) : [];

let browser;
before(async () => { if (there) browser = await launch(); });
after(() => browser?.close());

async function opened(name, { width = 1300, dark = false } = {}) {
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => { if (["error", "warn"].includes(message.type())) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) problems.push(`request: ${request.url()}`); });
  page.on("requestfailed", (request) => problems.push(`missing: ${request.url()}`));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await page.goto(`file://${join(folder, name)}`);
  return { page, problems };
}

const background = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(14, 17, 22)";

test("reference: every page opens from disk, asks nothing of a network, and fits its window, light and dark", { skip }, async () => {
  assert.ok(pages.length > 100);
  for (const [width, dark] of [[1300, false], [390, true]]) {
    const { page, problems } = await opened("index.html", { width, dark });
    for (const name of pages) {
      await page.goto(`file://${join(folder, name)}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${name} is ${wide} px too wide for ${width}`);
      assert.equal(await background(page), dark ? DARK : LIGHT);
      assert.deepEqual(problems, [], name);
    }
    await page.close();
  }
});

test("reference: the search finds names, places within types, and says when there are none", { skip }, async () => {
  const { page, problems } = await opened("group__program.html");
  const search = async (text) => {
    await page.$eval("search input", (input, value) => {
      input.value = value;
      input.dispatchEvent(new Event("input"));
    }, text);
    await page.waitForFunction((asked) => document.querySelector("#found").dataset.asked === asked, {}, text);
    return page.$$eval("#found a", (all) => all.map((one) => [one.firstChild.textContent, one.getAttribute("href")]));
  };
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.type), "search");
  const steps = await search("next_step");
  assert.equal(steps[0][0], "next_step");
  assert.match(steps[0][1], /^classdcube_1_1Node\.html#/);
  assert.match((await search("Machine::run"))[0][1], /^classdcube_1_1Machine\.html#/);
  assert.match((await search("judge_list("))[0][1], /^group__judge\.html#/);
  assert.deepEqual(await search("no such name"), []);
  assert.equal(await page.$eval("#found", (list) => list.textContent), "No such name");

  await search("Topology");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.firstChild.textContent), "Topology");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert.match(page.url(), /classdcube_1_1Topology\.html/);
  assert.deepEqual(problems, []);
  await page.close();
});

test("reference: the colours can be changed, and a page knows where it is", { skip }, async () => {
  const { page } = await opened("group__judge.html");
  await page.click("button.theme");
  assert.equal(await background(page), DARK);
  await page.click("button.theme");
  assert.equal(await background(page), LIGHT);
  assert.equal(await page.$eval("nav [aria-current]", (link) => link.textContent), "Judge");
  await page.close();
});
