// Large networks: drawn on demand, summarised, or only counted; each says so, and works by keyboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, open, SIZES, state, violations } from "./browser.mjs";
import { pageOfRun } from "./documents.mjs";
import { some } from "./thorough.mjs";

let browser;
const hundred = join(folder, "hundred.html");
before(async () => {
  browser = await launch();
  pageOfRun(hundred, ["all-to-all", "--topology", "torus:10x10"]);
});
after(() => browser.close());

/** Whether there is a button to predict. */
const offersQuestions = (page) => page.$eval("[aria-label^=predict]", (button) => button.checkVisibility());

test("65 to 128 nodes: summarised, drawn if asked, and back", async () => {
  const { page, problems } = await open(browser, hundred, { hash: "#step=8" });
  assert.deepEqual(await page.evaluate(() => window.dcube.scene()), [null], "a summary at first");
  assert.equal(await page.$eval(".turn", (button) => button.textContent), "Draw all the same");
  assert.equal(await offersQuestions(page), false, "nothing can be tapped in a summary");
  await page.focus(".turn");
  await page.keyboard.press("Enter");
  await drawn(page);
  const [scene] = await page.evaluate(() => window.dcube.scene());
  assert.equal(scene.boxes.length, 100);
  assert.equal(await offersQuestions(page), true);
  assert.equal((await state(page)).layout, 0);
  assert.equal((await state(page)).show, 0, "the blocks of one node, not confetti");
  assert.match(await page.$eval(".film > .list button", (button) => button.textContent), /^node 0\b/);
  assert.equal(await page.$eval(".turn", (button) => button.textContent), "Back to the summary");
  assert.deepEqual(await violations(page), []);
  await page.click(".turn");
  await drawn(page);
  assert.deepEqual(await page.evaluate(() => window.dcube.scene()), [null]);
  assert.deepEqual(problems, []);
  await page.close();
});

test("the summary by keyboard: dots and groups", async () => {
  const { page, problems } = await open(browser, hundred, { hash: "#step=8" });
  const words = () => page.evaluate(() => document.activeElement.textContent);
  await page.focus(".summary .list button");
  assert.equal(await words(), "the block from 0 to 0: arrived");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.match(await words(), /^the block from 1 to 2: /);
  assert.equal((await state(page)).stop, 8, "arrows at the dots do not step");
  await page.keyboard.down("Shift");
  await page.keyboard.press("ArrowDown");
  assert.match(await words(), /^the block from 11 to 2: /);
  await page.keyboard.press("Enter");
  await page.keyboard.up("Shift");
  assert.equal((await state(page)).selection, "node 11");
  await page.keyboard.press("Enter");
  assert.equal((await state(page)).selection, "packet 11-2");
  assert.equal(await page.$eval(".summary .list [role=status]", (live) => live.textContent), await words());
  await page.keyboard.press("Tab");
  assert.match(await words(), /^group 0: has \d+ of 1000/);
  await page.keyboard.press("ArrowRight");
  assert.match(await words(), /^group [19]: /);
  await page.keyboard.press("Enter");
  assert.match((await state(page)).selection, /^group [19]$/);
  assert.match(await page.$eval(".details h2", (heading) => heading.textContent), /^Group [19]$/);
  await page.keyboard.press("PageDown");
  assert.equal((await state(page)).stop, 18, "other keys do what they do elsewhere");
  assert.deepEqual(problems, []);
  await page.close();
});

test("the words of the dots follow the run", async () => {
  const { page } = await open(browser, hundred);
  const word = () => page.$eval(".summary .list button", (button) => button.textContent);
  await page.focus(".summary .list button");
  await page.keyboard.press("ArrowRight");
  assert.equal(await word(), "the block from 0 to 1: 1 hop left");
  await page.evaluate(() => window.dcube.seek(1e6));
  await drawn(page);
  assert.equal(await word(), "the block from 0 to 1: arrived");
  await page.close();
});

for (const [what, args, first] of [
  ["a broadcast", ["broadcast", "--dim", "8", "--packets", "8"], "node 0, packet 1: there"],
  ["an all-gather", ["all-gather", "--dim", "8"], "node 0, the message of node 0: there"],
  ["an all-reduce", ["all-reduce", "--dim", "8"], "node 0: its sum has the share of 0"],
  ["a scatter", ["scatter", "--dim", "8"], "node 0, port 0: nothing"],
]) {
  test(`the summary of ${what} is said, and axe-core finds nothing`, async () => {
    const file = join(folder, "said.html");
    pageOfRun(file, args);
    const { page, problems } = await open(browser, file, {
      dark: what === "a scatter",
      size: what === "an all-reduce" ? SIZES.phone : SIZES.laptop,
    });
    assert.equal(await page.$eval(".summary .list button", (button) => button.textContent), first);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test("more than 2^20 transmissions: counts, which the page says, draws and plays", async () => {
  const file = join(folder, "counts.html");
  pageOfRun(file, ["all-gather", "--topology", "torus:33x32"]);
  for (const dark of some([false, true], [true])) {
    const { page, problems } = await open(browser, file, {
      dark,
      size: dark ? SIZES.phone : SIZES.laptop,
      hash: "#step=80",
    });
    assert.match(
      await page.$eval(".large", (text) => text.textContent),
      /more packets than a page can keep.*4\u202f224 links/,
    );
    const {
      films: [film],
    } = await state(page);
    assert.deepEqual([film.length, film.busy, film.links], [264, 4224, 4224]);
    assert.match(await page.$eval(".proof", (card) => card.textContent), /264 steps/);
    const ink = await page.$eval(
      ".summary canvas",
      (canvas) => new Set(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data).size,
    );
    assert.ok(ink > 8, "the links in use are drawn");
    const box = await page.$eval(".large", (text) => [text.scrollHeight, text.clientHeight]);
    assert.ok(box[0] <= box[1], "the text is not cut");
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test("almost 2^20 transmissions: ready soon, within 300 MB, colour by hops made too", async (context) => {
  const file = join(folder, "million.html");
  pageOfRun(file, ["broadcast", "--dim", "10", "--packets", "1000"]);
  const { page, problems } = await open(browser, file);
  const ready = await page.evaluate(() => performance.now());
  const [{ packets }] = (await state(page)).films;
  assert.ok(packets > 1e6 && packets <= 2 ** 20, `${packets}`);
  const client = await page.createCDPSession();
  const { usedSize, backingStorageSize } = await client.send("Runtime.getHeapUsage");
  const memory = (usedSize + backingStorageSize) / 1e6;
  const age = await page.evaluate(() => {
    const before = performance.now();
    window.dcube.choose({ colour: "age" });
    window.dcube.seek(500);
    return performance.now() - before;
  });
  context.diagnostic(
    `ready after ${ready.toFixed(0)} ms, ${memory.toFixed(0)} MB, colour by hops made after ${age.toFixed(0)} ms`,
  );
  assert.ok(memory < 300, `${memory} MB`);
  assert.deepEqual(problems, []);
  await page.close();
});

test("a film of 262 144 transmissions plays", async () => {
  const file = join(folder, "plays.html");
  pageOfRun(file, ["all-to-all", "--dim", "8"]);
  const { page, problems } = await open(browser, file);
  const [{ packets }] = (await state(page)).films;
  assert.equal(packets, 262144);
  const { now } = await state(page);
  await page.evaluate(() => window.dcube.play());
  await page.waitForFunction((start) => window.dcube.state().now > start, { timeout: 120000 }, now);
  assert.equal((await state(page)).playing, true);
  assert.deepEqual(problems, []);
  await page.close();
});
