// The picture of the bound: the places of nodes and waiting packets when a network is pulled apart. The drawing is read as
// the file that it can be saved as.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, open, SIZES, state, violations } from "./browser.mjs";
import { pageOfRun, timedBroadcast } from "./documents.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const runs = {
  cut: ["all-to-all", "--dim", "4"],
  mesh: ["all-to-all", "--topology", "mesh:3x5"],
  out: ["scatter", "--dim", "4"],
  into: ["all-gather", "--dim", "3"],
  parts: ["all-gather", "--topology", "path:6", "--packets", "3", "--ports", "one"],
  distance: ["broadcast", "--dim", "4", "--packets", "8"],
  growth: ["broadcast", "--dim", "3", "--packets", "6", "--ports", "one"],
  sums: ["reduce", "--dim", "3", "--packets", "6", "--ports", "one"],
  amount: ["all-to-all", "--dim", "3", "--ports", "one"],
  time: timedBroadcast,
};

const pages = new Map();
const pageOf = (kind) =>
  pages.get(kind) ?? pages.set(kind, pageOfRun(join(folder, `bound-${kind}.html`), runs[kind])).get(kind);

/** The drawing: boxes of the nodes, discs, and texts that are more than a number. */
const seen = (page) =>
  page.evaluate(() => {
    const [scene] = window.dcube.scene();
    const file = new DOMParser().parseFromString(window.dcube.svg(), "image/svg+xml");
    const values = (one, ...names) => names.map((name) => Number(one.getAttribute(name)));
    const texts = [...file.querySelectorAll("text")]
      .filter((text) => /[a-z]/.test(text.textContent))
      .map((text) => {
        const [x, y, size] = values(text, "x", "y", "font-size");
        const wide = text.textContent.length * size * 0.5;
        const left = { middle: x - wide / 2, end: x - wide }[text.getAttribute("text-anchor")] ?? x;
        return [left, y - size * 0.8, left + wide, y + size * 0.2];
      });
    const discs = [...file.querySelectorAll("circle")].map((disc) => values(disc, "cx", "cy", "r"));
    return { width: scene.width, height: scene.height, boxes: scene.boxes, texts, discs };
  });

const meet = (a, b) => a[0] < b[2] - 0.5 && b[0] < a[2] - 0.5 && a[1] < b[3] - 0.5 && b[1] < a[3] - 0.5;
const pull = async (page, share) => {
  await page.evaluate((pull) => window.dcube.choose({ pull: String(pull) }), share);
  await drawn(page);
  return seen(page);
};

for (const kind of Object.keys(runs))
  test(`${kind}: the nodes move, nothing covers them, nothing is outside`, async () => {
    const { page, problems } = await open(browser, pageOf(kind), { still: true });
    for (const [width, height] of [SIZES.laptop, SIZES.phone]) {
      await page.setViewport({ width, height });
      await drawn(page);
      await page.evaluate(() => window.dcube.seek(2));
      const before = await pull(page, 0);
      const between = await pull(page, 50);
      const { boxes, texts, discs, width: wide, height: high } = await pull(page, 100);
      const far = (other) =>
        boxes.filter((box, i) => Math.hypot(box[0] - other[i][0], box[1] - other[i][1]) > 3).length;
      assert.ok(far(before.boxes) >= boxes.length / 2, `${far(before.boxes)} nodes have moved`);
      assert.ok(far(between.boxes) >= boxes.length / 2, "and half-way they are on their way");
      boxes.forEach((box, i) => {
        assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= wide && box[3] <= high, `node ${i} is inside, ${width}`);
        for (let j = 0; j < i; j++) assert.ok(!meet(box, boxes[j]), `nodes ${j} and ${i} stand apart, ${width}`);
        for (const text of texts) assert.ok(!meet(box, text), `words cover node ${i}, ${width}`);
      });
      texts.forEach((text, i) => {
        assert.ok(
          text[0] >= -1 && text[1] >= -1 && text[2] <= wide + 1 && text[3] <= high + 1,
          `words are inside, ${width}`,
        );
        for (let j = 0; j < i; j++) assert.ok(!meet(text, texts[j]), `words cover words, ${width}`);
      });
      for (const [x, y, r] of discs)
        assert.ok(x - r >= -2 && y - r >= -2 && x + r <= wide + 2 && y + r <= high + 2, `packets are inside, ${width}`);
    }
    if (kind === "cut" || kind === "time") assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
  });

test("words below a cut far to the right are inside, in every width", async () => {
  const file = pageOfRun(join(folder, "gate.html"), ["all-to-all", "--dim", "4", "--counts", "zipf:1:2"]);
  const { page } = await open(browser, file, { still: true, hash: "?embed#pull=100" });
  for (const width of [520, 640, 670, 700, 760, 860, 1000]) {
    await page.setViewport({ width, height: 620 });
    await drawn(page);
    const [{ width: room }] = await page.evaluate(() => window.dcube.scene());
    const ends = await page.evaluate(() => {
      const file = new DOMParser().parseFromString(window.dcube.svg(), "image/svg+xml");
      const context = document.createElement("canvas").getContext("2d");
      const words = [...file.querySelectorAll("text")].find((text) => text.textContent.startsWith("into node 13"));
      context.font = `600 ${words.getAttribute("font-size")}px ${getComputedStyle(document.body).fontFamily}`;
      const [half, x] = [context.measureText(words.textContent).width / 2, Number(words.getAttribute("x"))];
      return [x - half, x + half];
    });
    assert.ok(ends[0] >= 0 && ends[1] <= room, `from ${ends[0]} to ${ends[1]} of ${room}`);
  }
});

test("a cut: two sides, and queues that the film empties", async () => {
  const { page } = await open(browser, pageOf("cut"), { still: true, hash: "#pull=100" });
  const { boxes, discs } = await seen(page);
  assert.ok(
    Math.max(...boxes.slice(0, 8).map((box) => box[2])) < Math.min(...boxes.slice(8).map((box) => box[0])),
    "0 to 7 stand left of 8 to 15",
  );
  assert.equal(discs.length, 64);
  for (const time of [0.5, 1, 2.5, 4.25, 7, 7.5, 8]) {
    await page.evaluate((time) => window.dcube.seekTime(time), time);
    await drawn(page);
    const {
      films: [{ busy, tally }],
    } = await state(page);
    const crossing = time % 1 > 0 || time < 8 ? 8 : 0; // all links are busy in every step
    const { discs } = await seen(page);
    assert.equal(discs.length - busy, 64 - tally - crossing, `what waits at ${time}`);
  }
});

test("ports: the root's queue is empty when all have left", async () => {
  const { page } = await open(browser, pageOf("out"), { still: true, hash: "#pull=100" });
  assert.equal((await seen(page)).discs.length, 15);
  await page.evaluate(() => window.dcube.seek(99));
  await drawn(page);
  assert.equal((await seen(page)).discs.length, 0);
});

test("key U, the slider, the button, the address; lines of the proof light what they speak of", async () => {
  const { page } = await open(browser, pageOf("cut"));
  const pulls = await page.evaluate(async () => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "u", bubbles: true, cancelable: true }));
    const found = [];
    for (let frame = 0; frame < 1000 && found.at(-1) !== 1; frame++) {
      await new Promise((done) => requestAnimationFrame(done));
      found.push(window.dcube.state().pull);
    }
    return found;
  });
  assert.ok(pulls.some((pull) => pull > 0 && pull < 1) && pulls.at(-1) === 1, "it moves there");
  await page.waitForFunction(() => location.hash.includes("pull=100"));
  await page.focus("#pull");
  await page.keyboard.press("Home");
  assert.equal((await state(page)).pull, 0);
  await page.hover(".proof dl > div:first-child");
  assert.equal((await state(page)).light, "ends");
  await page.hover(".proof dl > div:nth-child(2)");
  assert.equal((await state(page)).light, "bound");
  await page.mouse.move(4, 4);
  assert.equal((await state(page)).light, null);
  await page.focus(".proof dt");
  assert.equal((await state(page)).light, "ends");
  await page.setViewport({ width: 390, height: 844 });
  await page.waitForSelector(".apart", { visible: true });
  await page.click(".apart");
  await page.waitForFunction(() => window.dcube.state().pull === 1);
});
