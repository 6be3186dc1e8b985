// Pictures, not state: which font is drawn, what is in view, what lies over what, and what a click at a place does; at all
// sizes that a page is shown at, with two sets of fonts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, open, state } from "./browser.mjs";
import { pageOfRun } from "./documents.mjs";
import { FONTS } from "./fonts.mjs";

/** Tablet, small notebook, phone on its side and upright, notebook (at 200 % it is the low frame), projector, frames in slides. */
const SIZES = [[820, 1180], [1024, 768], [844, 390], [390, 844], [1280, 900], [1920, 1080], [640, 450], [480, 320]];
const exchange = join(folder, "pictures-exchange.html");
const timed = join(folder, "pictures-timed.html");
const versus = join(folder, "pictures-versus.html");
before(() => {
  pageOfRun(exchange, ["all-to-all", "--dim", "4"]);
  pageOfRun(timed, ["broadcast", "--dim", "3", "--bytes", "8KiB", "--link", "link-bound", "--tau", "1", "--beta", "1000"]);
  pageOfRun(versus, ["broadcast", "--dim", "3", "--packets", "6", "--versus", "pipelined"]);
});

/** In the page: what is wrong with the picture of all that is text. */
function faults() {
  const found = [];
  const player = document.querySelector(".player");
  const shown = [...player.querySelectorAll("*")].filter((one) => !one.closest(".hidden, option, dialog, svg") && one.checkVisibility({ visibilityProperty: true }));
  for (const one of shown) {
    const { left, right, width } = one.getBoundingClientRect();
    const name = `${one.tagName}.${one.className} "${one.textContent.slice(0, 30)}"`;
    const clipped = getComputedStyle(one).clipPath !== "none" || one.closest("label > span");
    if (width > 0 && !clipped && (left < -1 || right > innerWidth + 1)) found.push(`${name} from ${Math.round(left)} to ${Math.round(right)}`);
    if (!clipped && getComputedStyle(one).overflowX === "visible" && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1) found.push(`${name} is wider than its box`);
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (text && parseFloat(getComputedStyle(one).fontSize) < 12.5) found.push(`${name} is small`);
  }
  return [...found, ...overlaps(shown)];

  /** Where the text of elements is, as far as it is in sight. */
  function boxesOf(one) {
    const clips = [];
    for (let around = one; around && around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflowX !== "visible" || getComputedStyle(around).overflowY !== "visible") clips.push(around.getBoundingClientRect());
    }
    return [...one.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim()).flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()];
    }).map((box) => clips.reduce((a, b) => ({ left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom) }), box))
      .filter(({ left, right, top, bottom }) => right - left > 1 && bottom - top > 1);
  }

  function overlaps(elements) {
    const texts = elements.filter((one) => getComputedStyle(one).clipPath === "none").flatMap((one) => boxesOf(one).map((box) => [one, box]));
    return texts.flatMap(([one, a], i) => texts.slice(i + 1).filter(([other, b]) => other !== one && !other.contains(one) && !one.contains(other) &&
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
      .map(([other]) => `"${one.textContent.slice(0, 40)}" and "${other.textContent.slice(0, 40)}" overlap`));
  }
}

/** In the page: cards that are not in sight and cannot be scrolled there. */
function lostCards() {
  return [...document.querySelectorAll(".card")].filter((card) => card.checkVisibility() && !card.closest(".board")).flatMap((card) => {
    const heading = card.querySelector("h2");
    heading.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { left, top, height } = heading.getBoundingClientRect();
    const there = card.contains(document.elementFromPoint(left + 4, top + height / 2));
    document.querySelector(".body").scrollTop = 0;
    return there ? [] : [heading.textContent];
  });
}

/** In the page: what is wrong with the drawing, and with what clicks at its places pick. */
function drawingFaults() {
  const found = [];
  const { picture } = window.dcube.exhibit().page.views[0];
  const { scene, canvas } = picture;
  const { network } = scene.film;
  const corner = canvas.getBoundingClientRect();
  const numbers = Array.from(scene.fitted.x, (_, node) => {
    const { left, top } = scene.box(node);
    const { label } = scene.sizes;
    return { left: left - 3 - String(node).length * label * 0.6, right: left - 3, top: top - label * 0.3, bottom: top + label * 0.4 };
  });
  const boxes = numbers.map((_, node) => scene.box(node));
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  boxes.forEach((box, node) => {
    if (box.left < 0 || box.top < 0 || box.right > scene.width || box.bottom > scene.height) found.push(`box ${node} is cut`);
    if (numbers[node].left < 0) found.push(`number ${node} is cut`);
    boxes.forEach((other, i) => {
      if (i > node && over(box, other)) found.push(`boxes ${node} and ${i} overlap`);
      if (i !== node && over(numbers[node], other)) found.push(`number ${node} lies on box ${i}`);
      if (i > node && over(numbers[node], numbers[i])) found.push(`numbers ${node} and ${i} overlap`);
    });
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const picked = picture.pick(x, y, false);
    if (picked?.what !== "node" || picked.node !== node) found.push(`the middle of node ${node} picks ${JSON.stringify(picked)}`);
    const top = document.elementFromPoint(corner.left + x, corner.top + y);
    if (top !== canvas) found.push(`node ${node} is below ${top?.className}`);
  });
  const size = (pieces) => Math.min(...pieces.map((points) => points.length));
  const at = (points, share) => {
    const last = points.length / 2 - 1;
    const i = Math.min(last - 1, Math.floor(share * last));
    const t = share * last - i;
    return [0, 1].map((k) => points[2 * i + k] * (1 - t) + points[2 * i + 2 + k] * t);
  };
  const near = (x, y, box) => x > box.left - 6 && x < box.right + 6 && y > box.top - 6 && y < box.bottom + 6;
  const distance = (pieces, x, y) => Math.min(...pieces.flatMap((points) => Array.from({ length: 201 }, (_, i) => { const [a, b] = at(points, i / 200); return Math.hypot(a - x, b - y); })));
  scene.middles.forEach((pieces, link) => {
    if (size(pieces) < 4) return;
    for (const points of pieces) {
      for (let i = 0; i <= 40; i++) {
        const [x, y] = at(points, i / 40);
        if (boxes.some((box) => near(x, y, box))) continue;
        const picked = picture.pick(x, y, false);
        const hit = picked?.what === "link" ? picked.link >> 1 : -1;
        if (hit !== link && (hit < 0 || distance(scene.middles[hit], x, y) > 3)) found.push(`${x}, ${y} on link ${network.from[2 * link]}-${network.to[2 * link]} picks ${JSON.stringify(picked)}`);
      }
    }
    // The lanes, at their middles.
    for (const way of [2 * link, 2 * link + 1]) {
      const { x, y } = scene.lanes[way].at(0.5);
      const picked = picture.pick(x, y, false);
      if (!boxes.some((box) => near(x, y, box)) && picked?.what !== "link") found.push(`the lane of link ${way} picks ${JSON.stringify(picked)}`);
    }
  });
  return found.slice(0, 8);
}

/** In the page: the font of the body is the one that is drawn. */
function fontFaults() {
  const { page } = window.dcube.exhibit();
  const sample = "Step 0123456789 wide and illicit";
  const line = document.createElement("span");
  line.style.cssText = "position:absolute;white-space:pre;font-size:40px;font-weight:400";
  line.textContent = sample;
  document.body.append(line);
  const context = document.createElement("canvas").getContext("2d");
  context.font = `400 40px ${page.theme.font}`;
  const [wide, html] = [context.measureText(sample).width, line.getBoundingClientRect().width];
  line.remove();
  const families = getComputedStyle(document.body).fontFamily;
  return [...(page.theme.font === families ? [] : [`${page.theme.font} is drawn, ${families} is the body's`]), ...(Math.abs(wide - html) < 1 ? [] : [`text is ${wide} wide when drawn, ${html} in the page`])];
}

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

const stages = (page) => page.$$eval(".stage", (all) => all.filter((one) => !one.hidden).map((one) => one.getBoundingClientRect().toJSON()));

for (const [name, env] of FONTS) {
  const skip = env ? false : "this machine lacks the fonts";

  test(`${name}: all that is seen, at every size`, { skip }, async () => {
    const browser = await launch(env);
    try {
      for (const [file, hash] of [[exchange, "#step=0"], [timed, "#time=3000"], [versus, "#step=3"], [exchange, "?theme=dark&embed#step=0"]]) {
        const { page, problems } = await open(browser, file, { hash });
        assert.deepEqual(await page.evaluate(fontFaults), []);
        if (!hash.startsWith("?")) assert.match(String(await fontsOf(page)), /Sans/);
        for (const size of SIZES) {
          const where = `${file} ${hash} at ${size.join("x")}`;
          if (size[0] < 520) await open(browser, file, { hash, size });  // small pages choose another layout when they open
          else await sized(page, size);
          assert.deepEqual(await page.evaluate(faults), [], where);
          assert.deepEqual(await page.evaluate(lostCards), [], `${where}: cards out of reach`);
          if (file === exchange) assert.deepEqual(await page.evaluate(drawingFaults), [], where);
          const least = hash.startsWith("?") ? 0.6 : file === exchange ? 0.5 : 0.17;
          for (const { height } of await stages(page)) assert.ok(height >= least * size[1], `${where}: a stage of ${height} px`);
        }
        assert.deepEqual(problems, []);
      }
    } finally {
      await browser.close();
    }
  });
}

let browser;
before(async () => { browser = await launch(); });
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
  assert.deepEqual(await page.$$eval(".top, .card", (all) => all.filter((one) => one.checkVisibility()).map(({ className }) => className)), []);
});

test("on a phone a comparison shows both stages at once, and a tap tells of a node where it is seen", async () => {
  const { page } = await open(browser, versus, { size: [390, 844], hash: "#step=2", touch: true });
  const both = await stages(page);
  const [{ top: bar }] = await page.$$eval(".transport", (all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  assert.equal(both.length, 2);
  for (const { bottom, height } of both) assert.ok(bottom <= bar && height > 120, `${bottom} ${bar}`);
  const { page: other } = await open(browser, exchange, { size: [390, 844], hash: "#step=2", touch: true });
  const [stage] = await stages(other);
  const [{ boxes: [, , , , , [left, top, right, bottom]] }] = await other.evaluate(() => window.dcube.scene());
  await other.touchscreen.tap(stage.left + (left + right) / 2, stage.top + (top + bottom) / 2);
  await drawn(other);
  assert.equal((await state(other)).selection, "node 5");
  assert.equal(await other.$eval(".details h2", (heading) => {
    const { left, top, height } = heading.getBoundingClientRect();
    return heading.contains(document.elementFromPoint(left + 5, top + height / 2));
  }), true, "the heading is in sight");
  const [{ bottom: end }] = await other.$$eval(".details", (all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  for (const node of [0, 7, 12, 15]) {
    await other.evaluate((node) => window.dcube.choose({ node: String(node) }), node);
    assert.equal(await other.evaluate((node) => {
      const { scene, canvas } = window.dcube.exhibit().page.views[0].picture;
      const { left, top } = canvas.getBoundingClientRect();
      return document.elementFromPoint(left + scene.fitted.x[node], top + scene.fitted.y[node]) === canvas;
    }, node), true, `node ${node} is seen beside what is told of it`);
  }
  assert.ok(end <= (await other.$eval(".transport", (bar) => bar.getBoundingClientRect().top)), "above the transport");
});

test("what can be clicked is marked, and says what it is", async () => {
  const { page } = await open(browser, exchange, { size: [1280, 900], hash: "#step=2" });
  await drawn(page);
  const [stage] = await stages(page);
  const [{ boxes, middles }] = await page.evaluate(() => window.dcube.scene());
  const at = async (x, y) => {
    await page.mouse.move(stage.left + x, stage.top + y);
    return page.evaluate(() => [document.querySelector(".stage canvas[role=img]").style.cursor, document.querySelector(".tip")?.checkVisibility() ? document.querySelector(".tip").textContent : ""]);
  };
  const [left, top, right, bottom] = boxes[5];
  assert.deepEqual((await at((left + right) / 2, (top + bottom) / 2)), ["pointer", "node 5: has 2 of 16 blocks"]);
  const [, tip] = await at(...middles[0]);
  assert.match(tip, /^the block from \d+ to \d+: click to follow it$/);
  assert.deepEqual(await at(2, stage.height - 2), ["", ""]);
});

/** A run's page, opened at a step. */
const shown = async (name, args, hash) => (await open(browser, pageOfRun(join(folder, `pictures-${name}.html`), args), { size: [1280, 900], hash })).page;
const legend = (page) => page.$$eval(".legend li", (all) => all.map(({ textContent }) => textContent));

test("colours by phase: each packet has its own phase's, and the legend says which is which", async () => {
  const page = await shown("phases", ["all-to-all", "--dim", "3", "--algorithm", "optimal"], "#step=2&colour=phase");
  const words = await legend(page);
  for (const phase of ["inside the halves", "across dimension 2", "inside again"]) assert.ok(words.includes(phase), `${phase} in ${words}`);
  const phases = await page.evaluate(() => {
    const { colouring, film } = window.dcube.exhibit().page.views[0].picture;
    return Array.from({ length: film.packets.count }, (_, p) => [film.packets.step[p], film.network.dimension[film.packets.link[p]], colouring.phaseOf(p)]);
  });
  for (const [step, dimension, phase] of phases) assert.equal(phase, dimension === 2 ? 1 : step <= 2 ? 0 : 2);
  const mixed = await shown("staircase", ["all-to-all", "--dim", "3", "--algorithm", "staircase"], "#step=2");
  assert.ok(!(await mixed.$$eval(".choice option", (all) => all.map(({ value }) => value))).includes("phase"), "pairs overlap on the same links");
});

test("what is missing is drawn as missing, and origins keep their colours", async () => {
  const page = await shown("missing", ["all-gather", "--dim", "3", "--without-node", "5", "--without-link", "0-1"], "#step=2");
  assert.ok((await page.$$eval(".choice option", (all) => all.map(({ textContent }) => textContent))).includes("origin"));
  const words = await legend(page);
  for (const what of ["a link that this network lacks", "a node that this network lacks"]) assert.ok(words.includes(what), `${words}`);
  const svg = await page.evaluate(() => window.dcube.svg());
  assert.equal(svg.match(/stroke-dasharray="3 6"/g)?.length, 1);
});

test("sums of many blocks are shown one at a time", async () => {
  const page = await shown("sums", ["all-reduce", "--dim", "4", "--packets", "16"], "#step=2");
  assert.equal((await state(page)).show, 0);
  assert.match(await page.$eval(".legend h2", (heading) => heading.textContent), /block 1$/);
});

test("one node stands in the middle, and there is nothing to play", async () => {
  const page = await shown("single", ["all-to-all", "--dim", "0"], "");
  const [{ boxes: [[left, top, right, bottom]], width, height }] = await page.evaluate(() => window.dcube.scene());
  assert.ok(Math.abs((left + right) / 2 - width / 2) < 30 && Math.abs((top + bottom) / 2 - height / 2) < 30);
  assert.equal(await page.$eval(".transport", (bar) => bar.checkVisibility()), false);
});

test("on links that take time stepping stops where packets are on their way", async () => {
  const { page } = await open(browser, timed, { size: [1280, 900] });
  for (const stop of [1, 2, 3]) {
    await page.evaluate((stop) => window.dcube.seek(stop), stop);
    const along = await page.evaluate(() => {
      const { picture, now } = window.dcube.exhibit().page.views[0];
      const { packets, network } = picture.film;
      return Array.from({ length: network.directed }, (_, link) => picture.film.carried(link, now)).filter((p) => p >= 0)
        .map((p) => (now - packets.start[p]) / (packets.end[p] - packets.start[p]));
    });
    assert.ok(along.length > 0 && along.some((share) => share > 0.3 && share < 0.8), `${along}`);
    assert.ok(!along.includes(0));
  }
});
