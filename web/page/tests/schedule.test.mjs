// The schedule as a table, and the sliders and plots of lessons (DCUBE_LESSONS names their folder; without it those are skipped).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { drawn, folder, launch, open, state, violations } from "./browser.mjs";
import { pageOfRun } from "./documents.mjs";
import { some } from "./thorough.mjs";

const lessons = process.env.DCUBE_LESSONS;
const skip = lessons ? false : "DCUBE_LESSONS names no folder of lessons";
const WIDE = [1280, 900];
const PHONE = [390, 844];

let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});

let made = 0;
const show = (args, hash, options = {}) =>
  open(browser, pageOfRun(join(folder, `schedule-${made++}.html`), args.split(" ")), { size: WIDE, ...options, hash });

/** The table as it stands there: heads of its rows, and the texts and classes of its cells. */
const table = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".schedule tbody tr")].map((row) => ({
      head: row.querySelector("th").textContent,
      cells: [...row.querySelectorAll("td")].map((place) =>
        [...place.querySelectorAll("button")].map((button) => ({
          text: button.textContent,
          marked: button.classList.contains("marked"),
          later: button.classList.contains("later"),
          colour: getComputedStyle(button).backgroundColor,
        })),
      ),
    })),
  );
const texts = (rows) => rows.map(({ cells }) => cells.map((cell) => cell.map(({ text }) => text).join()));
const columns = (rows) => rows[0].map((_, i) => rows.map((row) => row[i]));
const words = (page) => page.$eval(".schedule .words", (part) => part.textContent);
const slide = async (page, selector, value) => {
  await page.$eval(
    selector,
    (input, value) => {
      input.value = String(value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    value,
  );
  await drawn(page);
};

test("the staircase: every column and every row has each port once, and a turn is a column to the right", async () => {
  const light = [WIDE, false];
  const phone = [PHONE, true];
  for (const [size, dark] of some([light, phone], [phone])) {
    const { page, problems } = await show("all-to-all --dim 3 --algorithm staircase", "#table=2&step=2", {
      size,
      dark,
    });
    const rows = await table(page);
    assert.equal(rows.length, 4);
    for (const line of [...texts(rows), ...columns(texts(rows))])
      assert.deepEqual(line.filter(Boolean).sort(), ["0", "1", "2"]);
    assert.match(await words(page), /In every column each port once: no link ever rests/);
    const marked = async () =>
      (await table(page))
        .flatMap(({ cells }) =>
          cells.flatMap((cell, column) => cell.filter((one) => one.marked).map(({ text }) => `${column}.${text}`)),
        )
        .sort();
    let last = null;
    for (let turn = 1; turn <= 4; turn++) {
      await slide(page, ".schedule .range input", turn);
      const now = await marked();
      assert.equal(now.length, 3);
      if (last) assert.deepEqual(now, last.map((place) => `${(Number(place[0]) + 1) % 4}.${place[2]}`).sort());
      last = now;
    }
    assert.equal((await state(page)).turn, 4);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} px too wide at ${size}`);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
  }
});

test("a cube's table is the smaller cube's, with a 0 and with a 1 in front, and a bridge", async () => {
  const { page: small } = await show("all-to-all --dim 3 --algorithm optimal", "#table=1");
  const three = texts(await table(small));
  const { page } = await show("all-to-all --dim 4 --algorithm optimal", "#table=1&step=3");
  const rows = texts(await table(page));
  assert.deepEqual(
    rows.slice(0, 3),
    three.map((row) => [...row.map((name) => `0${name}`), ...row.map((name) => `1${name}`)]),
  );
  assert.ok(rows[3].every((name) => name.startsWith("1")));
  assert.match(await words(page), /the 3-cube's own table, with a 0 in front.*All 32 cells are taken/);
  const now = await page.$$eval(".schedule thead .now", (heads) => heads.map(({ textContent }) => textContent));
  assert.deepEqual(now, ["3"]);
  // Names are seen whole, and no cell lies on another.
  const boxes = await page.$$eval(".schedule td", (cells) =>
    cells.map((cell) => {
      const { left, top, right, bottom } = cell.getBoundingClientRect();
      return [left, top, right, bottom];
    }),
  );
  boxes.forEach((a, i) =>
    boxes.slice(i + 1).forEach((b) => assert.ok(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1])),
  );
});

test("a scatter's queues are turned around the ports", async () => {
  const { page } = await show("scatter --dim 4", "#table=1&turn=1");
  for (const [turn, name] of ["0111", "1110", "1101", "1011"].entries()) {
    await slide(page, ".schedule .range input", turn + 1);
    const marked = (await table(page)).flatMap(({ head, cells }) =>
      cells
        .flat()
        .filter((one) => one.marked)
        .map(({ text }) => [head, text]),
    );
    assert.deepEqual(marked, [[String(turn), name]]);
  }
});

test("jobs against machines: no step and no colour is twice in a row or a column, and playing colours them", async () => {
  const { page } = await show("all-to-all --topology torus:3x3", "#table=3&step=2");
  const rows = await table(page);
  assert.equal(rows.length, 8);
  for (const line of [...rows.map(({ cells }) => cells), ...columns(rows.map(({ cells }) => cells))]) {
    const steps = line.flat().map(({ text }) => text);
    assert.equal(new Set(steps).size, steps.length);
    const colours = line
      .flat()
      .filter(({ later }) => !later)
      .map(({ colour }) => colour);
    assert.equal(new Set(colours).size, colours.length);
  }
  for (const { text, later } of rows.flatMap(({ cells }) => cells.flat())) assert.equal(later, Number(text) > 2);
  await page.evaluate(() => window.dcube.seek(3));
  assert.equal((await table(page)).flatMap(({ cells }) => cells.flat()).filter(({ later }) => later).length, 0);
});

test("keys: T shows the table, arrows go from cell to cell, a cell lights its packet and is followed", async () => {
  const { page } = await show("all-to-all --dim 3 --algorithm optimal", "#step=2");
  await page.keyboard.press("t");
  await drawn(page);
  assert.equal((await state(page)).table, 1);
  await page.focus(".schedule td button[tabindex='0']");
  for (const key of ["ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "010");
  let now = await state(page);
  assert.equal(now.stop, 2); // the player did not hear of the arrows
  assert.equal(now.follow, null);
  assert.deepEqual(now.films[0].journey, [[2, 0, 2]]);
  await page.keyboard.press("Enter");
  now = await state(page);
  assert.equal(now.follow, "0-2");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Escape");
  const cell = await page.$(".schedule tbody tr:first-child td:nth-of-type(4) button");
  await cell.hover();
  assert.deepEqual((await state(page)).films[0].journey.length, 3);
  await page.mouse.move(5, 5);
  assert.equal((await state(page)).films[0].journey, null);
  await page.keyboard.press("t");
  await drawn(page);
  assert.equal(await page.$eval(".schedule", ({ hidden }) => hidden), true);
});

/** Opens a lesson at the first beat in which this text stands. */
async function beatOf(lesson, text, options = {}) {
  const html = readFileSync(join(lessons, lesson), "utf8");
  const number = [...html.slice(0, html.indexOf(text)).matchAll(/id="beat-(\d+)"/g)].at(-1)[1];
  const { page, problems } = await open(browser, join(lessons, lesson), {
    size: WIDE,
    ...options,
    hash: `#beat=${number}`,
  });
  await page.waitForSelector(`#beat-${number}[data-current]`);
  return { page, problems, number, beat: `#beat-${number}` };
}

const titled = (page, title) =>
  page.waitForFunction((title) => document.querySelector(".player .title")?.textContent === title, {}, title);

test("a slider shows another film, in its place and state, by key and by address", { skip }, async () => {
  for (const size of [WIDE, PHONE]) {
    const { page, problems, number, beat } = await beatOf("05-total-exchange.html", 'data-sliders="d:', {
      size,
      still: true,
    });
    await titled(page, "Total exchange on a 4-cube");
    await page.evaluate(() => window.dcube.seek(5));
    await page.focus(`${beat} .parameters input`);
    await page.keyboard.press("ArrowLeft");
    await titled(page, "Total exchange on a 3-cube");
    const now = await state(page);
    assert.equal(now.stop, 3);
    assert.equal(now.table, 1);
    assert.match(
      await page.$eval(`${beat} .parameters output`, ({ textContent }) => textContent),
      /^8 nodes, 12 links; 4 steps/,
    );
    assert.equal((await table(page)).length, 4); // a row for each step
    await page.waitForFunction(() => location.hash.includes("d=3"));
    assert.equal(await page.evaluate(() => document.activeElement.type), "range");
    // The cards have made room, and are a button away.
    assert.equal(await page.$eval(".player .side", (side) => getComputedStyle(side).display), "none");
    await page.$eval(".unfold", (button) => button.click());
    assert.ok(await page.$eval(".player .proof", (card) => card.getBoundingClientRect().height > 60));
    await page.$eval(".unfold", (button) => button.click());
    assert.ok(await page.$eval(".player .schedule", (part) => part.getBoundingClientRect().height > 120));
    await page.evaluate((number) => {
      location.hash = `#beat=${number}&d=2&step=1`;
    }, number);
    await titled(page, "Total exchange on a 2-cube");
    assert.equal(await page.$eval(`${beat} .parameters input`, ({ value }) => value), "1");
    assert.deepEqual(await violations(page, ["serious", "critical"]), []);
    assert.deepEqual(problems, []);
  }
});

test("a cube grows out of the smaller one, and slides have the sliders", { skip }, async () => {
  const { page, problems, number, beat } = await beatOf("01-what-is-a-hypercube.html", 'data-sliders="d:');
  await slide(page, `${beat} .parameters input`, 3);
  await titled(page, "All-gather on a 3-cube");
  await page.waitForSelector("canvas.doubling", { hidden: true });
  await slide(page, `${beat} .parameters input`, 4);
  await page.waitForSelector("canvas.doubling");
  assert.equal(await page.$eval(`${beat} .parameters output`, ({ textContent }) => textContent), "16 nodes, 32 links");
  await page.evaluate((number) => {
    location.hash = `#beat=${number}&present=1`;
  }, number);
  await page.waitForSelector(".slide-foot");
  for (let i = 0; i < 8 && !(await page.$(".slide-foot .parameters")); i++) {
    await page.keyboard.press("PageDown");
    await drawn(page);
  }
  await slide(page, ".slide-foot .parameters input", 2);
  await titled(page, "All-gather on a 2-cube");
  assert.deepEqual(problems, []);
});

test("a plot: its slider reads the times off and says who wins; it is printed", { skip }, async () => {
  for (const size of [WIDE, PHONE]) {
    const { page, problems } = await beatOf("07-where-the-best-changes.html", 'class="plot"', { size });
    const read = () => page.$eval(".plot output", ({ textContent }) => textContent);
    const rows = await page.$$eval(".plot tbody th", (heads) => heads.map(({ textContent }) => textContent));
    await slide(page, ".plot .range input", rows.indexOf("300"));
    assert.equal(await read(), "rotated 600 ns and pipelined 600 ns. Both take the same time.");
    const apart = await page.$eval(".plot svg", (svg) => {
      const [ring, dot] = svg.querySelectorAll("circle");
      return (
        Math.abs(ring.getAttribute("cx") - dot.getAttribute("cx")) +
        Math.abs(ring.getAttribute("cy") - dot.getAttribute("cy"))
      );
    });
    assert.ok(apart < 0.3, "the lines cross where they are equal");
    await slide(page, ".plot .range input", rows.indexOf("312"));
    assert.match(await read(), /pipelined wins by 4 ns, 0.7/);
    const boxes = await page.$$eval(".plot svg text", (all) =>
      all.map((text) => {
        const { left, top, right, bottom } = text.getBoundingClientRect();
        return { left, top, right, bottom, words: text.textContent };
      }),
    );
    boxes.forEach((a, i) =>
      boxes
        .slice(i + 1)
        .forEach((b) =>
          assert.ok(
            a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2,
            `${a.words} and ${b.words}`,
          ),
        ),
    );
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0);
    await page.emulateMediaType("print");
    assert.ok(await page.$eval(".plot svg", (svg) => svg.getBoundingClientRect().width > 200));
    assert.equal(await page.$eval(".plot .parameters", (part) => getComputedStyle(part).display), "none");
    await page.emulateMediaType();
    assert.deepEqual(problems, []);
  }
});
