// Keys, clicks, the address, comparisons, lessons: all actions of a person.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, open, SIZES, state } from "./browser.mjs";
import { documentOf, pageOfRun, timedBroadcast, traceOf, writePage } from "./documents.mjs";
import { lostCards } from "./faults.mjs";

let browser;
const cube = join(folder, "cube.html");
const timed = join(folder, "timed.html");
const exchange = ["all-to-all", "--dim", "4"];
before(async () => {
  browser = await launch();
  pageOfRun(cube, exchange);
  pageOfRun(timed, timedBroadcast);
});
after(() => browser.close());

const settled = (page) => page.evaluate(() => window.dcube.rested());

test("keys step, play, and choose colours and origins", async () => {
  const { page, problems } = await open(browser, cube);
  const after = async (key, what) => {
    await page.keyboard.press(key);
    await settled(page);
    return (await state(page))[what];
  };
  assert.equal(await after("ArrowRight", "stop"), 1);
  assert.equal(await after("ArrowRight", "stop"), 2);
  assert.equal(await after("ArrowLeft", "stop"), 1);
  assert.equal(await after("End", "stop"), 9);
  assert.equal(await after("Home", "stop"), 0);
  assert.equal(await after("PageDown", "stop"), 9);
  assert.equal(await after("PageUp", "stop"), 0);
  assert.equal(await after("+", "speed"), 2);
  assert.equal(await after("-", "speed"), 1);
  assert.equal(await after("Space", "playing"), true);
  assert.equal(await after("Space", "playing"), false);
  assert.equal(await after("c", "colour"), "target");
  assert.equal(await after("y", "layout"), 1);
  assert.equal(await after("i", "idle"), true);
  assert.equal(await after("b", "bound"), false);
  assert.equal(await after("g", "gantt"), true);
  assert.equal(await after("p", "present"), true);
  assert.equal(await page.$eval(".controls", (controls) => getComputedStyle(controls).display), "none");
  assert.equal(await after("Escape", "present"), false);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "light");
  await page.keyboard.press("d");
  assert.equal(await theme(), "dark");
  await page.keyboard.press("?");
  assert.match(await page.$eval("dialog", (dialog) => dialog.textContent), /Help and keys/);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog"));
  assert.deepEqual(problems, []);
});

test("phases, one origin, follow, a link by its port", async () => {
  const { page } = await open(browser, cube);
  const ask = async (key, answer) => {
    await page.keyboard.press(key);
    await page.waitForSelector("dialog input");
    await page.type("dialog input", answer);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !document.querySelector("dialog"));
    return state(page);
  };
  await page.keyboard.down("Shift");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.up("Shift");
  assert.ok((await state(page)).stop >= 1);
  assert.equal((await ask("o", "3")).show, 3);
  const refused = async (key, answer) => {
    await page.keyboard.press(key);
    await page.waitForSelector("dialog input");
    await page.type("dialog input", answer);
    await page.keyboard.press("Enter");
    const words = await page.$eval("dialog [role=alert]", (one) => one.textContent);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("dialog"));
    return words;
  };
  assert.equal(await refused("o", "99"), "There is none: nodes are 0 to 15.");
  assert.equal((await state(page)).show, 3, "no such node changes nothing");
  for (const wrong of ["foo", "99,3", "3", "1 -2x"]) assert.match(await refused("f", wrong), /^There is none: /, wrong);
  const {
    films: [{ journey }],
    follow,
  } = await ask("f", "0 15");
  assert.equal(follow, "0-15");
  const way = traceOf(exchange).lines.filter(({ pieces }) =>
    pieces.some(({ origin, target }) => origin === 0 && target === 15),
  );
  assert.deepEqual(
    journey,
    way.map(({ step, from, to }) => [step, from, to]),
  );
  await page.evaluate(() => window.dcube.choose({ node: "5", follow: "" }));
  assert.equal(await refused("l", "9"), "Node 5 has no such port: the first one is 0.");
  assert.equal((await ask("l", "1")).selection.startsWith("link"), true);
  assert.match(await page.$eval(".details h2", (heading) => heading.textContent), /^Link 5 → 7/);
});

test("clicks on node, packet, link and time", async () => {
  const { page, problems } = await open(browser, cube, { hash: "#step=2" });
  await drawn(page);
  const click = async (x, y) => {
    const box = await page.$eval(".stage", (stage) => {
      const { left, top } = stage.getBoundingClientRect();
      return [left, top];
    });
    await page.mouse.click(box[0] + x, box[1] + y);
    await drawn(page);
    return (await state(page)).selection;
  };
  const [scene] = await page.evaluate(() => window.dcube.scene());
  const [left, top, right, bottom] = scene.boxes[6];
  assert.match(await click(left + 2, bottom - 2), /^node 6/);
  assert.match(await page.$eval(".details", (card) => card.textContent), /Waits for blocks from/);
  assert.ok(right > left && bottom > top);
  const [x, y] = scene.middles[0];
  assert.match(await click(x, y), /^packet \d+-\d+/);
  assert.match(await page.$eval(".details table", (table) => table.textContent), /port/);
  await page.evaluate(() => window.dcube.seek(0));
  assert.match(await click(x, y), /^link 0/);
  assert.match(await page.$eval(".details", (card) => card.textContent), /never idle/);
  await page.click(".details button");
  assert.equal((await state(page)).selection, "");
  const bars = await page.$eval(".slider", (slider) => {
    const { left, top, width, height } = slider.getBoundingClientRect();
    return { left, top, width, height };
  });
  await page.mouse.click(bars.left + (bars.width * 4.9) / 8, bars.top + bars.height - 5);
  const { now } = await state(page);
  assert.ok(now > 4.5 && now < 4.6, `let go at 4.9 it stands in the middle of step 5, not at ${now}`);
  assert.deepEqual(problems, []);
});

test("a tap on a phone does what a click does", async () => {
  const { page } = await open(browser, cube, { size: SIZES.phone, touch: true });
  await drawn(page);
  const [scene] = await page.evaluate(() => window.dcube.scene());
  const corner = await page.$eval(".stage", (stage) => {
    const { left, top } = stage.getBoundingClientRect();
    return [left, top];
  });
  const [left, top, right, bottom] = scene.boxes[9];
  await page.touchscreen.tap(corner[0] + (left + right) / 2, corner[1] + (top + bottom) / 2);
  assert.equal((await state(page)).selection, "node 9");
});

test("links over time: in one column the sentence is in sight below them", async () => {
  const file = join(folder, "timed-column.html");
  writePage(file, [documentOf(timedBroadcast)]);
  for (const size of [SIZES.phone, [820, 1180], [1024, 768]]) {
    const { page } = await open(browser, file, { size, still: true });
    await page.evaluate(() => window.dcube.seekTime(3000));
    await drawn(page);
    const [words, transport, stage] = await page
      .evaluate(() =>
        [".sentence > span", ".transport", ".stage"].map((part) =>
          document.querySelector(part).getBoundingClientRect().toJSON(),
        ),
      )
      .then((all) => [all[0].bottom, all[1].top, all[2].height]);
    assert.ok(words <= transport, `${size}: ${words} of ${transport}`);
    assert.ok(stage > 200, `${size}: a stage of ${stage}`);
  }
});

test("links over time: the cursor is common, a click follows", async () => {
  const { page, problems } = await open(browser, timed);
  await page.evaluate(() => window.dcube.seekTime(3000));
  await drawn(page);
  const before = await state(page);
  assert.ok(before.films[0].busy > 0);
  const box = await page.$eval(".gantt", (gantt) => {
    const { left, top, width, height } = gantt.getBoundingClientRect();
    return { left, top, width, height };
  });
  for (let y = 22; y < box.height && (await state(page)).follow === null; y += 3)
    await page.mouse.click(box.left + 130, box.top + y);
  assert.match((await state(page)).follow, /^0-/);
  assert.deepEqual(problems, []);
});

test("the address holds the state, and gives it", async () => {
  const { page } = await open(browser, cube, {
    hash: "#step=5&colour=dimension&follow=0-15&theme=dark&present=1&idle=1",
  });
  const { stop, colour, follow, present, idle } = await state(page);
  assert.deepEqual(
    { stop, colour, follow, present, idle },
    { stop: 5, colour: "dimension", follow: "0-15", present: true, idle: true },
  );
  await page.evaluate(() => {
    window.dcube.seek(7);
  });
  await settled(page);
  const hash = await page.evaluate(() => location.hash);
  for (const part of ["step=7", "colour=dimension", "follow=0-15", "present=1"])
    assert.ok(hash.includes(part), `${part} in ${hash}`);
  await page.evaluate(() => {
    location.hash = "#step=2&colour=evil&show=99&follow=3";
  });
  await drawn(page);
  assert.deepEqual([(await state(page)).stop, (await state(page)).colour], [2, "dimension"]);
});

test("a node of a product says its coordinates, of which the sentences speak", async () => {
  const view = documentOf(["all-to-all", "--topology", "mesh:2x3"]);
  const card = async (coordinates) => {
    view.films[0].network.coordinates = coordinates;
    const file = writePage(join(folder, "product.html"), [view]);
    const { page } = await open(browser, file, { hash: "#node=5", still: true });
    return page.$eval("main", (main) => main.textContent);
  };
  assert.match(await card([2, 3]), /Node 5.*Its coordinates: 1, 2\./);
  assert.match(await card([2, 4]), /cannot be read: .*the way to write nodes/);
});

test("two films stay in step", async () => {
  const file = join(folder, "versus.html");
  const [one, all] = [["--ports", "one"], []].map((more) =>
    documentOf(["broadcast", "--dim", "3", "--packets", "6", ...more]),
  );
  writePage(file, [
    { ...one, films: [...one.films, ...all.films], versus: { sentence: "The same message twice.", axis: "step" } },
  ]);
  const { page, problems } = await open(browser, file);
  await page.evaluate(() => window.dcube.seek(3));
  let { films } = await state(page);
  assert.equal(films[0].now, films[1].now);
  await page.evaluate(() => window.dcube.seek(1e6));
  ({ films } = await state(page));
  assert.ok(films[0].length > films[1].length);
  for (const film of films) assert.deepEqual([film.now, film.arrived], [film.length, film.packets]);
  assert.equal((await page.$$(".film")).length, 2);
  assert.deepEqual(problems, []);
});

/** The cards of a comparison: the proofs, the runs that they name, strips, sliders, and whether the legend is there. */
const cardsOf = (page) =>
  page.evaluate(() => {
    const texts = (what) =>
      [...document.querySelectorAll(what)].filter((one) => one.checkVisibility()).map(({ textContent }) => textContent);
    return {
      proofs: texts(".proof h2"),
      runs: texts(".proof .run"),
      tallies: texts(".proof .tally"),
      sliders: texts(".proof .puller").length,
      legend: texts(".legend h2"),
      whys: texts(".why .run"),
    };
  });

test("a comparison has a legend, and one proof for both runs where it is the same", async () => {
  const file = pageOfRun(join(folder, "compared.html"), ["all-to-all", "--dim", "3", "--versus", "dimension-exchange"]);
  const { page, problems } = await open(browser, file, { still: true });
  await page.evaluate(() => window.dcube.seek(1e6));
  const both = ["staircase: all ports, 4 steps", "dimension-exchange: all ports, 12 steps"];
  const { tallies, ...cards } = await cardsOf(page);
  assert.deepEqual(cards, {
    proofs: ["Why no algorithm needs fewer than 4 steps"],
    runs: both,
    sliders: 1,
    legend: ["What you see"],
    whys: both,
  });
  assert.match(tallies[0], /after 4 of 4 steps\. The run ends at the bound\./);
  assert.match(tallies[1], /after 12 of 12 steps\.$/);
  const marks = await page.$$eval(".legend li", (all) => all.map(({ textContent }) => textContent));
  assert.ok(marks.length >= 4);
  assert.equal(new Set(marks).size, marks.length, "each mark once");
  assert.deepEqual(await page.evaluate(lostCards), []);
  await page.keyboard.press("p");
  await settled(page);
  assert.deepEqual((await cardsOf(page)).proofs, [], "the stages fill a presentation");
  await page.keyboard.press("p");
  assert.deepEqual(problems, []);
});

test("runs on two networks have a proof each, with the network's name", async () => {
  const file = pageOfRun(join(folder, "networks.html"), ["all-to-all", "--dim", "3", "--versus-topology", "mesh:2x4"]);
  const { page } = await open(browser, file, { still: true });
  const { proofs, runs, sliders } = await cardsOf(page);
  assert.deepEqual(runs, ["3-cube", "mesh of 2x4"]);
  assert.equal(proofs.length, 2);
  assert.notEqual(proofs[0], proofs[1]);
  assert.equal(sliders, 1);
});

test("presentation: a clicker goes step by step, and never ends a film at once; the screen is filled", async () => {
  const { page, problems } = await open(browser, cube, { size: SIZES.projector });
  await page.keyboard.press("p");
  await page.waitForFunction(() => document.fullscreenElement !== null);
  for (const [key, stop] of [
    ["PageDown", 1],
    ["PageDown", 2],
    ["Space", 3],
    ["ArrowRight", 4],
    ["PageUp", 3],
    ["ArrowLeft", 2],
  ]) {
    await page.keyboard.press(key);
    await settled(page);
    assert.equal((await state(page)).stop, stop, key);
  }
  const sizes = await page.evaluate(() =>
    [".top h1", ".sentence > span", ".proof dt", ".captions"].map((part) =>
      parseFloat(getComputedStyle(document.querySelector(part)).fontSize),
    ),
  );
  for (const size of sizes) assert.ok(size >= 18, `${sizes}`);
  await page.evaluate(() => document.exitFullscreen()); // as the browser's Esc does
  await page.waitForFunction(() => !window.dcube.state().present);
  assert.deepEqual(problems, []);
});

test("a film is printed as its picture, sentence, proof and legend, in light colours", async () => {
  const { page, problems } = await open(browser, cube, { hash: "?theme=dark#step=3" });
  await page.emulateMediaType("print");
  await page.waitForSelector(".printed svg");
  const seen = (selector) => page.$$eval(selector, (all) => all.filter((element) => element.checkVisibility()).length);
  for (const part of [".top h1", ".printed svg", ".sentence", ".proof", ".legend"])
    assert.equal(await seen(part), 1, part);
  for (const part of ["button", "select", ".transport", ".stage > canvas"]) assert.equal(await seen(part), 0, part);
  const grounds = await page.evaluate(() => [
    getComputedStyle(document.documentElement).backgroundColor,
    document.querySelector(".printed rect").getAttribute("fill"),
  ]);
  for (const ground of grounds) assert.match(ground, /^(rgb\(255, ?255, ?255\)|#ffffff)$/);
  await page.emulateMediaType("screen");
  await page.waitForFunction(
    () => !document.querySelector(".printed") && document.documentElement.dataset.theme === "dark",
  );
  assert.deepEqual(problems, []);
});

test("reduced motion: packets jump from stop to stop", async () => {
  const { page } = await open(browser, cube, { still: true });
  await page.keyboard.press("ArrowRight");
  const { stop, now: first } = await state(page);
  assert.equal(stop, 1);
  await page.evaluate(() => window.dcube.play());
  const seen = new Set();
  for (let i = 0; i < 200 && seen.size < 3; i++) {
    seen.add((await state(page)).now);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 150)));
  }
  assert.ok(seen.size >= 3, `${[...seen]}`);
  for (const now of seen) assert.ok(now === 8 || Math.abs((now % 1) - (first % 1)) < 1e-9, `${now} is within a step`);
});

const LESSON = `<h1>A lesson</h1>
<section class="beat" data-view="0" data-step="0"><h2>Before</h2><p>${"Text. ".repeat(80)}</p></section>
<section class="beat" data-view="1" data-step="2" data-colour="dimension"><h2>Another run</h2><p>${"Text. ".repeat(80)}</p></section>
<section class="beat" data-view="0" data-step="3" data-show="2"><h2>Step 3</h2><p>${"Text. ".repeat(80)}</p></section>
<form class="exercise" id="exercise-1" data-answer="16384"><p class="entry"><label for="e">How many?</label><input id="e">
<button type="submit">Check</button></p></form>`;

test("a lesson: beats set the player, exercises are checked", async () => {
  const file = writePage(
    join(folder, "lesson.html"),
    [documentOf(["all-to-all", "--dim", "3"]), documentOf(["broadcast", "--dim", "3"])],
    LESSON,
  );
  for (const size of [SIZES.laptop, SIZES.phone]) {
    const { page, problems } = await open(browser, file, { size });
    assert.equal((await state(page)).stop, 0);
    await page.$$eval(".again", (buttons) => buttons[1].click());
    await page.waitForFunction(() => window.dcube.state().stop === 2);
    assert.deepEqual([(await state(page)).stop, (await state(page)).colour], [2, "dimension"]);
    await page.$$eval(".beat", (beats) => beats[2].scrollIntoView({ block: "start", behavior: "instant" }));
    await page.waitForFunction(() => window.dcube.state().stop === 3);
    assert.deepEqual([(await state(page)).stop, (await state(page)).show], [3, 2]);
    const answer = async (text) => {
      await page.$eval("#e", (input) => {
        input.value = "";
      });
      await page.type("#e", text);
      await page.$eval("form.exercise", (form) => form.requestSubmit());
      return page.$eval("output", (output) => output.textContent);
    };
    assert.match(await answer("128"), /^Not yet\. Go back to the lesson's figure/);
    assert.equal(await answer(" 16\u2009384 "), "Right.");
    assert.equal(await answer("16,384"), "Right.");
    assert.equal(await answer("16384 steps"), "Right.");
    assert.equal(await answer(" "), "Type an answer.");
    await page.$eval("form.exercise", (form) => {
      form.dataset.answer = "1.7143";
    });
    for (const right of ["1.7143", "1,7143", "1,7143 steps"]) assert.equal(await answer(right), "Right.");
    for (const wrong of ["17143", "17,143", "1"]) assert.match(await answer(wrong), /^Not yet\. /);
    assert.deepEqual(problems, []);
  }
});
