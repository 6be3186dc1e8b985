// The lessons' pages, as `./dcube demos` makes them, in a browser: every beat is shown, answers are judged.
// DCUBE_LESSONS names their folder; without it these tests are skipped.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SIZES, launch, open, state, violations } from "./browser.mjs";

const lessons = process.env.DCUBE_LESSONS;
const skip = lessons ? false : "DCUBE_LESSONS names no folder of lessons";
const names = lessons ? readdirSync(lessons).filter((name) => /^\d.*\.html$/.test(name)).sort() : [];

let browser;
before(async () => { if (lessons) browser = await launch(); });
after(async () => { await browser?.close(); });

test("the index leads to every lesson and needs no script", { skip }, async () => {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${join(lessons, "index.html")}`);
  assert.equal(requests.length, 1);
  const links = [...readFileSync(join(lessons, "index.html"), "utf8").matchAll(/<h2><a href="([^"]+)"/g)].map(([, file]) => file);
  assert.deepEqual(links, names);
  for (const file of links) assert.ok(existsSync(join(lessons, file)));
  await page.close();
});

for (const name of names) {
  test(`${name}: its beats are shown, and its exercises judged`, async () => {
    const file = join(lessons, name);
    const { page, problems } = await open(browser, file);
    const beats = await page.$$("section.beat");
    for (const beat of beats) {
      const wanted = await beat.evaluate((element) => ({ ...element.dataset }));
      await beat.evaluate((element) => element.querySelector("button.again").click());
      await page.waitForFunction((element) => element.hasAttribute("data-current"), {}, beat);
      await page.waitForFunction((title) => document.querySelector(".player .title")?.textContent === title, {},
        JSON.parse(await page.$eval(`#view-${wanted.view}`, (data) => data.textContent)).title);
      const now = await page.$(".board") ? {} : await state(page);  // a board has no steps to be at
      if (wanted.step !== undefined) assert.equal(now.stop, Number(wanted.step), `${name}, view ${wanted.view}`);
      if (wanted.colour !== undefined) assert.equal(now.colour ?? wanted.colour, wanted.colour);
    }
    for (const form of await page.$$("form.exercise")) {
      const verdicts = await form.evaluate((element) => {
        const judged = (set) => {
          set();
          element.requestSubmit();
          return element.querySelector("output").textContent;
        };
        const input = element.querySelector(".entry input");
        const choose = (right) => () => element.querySelectorAll(".options li").forEach((item) => { item.querySelector("input").checked = item.matches(".right") === right; });
        if (!input) return { wrong: judged(choose(false)), right: judged(choose(true)), hints: [] };
        const typed = (text) => judged(() => { input.value = text; });
        const hints = [...element.querySelectorAll(".hints li")].map((hint) => [typed(hint.dataset.answer), `Not yet. ${hint.textContent}`]);
        return { wrong: typed("no idea"), right: typed(` ${element.dataset.answer} `), hints };
      });
      assert.match(verdicts.wrong, /^Not (yet|this one)\./);
      assert.match(verdicts.right, /^Right\./);
      for (const [said, wanted] of verdicts.hints) assert.equal(said, wanted);
    }
    assert.deepEqual(problems, []);
  });
}

test("lessons are accessible, light and dark, on a laptop and a phone", { skip }, async () => {
  for (const name of ["index.html", names[0], names[5]])
    for (const [size, dark] of [[SIZES.laptop, false], [SIZES.phone, true]]) {
      const page = await browser.newPage();
      await page.setViewport({ width: size[0], height: size[1] });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
      await page.goto(`file://${join(lessons, name)}`);
      if (name !== "index.html") await page.waitForSelector("body[data-ready]");
      assert.deepEqual(await violations(page, ["serious", "critical"]), [], `${name} ${size}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${name} is ${wide} px too wide for ${size}`);
      await page.close();
    }
});

test("a beat that asks keeps its bound back, and the run's length, until somebody has answered", { skip }, async () => {
  const { page } = await open(browser, `${join(lessons, "05-total-exchange.html")}`);
  const beat = (await page.$$("section.beat[data-bound='later']"))[0];
  await beat.evaluate((element) => element.querySelector("button.again").click());
  await page.waitForFunction((element) => element.hasAttribute("data-current"), {}, beat);
  const told = () => page.evaluate(() => [!document.querySelector(".player .proof").hidden, document.querySelector(".player .mark").textContent.length > 0,
    document.querySelector(".player .count span").checkVisibility({ visibilityProperty: true })]);
  assert.deepEqual(await told(), [false, false, false]);
  await beat.evaluate((element) => element.querySelector(".vote input").click());
  assert.deepEqual(await told(), [true, true, true]);
});
