// Pictures, not state: the drawn font, the visible part, overlaps, and the effect of a click at a place; at all
// sizes that a page is shown at, with two sets of fonts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, open, state } from "./browser.mjs";
import { pageOfRun, timedBroadcast } from "./documents.mjs";
import { drawingFaults, faults, fontFaults, lostCards } from "./faults.mjs";
import { FONTS } from "./fonts.mjs";
import { some } from "./thorough.mjs";

/** Tablet, small notebook, phone on its side and upright, notebook (at 200 % it is the low frame), projector, frames in slides. */
const SIZES = [
  [820, 1180],
  [1024, 768],
  [844, 390],
  [390, 844],
  [1280, 900],
  [1920, 1080],
  [640, 480],
  [640, 450],
  [480, 320],
];
/** One of each layout, and the largest and the smallest page. */
const FEW_SIZES = [0, 2, 3, 5, 8].map((index) => SIZES[index]);
const exchange = join(folder, "pictures-exchange.html");
const timed = join(folder, "pictures-timed.html");
const versus = join(folder, "pictures-versus.html");
before(() => {
  pageOfRun(exchange, ["all-to-all", "--dim", "4"]);
  pageOfRun(timed, timedBroadcast);
  pageOfRun(versus, ["broadcast", "--dim", "3", "--packets", "6", "--versus", "pipelined"]);
});

/** The fonts that the heading is set in. */
async function fontsOf(page) {
  const client = await page.createCDPSession();
  await client.send("DOM.enable");
  await client.send("CSS.enable");
  const { root } = await client.send("DOM.getDocument");
  const { nodeId } = await client.send("DOM.querySelector", { nodeId: root.nodeId, selector: ".player h1" });
  const { fonts } = await client.send("CSS.getPlatformFontsForNode", { nodeId });
  await client.detach();
  return fonts.map(({ familyName }) => familyName);
}

async function sized(page, [width, height]) {
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await drawn(page);
}

const stages = (page) =>
  page.$$eval(".stage", (all) => all.filter((one) => !one.hidden).map((one) => one.getBoundingClientRect().toJSON()));

for (const [index, [name, env]] of FONTS.entries()) {
  const skip = env ? false : "this machine lacks the fonts";

  test(`${name}: all that is seen, at every size`, { skip }, async () => {
    const browser = await launch(env);
    try {
      const pictures = [
        [exchange, "#step=0"],
        [exchange, "?theme=dark&embed#step=0"],
        [timed, "#time=3000"],
        [versus, "#step=3"],
      ];
      for (const [file, hash] of index === 0 ? pictures : pictures.slice(0, 2)) {
        const { page, problems } = await open(browser, file, { hash });
        assert.deepEqual(await page.evaluate(fontFaults), []);
        if (!hash.startsWith("?")) assert.match(String(await fontsOf(page)), /Sans/);
        for (const size of some(SIZES, FEW_SIZES)) {
          const where = `${file} ${hash} at ${size.join("x")}`;
          if (size[0] < 520)
            await open(browser, file, { hash, size }); // small pages choose another layout when they open
          else await sized(page, size);
          assert.deepEqual(await page.evaluate(faults), [], where);
          assert.deepEqual(await page.evaluate(lostCards), [], `${where}: cards out of reach`);
          if (file === exchange) assert.deepEqual(await page.evaluate(drawingFaults), [], where);
          const least = hash.startsWith("?") ? 0.6 : file === exchange ? 0.5 : 0.17;
          for (const { height } of await stages(page))
            assert.ok(height >= least * size[1], `${where}: a stage of ${height} px`);
        }
        assert.deepEqual(problems, []);
      }
    } finally {
      await browser.close();
    }
  });
}

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test("these checks would find what is wrong", async () => {
  const { page } = await open(browser, exchange, { size: [1024, 768], hash: "#step=0" });
  assert.deepEqual([await page.evaluate(faults), await page.evaluate(drawingFaults)], [[], []]);
  await page.evaluate(() => {
    const over = document.createElement("p");
    over.textContent = "a text that lies over all others, and that is small";
    over.style.cssText = "position:absolute;left:0;top:60px;width:2000px;font-size:9px;line-height:60px;z-index:9";
    document.querySelector(".stage").append(over);
    document.querySelector(".title, .player h1").style.marginTop = "60px";
  });
  const found = (await page.evaluate(faults)).join("\n");
  for (const what of [/ to 20\d\d/, /is small/]) assert.match(found, what);
  assert.match((await page.evaluate(drawingFaults)).join(), /is below/);
});

test("in a frame there is only the stage and the bar, and the theme that was asked for", async () => {
  const { page } = await open(browser, exchange, { size: [480, 320], hash: "?theme=dark&embed" });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.deepEqual(
    await page.$$eval(".top, .card", (all) =>
      all.filter((one) => one.checkVisibility()).map(({ className }) => className),
    ),
    [],
  );
});

test("on a phone a comparison shows both stages at once, and a tap tells of a node where it is seen", async () => {
  const { page } = await open(browser, versus, { size: [390, 844], hash: "#step=2", touch: true });
  const both = await stages(page);
  const [{ top: bar }] = await page.$$eval(".transport", (all) =>
    all.map((one) => one.getBoundingClientRect().toJSON()),
  );
  assert.equal(both.length, 2);
  for (const { bottom, height } of both) assert.ok(bottom <= bar && height > 120, `${bottom} ${bar}`);
  const { page: other } = await open(browser, exchange, { size: [390, 844], hash: "#step=2", touch: true });
  const [stage] = await stages(other);
  const [
    {
      boxes: [, , , , , [left, top, right, bottom]],
    },
  ] = await other.evaluate(() => window.dcube.scene());
  await other.touchscreen.tap(stage.left + (left + right) / 2, stage.top + (top + bottom) / 2);
  await drawn(other);
  assert.equal((await state(other)).selection, "node 5");
  assert.equal(
    await other.$eval(".details h2", (heading) => {
      const { left, top, height } = heading.getBoundingClientRect();
      return heading.contains(document.elementFromPoint(left + 5, top + height / 2));
    }),
    true,
    "the heading is in sight",
  );
  const [{ bottom: end }] = await other.$$eval(".details", (all) =>
    all.map((one) => one.getBoundingClientRect().toJSON()),
  );
  for (const node of [0, 7, 12, 15]) {
    await other.evaluate((node) => window.dcube.choose({ node: String(node) }), node);
    assert.equal(
      await other.evaluate((node) => {
        const { scene, canvas } = window.dcube.exhibit().page.views[0].picture;
        const { left, top } = canvas.getBoundingClientRect();
        return document.elementFromPoint(left + scene.fitted.x[node], top + scene.fitted.y[node]) === canvas;
      }, node),
      true,
      `node ${node} is seen beside what is told of it`,
    );
  }
  assert.ok(end <= (await other.$eval(".transport", (bar) => bar.getBoundingClientRect().top)), "above the transport");
});

test("on a phone the time keeps away from the edge, in its whole length", async () => {
  const file = pageOfRun(join(folder, "long.html"), [...timedBroadcast.slice(0, -1), "100000"]);
  const { page } = await open(browser, file, { size: [390, 844], hash: "#time=0" });
  await drawn(page);
  const [{ text, right }] = await page.$$eval(".count span", (all) =>
    all.map((one) => ({ text: one.textContent, right: one.getBoundingClientRect().right })),
  );
  assert.match(text, /of \d{3}\s\d{3} ns/);
  assert.ok(right <= 390 - 12, `${text} ends at ${right}`);
});

test("what can be clicked is marked, and says what it is", async () => {
  const { page } = await open(browser, exchange, { size: [1280, 900], hash: "#step=2" });
  await drawn(page);
  const [stage] = await stages(page);
  const [{ boxes, middles }] = await page.evaluate(() => window.dcube.scene());
  const at = async (x, y) => {
    await page.mouse.move(stage.left + x, stage.top + y);
    return page.evaluate(() => [
      document.querySelector(".stage canvas[role=img]").style.cursor,
      document.querySelector(".tip")?.checkVisibility() ? document.querySelector(".tip").textContent : "",
    ]);
  };
  const [left, top, right, bottom] = boxes[5];
  assert.deepEqual(await at((left + right) / 2, (top + bottom) / 2), ["pointer", "node 5: has 2 of 16 blocks"]);
  const [, tip] = await at(...middles[0]);
  assert.match(tip, /^the block from \d+ to \d+: click to follow it$/);
  assert.deepEqual(await at(2, stage.height - 2), ["", ""]);
});

/** A run's page, opened at a step. */
const shown = async (name, args, hash) =>
  (await open(browser, pageOfRun(join(folder, `pictures-${name}.html`), args), { size: [1280, 900], hash })).page;
const legend = (page) => page.$$eval(".legend li", (all) => all.map(({ textContent }) => textContent));

test("colours by phase: each packet has its own phase's, and the legend says which is which", async () => {
  const page = await shown("phases", ["all-to-all", "--dim", "3", "--algorithm", "optimal"], "#step=2&colour=phase");
  const words = await legend(page);
  for (const phase of ["inside the halves", "across dimension 2", "inside again"])
    assert.ok(words.includes(phase), `${phase} in ${words}`);
  const phases = await page.evaluate(() => {
    const { colouring, film } = window.dcube.exhibit().page.views[0].picture;
    return Array.from({ length: film.packets.count }, (_, p) => [
      film.packets.step[p],
      film.network.dimension[film.packets.link[p]],
      colouring.phaseOf(p),
    ]);
  });
  for (const [step, dimension, phase] of phases) assert.equal(phase, dimension === 2 ? 1 : step <= 2 ? 0 : 2);
  const mixed = await shown("staircase", ["all-to-all", "--dim", "3", "--algorithm", "staircase"], "#step=2");
  assert.ok(
    !(await mixed.$$eval(".choice option", (all) => all.map(({ value }) => value))).includes("phase"),
    "pairs overlap on the same links",
  );
});

test("what is missing is drawn as missing, and origins keep their colours", async () => {
  const page = await shown(
    "missing",
    ["all-gather", "--dim", "3", "--without-node", "5", "--without-link", "0-1"],
    "#step=2",
  );
  assert.ok(
    (await page.$$eval(".choice option", (all) => all.map(({ textContent }) => textContent))).includes("origin"),
  );
  const words = await legend(page);
  for (const what of ["a link that this network lacks", "a node that this network lacks"])
    assert.ok(words.includes(what), `${words}`);
  const svg = await page.evaluate(() => window.dcube.svg());
  assert.equal(svg.match(/stroke-dasharray="3 6"/g)?.length, 1);
});

test("a title is not broken within the name of a network", async () => {
  const { page } = await open(browser, exchange, { size: [1280, 900] });
  assert.equal(await page.$eval("h1", (title) => title.textContent), await page.title());
  assert.equal(await page.$eval("h1 .whole", (name) => name.getClientRects().length), 1);
});

test("sums of many blocks are shown one at a time", async () => {
  const page = await shown("sums", ["all-reduce", "--dim", "4", "--packets", "8"], "#step=2");
  assert.equal((await state(page)).show, 0);
  const heading = (one) => one.$eval(".legend h2", (element) => element.textContent);
  assert.equal(await heading(page), "What you see: block 1");
  // Where every node gets a sum of its own, it has that node's number.
  assert.equal(
    await heading(await shown("own-sums", ["reduce-scatter", "--dim", "3"], "#step=2")),
    "What you see: the sum for node 0",
  );
});

test("one node stands in the middle, and there is nothing to play", async () => {
  const page = await shown("single", ["all-to-all", "--dim", "0"], "");
  const [
    {
      boxes: [[left, top, right, bottom]],
      width,
      height,
    },
  ] = await page.evaluate(() => window.dcube.scene());
  assert.ok(Math.abs((left + right) / 2 - width / 2) < 30 && Math.abs((top + bottom) / 2 - height / 2) < 30);
  assert.equal(await page.$eval(".transport", (bar) => bar.checkVisibility()), false);
  assert.doesNotMatch(await page.$eval(".legend", (legend) => legend.innerText), /packet/);
});

test("on links that take time stepping stops where packets are on their way", async () => {
  const { page } = await open(browser, timed, { size: [1280, 900] });
  for (const stop of [1, 2, 3]) {
    await page.evaluate((stop) => window.dcube.seek(stop), stop);
    const along = await page.evaluate(() => {
      const { picture, now } = window.dcube.exhibit().page.views[0];
      const { packets, network } = picture.film;
      return Array.from({ length: network.directed }, (_, link) => picture.film.carried(link, now))
        .filter((p) => p >= 0)
        .map((p) => (now - packets.start[p]) / (packets.end[p] - packets.start[p]));
    });
    assert.ok(along.length > 0 && along.some((share) => share > 0.3 && share < 0.8), `${along}`);
    assert.ok(!along.includes(0));
  }
});

test("boards, tori and summaries: nothing overlaps, nothing is cut", async () => {
  const pages = {
    board: ["--board", "broadcast", "--dim", "3"],
    torus: ["all-to-all", "--topology", "torus:4x4"],
    summary: ["all-to-all", "--dim", "7"],
  };
  for (const [name, args] of Object.entries(pages)) {
    const { page } = await open(browser, pageOfRun(join(folder, `pictures-${name}.html`), args), {
      size: [1280, 900],
      hash: name === "board" ? "" : "#step=2",
    });
    for (const size of [
      [820, 1180],
      [844, 390],
      [390, 844],
      [640, 450],
    ]) {
      await sized(page, size);
      assert.deepEqual(
        [await page.evaluate(faults), await page.evaluate(lostCards)],
        [[], []],
        `${name} at ${size.join("x")}`,
      );
    }
  }
});
