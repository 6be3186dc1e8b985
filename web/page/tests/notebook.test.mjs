// The page inside an exported notebook: it plays in a frame that may run scripts and nothing else. python/tests/test_notebooks.py
// exports the notebook to the place that DCUBE_NOTEBOOK names.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const notebook = process.env.DCUBE_NOTEBOOK ?? "";
const skip = existsSync(notebook)
  ? false
  : "no exported notebook: run python/tests/test_notebooks.py with DCUBE_NOTEBOOK=FILE";

let browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

/** The notebook's tab, and the pages in its frames once they have started. */
async function opened() {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.setViewport({ width: 1280, height: 900, deviceScaleFactor: 1 });
  await page.goto(pathToFileURL(notebook).href, { waitUntil: "load" });
  const frames = await Promise.all((await page.$$("iframe")).map((frame) => frame.contentFrame()));
  for (const frame of frames) await frame.waitForSelector(".player h1", { timeout: 30000 });
  return { page, frames, problems };
}

test("a step is clicked in each page of the notebook", { skip }, async () => {
  const { page, frames, problems } = await opened();
  assert.ok(frames.length > 0);
  for (const frame of frames) {
    const count = await frame.waitForSelector(".transport .count");
    const shown = () => count.evaluate((text) => text.innerText.trim());
    if (await frame.$(".verdict")) continue; // a run that failed opens where it went wrong
    assert.match(await shown(), /^step 0 of [1-9]/);
    await (await frame.waitForSelector("button[aria-label='one step on']")).click();
    await frame.waitForFunction((text) => text.innerText.startsWith("step 1 "), { timeout: 10000 }, count);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test("the frame is closed in: no origin, no way out", { skip }, async () => {
  const { page, frames } = await opened();
  const sandboxes = await page.$$eval("iframe", (all) => all.map((frame) => frame.getAttribute("sandbox")));
  assert.deepEqual([...new Set(sandboxes)], ["allow-scripts"]);
  for (const frame of frames) assert.equal(await frame.evaluate(() => window.origin), "null");
  await page.close();
});
