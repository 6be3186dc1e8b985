// For all readers: axe-core in both themes and sizes, a tree that a screen reader can use, forced colours, large text.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, open, SIZES, state, violations } from "./browser.mjs";
import { pageOfRun, timedBroadcast } from "./documents.mjs";
import { some } from "./thorough.mjs";

let browser;
const cube = join(folder, "access.html");
const timed = join(folder, "access-timed.html");
const large = join(folder, "access-large.html");
before(async () => {
  browser = await launch();
  pageOfRun(cube, ["all-to-all", "--dim", "3"]);
  pageOfRun(timed, timedBroadcast);
  pageOfRun(large, ["all-to-all", "--dim", "7"]);
});
after(() => browser.close());

for (const [name, file] of Object.entries({ cube, timed, large })) {
  test(`${name}: axe-core finds nothing`, async () => {
    const all = [
      ["laptop", true],
      ["laptop", false],
      ["phone", true],
    ];
    const few = { cube: [all[1], all[2]], timed: [all[0]], large: [all[1]] };
    for (const [size, dark] of some(all, few[name])) {
      const { page } = await open(browser, file, { size: SIZES[size], dark, still: true, hash: "#step=2&node=1" });
      assert.deepEqual(await violations(page), [], `${size}, ${dark ? "dark" : "light"}`);
      await page.keyboard.press("?");
      assert.deepEqual(await violations(page), [], "help");
    }
  });
}

test("axe-core would find what is wrong", async () => {
  const { page } = await open(browser, cube);
  await page.evaluate(() => document.querySelector("main").append(document.createElement("button")));
  assert.deepEqual(
    (await violations(page)).map((text) => text.split(":")[0]),
    ["button-name"],
  );
});

test("what is said to those who do not see it", async () => {
  const { page } = await open(browser, cube, { hash: "#step=2" });
  await page.evaluate(() => window.dcube.rested()); // the list is brought up to date then
  assert.match(await page.$eval(".stage canvas[role=img]", (canvas) => canvas.getAttribute("aria-label")), /Step 2\./);
  assert.match(await page.$eval("[aria-live]", (live) => live.textContent), /^Step 2\./);
  assert.match(
    await page.$eval("[role=slider]", (slider) => slider.getAttribute("aria-valuetext")),
    /^step 2 of 4, 24 of 24 links$/,
  );
  const nodes = await page.$$eval(".list button", (buttons) => buttons.map(({ textContent }) => textContent));
  assert.equal(nodes.length, 8);
  assert.match(nodes[5], /^node 5, has \d of 8 blocks/);
  assert.equal((await page.$$(".list tbody tr")).length, 24);
});

test("the keyboard goes from node to node along links", async () => {
  const { page } = await open(browser, cube);
  await drawn(page); // the list's words come with the picture
  await page.focus(".list button");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^node 1\b/);
  await page.keyboard.press("ArrowUp");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^node [35]\b/);
  await page.keyboard.press("Enter");
  assert.match((await state(page)).selection, /^node [35]$/);
  assert.equal((await state(page)).stop, 0, "arrows in the list do not step");
});

test("forced colours and large text", async () => {
  const { page, problems } = await open(browser, cube, { hash: "#step=2" });
  const client = await page.createCDPSession();
  await client.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  await drawn(page);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
    document.body.style.fontSize = "200%";
  });
  await drawn(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  assert.deepEqual(problems, []);
  await client.detach(); // the next page of this tab has its usual colours
});
