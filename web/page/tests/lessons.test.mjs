// The lessons' pages, as `./dcube docs --lessons` makes them, in a browser: every beat is shown, answers are judged.
// DCUBE_LESSONS names their folder; without it these tests are skipped.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SIZES, launch, open, state, violations } from "./browser.mjs";
import { some } from "./thorough.mjs";

const lessons = process.env.DCUBE_LESSONS;
const skip = lessons ? false : "DCUBE_LESSONS names no folder of lessons";
const names = lessons
  ? readdirSync(lessons)
      .filter((name) => /^\d.*\.html$/.test(name))
      .sort()
  : [];

let browser;
before(async () => {
  if (lessons) browser = await launch();
});
after(async () => {
  await browser?.close();
});

test("the index leads to every lesson and needs no script", { skip }, async () => {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${join(lessons, "index.html")}`);
  assert.deepEqual(
    requests.map((url) => url.split("/").at(-1).split("?")[0]),
    ["index.html", names[0]],
  );
  const links = [...readFileSync(join(lessons, "index.html"), "utf8").matchAll(/<h2><a href="([^"]+)"/g)].map(
    ([, file]) => file,
  );
  assert.deepEqual(links, names);
  for (const file of links) assert.ok(existsSync(join(lessons, file)));
  await page.close();
});

test("without scripts the tables that the page would draw stand below their figures", { skip }, async () => {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  let tables = 0;
  for (const name of names.filter((name) => readFileSync(join(lessons, name), "utf8").includes("data-table"))) {
    await page.goto(`file://${join(lessons, name)}`);
    for (const beat of await page.$$("section.beat[data-table]")) {
      tables++;
      const {
        cells,
        names: ports,
        caption,
      } = await beat.evaluate((section) => ({
        cells: [...section.querySelectorAll("figure.still + noscript tbody td")].filter(
          (cell) => cell.textContent !== "" && cell.checkVisibility(),
        ).length,
        names: [...section.querySelectorAll("noscript th[scope=col]")].map(({ textContent }) => textContent),
        caption: section.querySelector("noscript caption")?.textContent,
      }));
      assert.ok(cells >= 8, `${name}: ${cells} cells`);
      assert.ok(ports.length >= 3, `${name}: ${ports}`);
      assert.match(caption, /^What (every node does, seen from node 0|node 0 sends)\.$/);
    }
  }
  assert.ok(tables >= 6);
  await page.close();
});

test("the index opens with a cube that doubles, is filled with blocks, and is pulled apart", { skip }, async () => {
  for (const still of [false, true]) {
    const { page, problems } = await open(browser, join(lessons, names[0]), {
      size: [1000, 460],
      still,
      hash: "?embed#opening=5",
    });
    const lines = new Set();
    await page.waitForFunction(
      () => {
        const { player } = window.dcube.exhibit() ?? {};
        if (player) player.speed = 8; // its film is not waited for in its own time
        const line = document.querySelector(".opening-line").textContent;
        (window.seen ??= new Set()).add(line);
        return /No algorithm/.test(line) && window.dcube.state().pull > 0.99;
      },
      { polling: 50 },
    );
    for (const line of await page.evaluate(() => [...window.seen].filter(Boolean))) lines.add(line);
    assert.equal(lines.size, still ? 1 : 3);
    assert.match(
      await page.$eval(".player .stage canvas[role=img]", (canvas) => canvas.ariaLabel),
      /Total exchange on a 3-cube/,
    );
    if (!still) await page.waitForFunction(() => document.querySelector(".opening button").checkVisibility());
    assert.deepEqual(problems, []);
  }
});

for (const name of names) {
  test(`${name}: its beats are shown, and its exercises judged`, async () => {
    const file = join(lessons, name);
    const { page, problems } = await open(browser, file, { still: true });
    const beats = await page.$$("section.beat");
    for (const beat of beats) {
      const wanted = await beat.evaluate((element) => ({ ...element.dataset }));
      await beat.evaluate((element) => element.querySelector("button.again").click());
      await page.waitForFunction((element) => element.hasAttribute("data-current"), {}, beat);
      const views = wanted.documents?.split(" ").filter((one) => one !== "-") ?? [wanted.view]; // a cube grows by itself
      await page.waitForFunction(
        (titles) => titles.includes(document.querySelector(".player .title")?.textContent),
        {},
        await Promise.all(
          views.map(async (one) => JSON.parse(await page.$eval(`#view-${one}`, (data) => data.textContent)).title),
        ),
      );
      const now = (await page.$(".board")) ? {} : await state(page); // a board has no steps to be at
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
        const choose = (right) => () =>
          element.querySelectorAll(".options li").forEach((item) => {
            item.querySelector("input").checked = item.matches(".right") === right;
          });
        if (!input) return { wrong: judged(choose(false)), right: judged(choose(true)), hints: [] };
        const typed = (text) =>
          judged(() => {
            input.value = text;
          });
        const hints = [...element.querySelectorAll(".hints li")].map((hint) => [
          typed(hint.dataset.answer),
          `Not yet. ${hint.textContent}`,
        ]);
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
  const light = [SIZES.laptop, false];
  const dark = [SIZES.phone, true];
  for (const [name, kinds] of [
    ["index.html", some([light, dark], [light])],
    [names[0], some([light, dark], [dark])],
    [names[5], some([light, dark], [light])],
  ])
    for (const [size, dark] of kinds) {
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

test("tools stand beside or below a title, never over it, and sliders in no vote", { skip }, async () => {
  for (const name of [names[1], names[4], names[6]])
    for (const size of some([[1280, 900], SIZES.laptop, [1024, 768], SIZES.phone], [[1024, 768], SIZES.phone])) {
      const { page } = await open(browser, join(lessons, name), { size, still: true });
      const { over, inVote } = await page.evaluate(() => {
        const title = document.querySelector(".player .title");
        const words = document.createRange();
        words.selectNodeContents(title);
        const boxes = [...words.getClientRects()];
        const tools = [...document.querySelectorAll(".player .tools > *")].map((one) => one.getBoundingClientRect());
        return {
          over: boxes.some((a) =>
            tools.some(
              (b) => b.width > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
            ),
          ),
          inVote: document.querySelectorAll(".options .parameters").length,
        };
      });
      assert.deepEqual([over, inVote], [false, 0], `${name} at ${size}`);
    }
});

test("a beat that asks keeps its bound back, and the run's length, until somebody has answered", { skip }, async () => {
  const { page } = await open(browser, `${join(lessons, "05-total-exchange.html")}`);
  const beat = (await page.$$("section.beat[data-bound='later']"))[0];
  await beat.evaluate((element) => element.querySelector("button.again").click());
  await page.waitForFunction((element) => element.hasAttribute("data-current"), {}, beat);
  const told = () =>
    page.evaluate(() => [
      !document.querySelector(".player .proof").hidden,
      document.querySelector(".player .mark").textContent.length > 0,
      document.querySelector(".player .count span").checkVisibility({ visibilityProperty: true }),
      document.querySelector(".player .card.why").checkVisibility({ visibilityProperty: true }), // "Why 12 steps?"
    ]);
  assert.deepEqual(await told(), [false, false, false, false]);
  const wrong = (nth) =>
    beat.evaluate((element, nth) => {
      element.querySelectorAll(".vote .wrong input")[nth].click();
      return [...element.querySelectorAll("[data-folded]")].some((part) => part.matches(".answer, p"));
    }, nth);
  // A wrong vote is answered, and leaves a second try; after that the answer is open.
  assert.equal(await wrong(0), true);
  assert.deepEqual(await told(), [false, false, false, false]);
  assert.equal(await beat.$eval(".fold button", (button) => button.textContent), "Show the answer");
  assert.equal(await wrong(1), false);
  assert.deepEqual(await told(), [true, true, true, true]);
  assert.ok(await beat.$eval(".vote .answer", (answer) => answer.open));
});

test("a wrong vote is answered by the picture: useless packets are grey, the tree's film plays", { skip }, async () => {
  const { page, problems } = await open(browser, join(lessons, "02-flooding.html"), { hash: "#beat=2" });
  const vote = (beat, nth) =>
    page.$$eval(`#beat-${beat} .vote .wrong input`, (inputs, nth) => inputs[nth].click(), nth);
  await vote(2, 1);
  await page.waitForFunction(() => window.dcube.state().stop === 3);
  assert.equal((await state(page)).light, "new");
  await vote(4, 0);
  await page.waitForFunction(() => window.dcube.state().playing && window.dcube.state().light === null);
  assert.equal(await page.$eval(".player", (player) => player.hasAttribute("data-asks")), true);
  assert.deepEqual(problems, []);
});

const exchange =
  lessons &&
  join(
    lessons,
    names.find((one) => one.startsWith("05")),
  );
/** The numbers of the beats of the lesson on total exchange, by their headings. */
const [CUT, NEARLY, OPTIMAL, BRIDGE] = lessons
  ? ["A cut", "Nearly", "The optimal algorithm", "Two squares and a bridge"].map((heading) =>
      Number(new RegExp(`id="beat-(\\d+)"[^>]*>\\s*<h2>${heading}<`).exec(readFileSync(exchange, "utf8"))[1]),
    )
  : [];
const quiet = (page, ms = 250) => page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), ms);
const scrolled = async (page) => {
  await page.waitForFunction(
    () =>
      new Promise((done) => {
        const before = scrollY;
        setTimeout(() => done(before === scrollY), 120);
      }),
  );
  return page.evaluate(() => scrollY);
};
const address = (page) => page.evaluate(() => location.hash);

test(
  "a lesson is scrolled by Space, Page keys, Home and End, unless the focus is in the player",
  { skip },
  async () => {
    const { page, problems } = await open(browser, exchange);
    let last = 0;
    for (const key of ["Space", "PageDown"]) {
      await page.keyboard.press(key);
      const now = await scrolled(page);
      assert.ok(now > last + 300, `${key}: ${last} to ${now}`);
      last = now;
    }
    await page.keyboard.press("Home");
    assert.equal(await scrolled(page), 0);
    await page.$eval(`#beat-${CUT} .again`, (button) => button.click());
    await page.waitForSelector(".player .title[data-figure$='.2']");
    await page.click(".player .stage");
    const ring = await page.$eval(".player > .frame", (frame) => getComputedStyle(frame).boxShadow);
    assert.notEqual(ring, "none", "the player shows that it has the focus");
    await page.keyboard.press("End");
    const { stop, stops } = await state(page);
    assert.equal(stop, stops - 1);
    assert.equal(await scrolled(page), 0);
    assert.deepEqual(problems, []);
  },
);

test("a lesson's address is its beat and what was chosen; nonsense in it changes nothing", { skip }, async () => {
  const { page, problems } = await open(browser, exchange, { hash: `#beat=${OPTIMAL}&step=3&follow=0-7` });
  const there = async (number) => {
    const { top, current } = await page.$eval(`#beat-${number}`, (beat) => ({
      top: beat.getBoundingClientRect().top,
      current: beat.hasAttribute("data-current"),
    }));
    assert.ok(current && top > -5 && top < innerHeightOf(page) * 0.25, `beat ${number} is read: ${top}`);
  };
  await there(OPTIMAL);
  let { stop, follow } = await state(page);
  assert.deepEqual([stop, follow], [3, "0-7"]);
  await quiet(page);
  assert.equal(await address(page), `#beat=${OPTIMAL}&step=3&follow=0-7`);
  // Every beat's figure comes when its heading is read, and is in the address.
  for (const number of [CUT, NEARLY, BRIDGE]) {
    await page.$eval(`#beat-${number}`, (beat) =>
      window.scrollTo({ top: scrollY + beat.getBoundingClientRect().top - 30, behavior: "instant" }),
    );
    await page.waitForFunction((wanted) => location.hash === wanted, {}, `#beat=${number}`);
    await there(number);
  }
  const kept = await state(page);
  for (const hash of [
    "#beat=99",
    "#beat=-1&step=2",
    "#beat=__proto__",
    "#step=2",
    "#constructor=1&beat=2.5",
    `#${"x".repeat(5000)}`,
  ]) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, hash);
    await quiet(page, 60);
    const { stop, follow, colour, show } = await state(page);
    assert.deepEqual(
      { stop, follow, colour, show },
      { stop: kept.stop, follow: kept.follow, colour: kept.colour, show: kept.show },
      hash,
    );
  }
  await page.evaluate((beat) => {
    location.hash = `#beat=${beat}&step=1e99&colour=red&show=-7&follow=9-9-9&node=1e9&light=x&pull=oops`;
  }, CUT);
  await page.waitForSelector(`#beat-${CUT}[data-current]`);
  ({ stop, follow } = await state(page));
  assert.equal(follow, null);
  assert.deepEqual(problems, []);
});
const innerHeightOf = (page) => page.viewport().height;

/** From now on the sizes of texts on canvases are kept. */
const watchTexts = (page) =>
  page.evaluate(() => {
    window.texts = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      if (this.canvas.checkVisibility({ visibilityProperty: true }))
        window.texts.push([text, parseFloat(/([\d.]+)px/.exec(this.font)[1])]);
      return fillText.call(this, text, ...rest);
    };
  });

/** Text of the page that is smaller than so many px, and sentences of more than two lines; texts of canvases too. */
const small = (page, least) =>
  page.evaluate(async (least) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const found = window.texts
      .splice(0)
      .filter(([, size]) => size < least - 0.05)
      .map(([text, size]) => `drawn ${text}: ${size}`);
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const owner = node.parentElement;
      if (
        !node.data.trim() ||
        !owner.checkVisibility({ visibilityProperty: true }) ||
        owner.closest(".hidden, script, style")
      )
        continue;
      const size = parseFloat(getComputedStyle(owner).fontSize);
      if (size < least - 0.05) found.push(`${owner.className} ${node.data.trim().slice(0, 30)}: ${size}`);
    }
    const span = document.querySelector(".sentence > span");
    if (span?.checkVisibility({ visibilityProperty: true })) {
      const lines = new Set([...span.getClientRects()].map(({ bottom }) => Math.round(bottom / 8)));
      if (lines.size > 2) found.push(`${lines.size} lines: ${span.textContent}`);
    }
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight + 1)
      found.push(`page of ${scrollWidth} x ${scrollHeight}`);
    return found;
  }, least);

test("slides: a clicker goes through a lesson; nothing on them is small; Esc leads back", { skip }, async () => {
  const projector = [SIZES.projector, 18];
  for (const [size, least] of some([projector, [[1024, 768], 12.5]], [projector])) {
    const { page, problems } = await open(browser, exchange, { size, still: true });
    await watchTexts(page);
    await page.keyboard.press("p");
    await page.waitForSelector(".slide-number");
    await quiet(page);
    await page.evaluate(() => {
      window.texts.length = 0;
    });
    const number = () => page.$eval(".slide-number", (words) => words.textContent);
    assert.match(await number(), /^lesson 5, 1 of \d+$/);
    const count = Number((await number()).split(" ").at(-1));
    const kinds = [];
    for (let clicks = 0; clicks < 4 * count; clicks++) {
      kinds.push(await page.evaluate(() => document.documentElement.dataset.part));
      assert.deepEqual(await small(page, least), [], `${size}: ${await number()}`);
      if ((await number()).endsWith(` ${count} of ${count}`)) break;
      const before = await number();
      // At most one click to see all of a slide.
      for (let i = 0; i < 2 && (await number()) === before; i++) await page.keyboard.press("PageDown");
      assert.notEqual(await number(), before);
    }
    assert.deepEqual([...new Set(kinds)].sort(), ["bound", "film", "question", "title"]);
    await page.keyboard.press("Home");
    assert.match(await number(), / 1 of /);
    await page.evaluate((beat) => {
      location.hash = `#beat=${beat}&present=1&part=1`;
    }, NEARLY);
    await page.waitForSelector(`#beat-${NEARLY}[data-current]`);
    await page.keyboard.press("n");
    assert.ok(await page.$eval(".slide-notes", (notes) => notes.checkVisibility()));
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.documentElement.hasAttribute("data-slides"));
    await quiet(page);
    assert.equal(await address(page), `#beat=${NEARLY}`);
    assert.ok(await page.$eval(`#beat-${NEARLY}`, (beat) => Math.abs(beat.getBoundingClientRect().top) < 200));
    assert.equal((await state(page)).present, false);
    assert.deepEqual(problems, []);
  }
});

test("slides: hands are counted on options, and the answer says what is right", { skip }, async () => {
  const { page, problems } = await open(browser, exchange, {
    size: SIZES.projector,
    hash: `#beat=${CUT}&present=1&part=1`,
  });
  const option = ".poll li:nth-child(2) button";
  assert.ok(parseFloat(await page.$eval(option, (button) => getComputedStyle(button).fontSize)) >= 30);
  for (let i = 0; i < 3; i++) await page.click(option);
  assert.equal(await page.$eval(`${option} b`, (count) => count.textContent), "3");
  assert.equal(await page.$eval(".poll .says", (says) => says.checkVisibility()), false);
  assert.deepEqual(await violations(page, ["serious", "critical"]), []);
  await page.click(".reveal");
  assert.ok(await page.$eval(".poll .says", (says) => says.checkVisibility()));
  const [right, wrong] = await page.evaluate(() =>
    [".right", ".wrong"].map((kind) => getComputedStyle(document.querySelector(`.poll ${kind} button`)).borderColor),
  );
  assert.notEqual(right, wrong);
  assert.deepEqual(await violations(page, ["serious", "critical"]), []);
  assert.deepEqual(problems, []);
});

test("a vote in the text is answered at once, and remembered", { skip }, async () => {
  const { page } = await open(browser, exchange);
  await page.click(".vote .wrong label");
  const said = () => page.$eval(".vote output", (output) => output.textContent);
  assert.match(await said(), /^Not this one\. ./);
  await page.click(".vote .right label");
  assert.match(await said(), /^Right\./);
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  assert.match(await said(), /^Right\./);
  await page.evaluate(() => sessionStorage.clear());
});

test("a coloured word lights its thing while it is pointed at, and keeps it when it is clicked", { skip }, async () => {
  const { page, problems } = await open(browser, exchange, { hash: `#beat=${OPTIMAL}&step=2` });
  const chosen = async () => {
    const { stop, show, follow, light, bound } = await state(page);
    return { stop, show, follow, light, bound };
  };
  const before = await chosen();
  const line = await page.$eval(
    `#beat-${OPTIMAL} a.thing.origin`,
    (word) => getComputedStyle(word).textDecorationColor,
  );
  assert.equal(line, "rgb(0, 114, 178)");
  await page.hover(`#beat-${OPTIMAL} a.thing.origin`);
  assert.equal((await chosen()).show, 0);
  await page.hover(`#beat-${OPTIMAL} a.thing.follow`);
  assert.deepEqual({ ...(await chosen()) }, { ...before, follow: "0-7" });
  await page.mouse.move(5, 5);
  assert.deepEqual(await chosen(), before);
  await quiet(page);
  assert.equal(await address(page), `#beat=${OPTIMAL}&step=2`);
  await page.click(`#beat-${OPTIMAL} a.thing.follow`);
  await page.mouse.move(5, 5);
  await quiet(page);
  assert.equal(await address(page), `#beat=${OPTIMAL}&step=2&follow=0-7`);
  // A word of another beat brings that beat's figure.
  await page.$eval(`#beat-${BRIDGE} a.thing.dimension`, (word) => word.click());
  await page.waitForFunction(() => window.dcube.state().light !== null);
  assert.ok(await page.$eval(`#beat-${BRIDGE}`, (beat) => beat.hasAttribute("data-current")));
  assert.deepEqual(problems, []);
});

const ISSUE_SIZES = [
  [820, 1180],
  [1024, 768],
  [844, 390],
  [390, 844],
  [1280, 900],
  [1920, 1080],
];
const FEW_SIZES = [ISSUE_SIZES[2], ISSUE_SIZES[3], ISSUE_SIZES[5]];

test(
  "the proof and the legend of a lesson's figure are in view, or one button away, at every size",
  { skip },
  async () => {
    for (const size of some(ISSUE_SIZES, FEW_SIZES)) {
      const { page } = await open(browser, exchange, { size, still: true, hash: `#beat=${NEARLY}` });
      const seen = (selector) =>
        page.$eval(selector, (element) => {
          const { left, top, right } = element.getBoundingClientRect();
          const at = document.elementFromPoint((left + right) / 2, top + 8);
          return (
            element.checkVisibility() &&
            (element.contains(at) || at?.contains(element) === true) &&
            top >= 0 &&
            top + 16 < innerHeight
          );
        });
      if (await seen(".unfold")) await page.click(".unfold");
      for (const card of [".proof h2", ".legend h2"]) assert.ok(await seen(card), `${card} at ${size}`);
      if (await seen(".unfold")) await page.click(".unfold");
      for (const part of [".sentence > span", ".transport .play"]) assert.ok(await seen(part), `${part} at ${size}`);
      const stage = await page.$eval(".stage", ({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
      assert.ok(stage[0] >= 300 && stage[1] >= 150, `a stage of ${stage} at ${size}`);
    }
  },
);

test(
  "a lesson is printed as a handout: all figures, answers open, solutions at the end; dark ones in light colours",
  { skip },
  async () => {
    const { page, problems } = await open(browser, exchange, { hash: "?theme=dark" });
    await page.emulateMediaType("print");
    await page.waitForSelector(".solutions");
    const printed = await page.evaluate(() => {
      const visible = (selector) =>
        [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility()).length;
      return {
        player: visible(".player"),
        buttons: visible("button:not(.schedule td button), input:not(.options input), select"),
        stills: visible(".still"),
        strips: visible(".still > .paper, .still > div > .paper"),
        beats: document.querySelectorAll(".beat").length,
        closed: document.querySelectorAll(".ask:not([open]), .vote details:not([open])").length,
        solutions: visible(".solutions h3"),
        exercises: document.querySelectorAll(".exercise").length,
        ground: getComputedStyle(document.documentElement).backgroundColor,
      };
    });
    assert.deepEqual(printed, {
      player: 0,
      buttons: 0,
      stills: printed.beats,
      strips: printed.beats,
      beats: printed.beats,
      closed: 0,
      solutions: printed.exercises,
      exercises: printed.exercises,
      ground: "rgb(255, 255, 255)",
    });
    await page.emulateMediaType("screen");
    await page.waitForFunction(
      () => !document.querySelector(".solutions") && document.documentElement.dataset.theme === "dark",
    );
    assert.deepEqual(problems, []);
  },
);

test(
  "a printed figure that waits before its first step shows three, boards are empty, tables are printed",
  { skip },
  async () => {
    const { page } = await open(browser, exchange);
    await page.emulateMediaType("print");
    await page.waitForSelector(".solutions");
    const of = (beat) =>
      page.$eval(`#beat-${beat} .still`, (still) => ({
        steps: [...still.querySelectorAll(".paper p")].map(({ textContent }) => textContent),
        packets: still.querySelectorAll(".paper linearGradient").length,
        cells: [...still.querySelectorAll(".schedule tbody button")].map(({ textContent }) => textContent),
        caption: still.querySelector("figcaption").textContent,
      }));
    const board = await of(1);
    assert.deepEqual(board.steps, ["step 1", "step 2", "step 3"]);
    assert.equal(board.packets, 0);
    assert.match(board.caption, /^Figure 5\.1: Your turn: .*Draw the packets/);
    const bridge = await of(BRIDGE);
    assert.deepEqual(bridge.steps, ["step 1", "step 2", "step 3", "step 4"]);
    assert.equal(bridge.packets, 4 * 24);
    assert.deepEqual((await of(BRIDGE + 1)).steps, ["step 1", "step 5", "step 8"], "none are named");
    assert.deepEqual(bridge.cells.slice(0, 6), ["0 for 1", "0 for 3", "0 for 5", "2 for 1", "0 for 2", "0 for 7"]);
    const ids = await page.$$eval(".paper [id]", (all) => all.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
    await page.emulateMediaType("screen");
    await page.waitForFunction(() => !document.querySelector(".paper"));
  },
);

test("a printed figure shows the steps that its lesson names, and its bound's picture", { skip }, async () => {
  const { page, problems } = await open(browser, exchange);
  await page.emulateMediaType("print");
  await page.waitForSelector(".solutions");
  const [words, pictures] = await page.$eval("#beat-2 .paper", (strip) => [
    [...strip.querySelectorAll("p")].map(({ textContent }) => textContent),
    [...strip.querySelectorAll("svg")].map((svg) => svg.textContent),
  ]);
  assert.deepEqual(words, ["pulled apart, before step 1", "step 9", "step 12"]);
  assert.match(pictures[0], /16/, "what has to cross is counted");
  assert.deepEqual(problems, []);
});

/** A program of one's own, a torus, a board, unequal messages; other tests print the first lesson and the fifth. */
const PRINTED = some(
  names,
  names.filter((name) => /^(02|08|11|14|17)/.test(name)),
);

for (const name of PRINTED)
  test(`${name}: what is printed side by side differs`, { skip }, async () => {
    const { page, problems } = await open(browser, join(lessons, name), { still: true });
    await page.emulateMediaType("print");
    await page.waitForSelector(".solutions");
    const strips = await page.$$eval(".beat", (beats) =>
      beats.map((beat) => [beat.dataset.print, [...beat.querySelectorAll(".paper p")].map((p) => p.textContent)]),
    );
    for (const [named, words] of strips) {
      assert.equal(new Set(words).size, words.length, `${named}: ${words}`);
      if (named) assert.equal(words.length, named.split(",").length, named);
    }
    assert.deepEqual(problems, []);
  });

test("a network that grows is printed in the sizes that its text speaks of", { skip }, async () => {
  const { page, problems } = await open(browser, join(lessons, names[0]));
  await page.emulateMediaType("print");
  await page.waitForSelector(".solutions");
  const frames = await page.$$eval("#beat-1 .still .paper > div", (all) =>
    all.map((one) => [one.querySelector("p").textContent, one.querySelectorAll("svg text").length]),
  );
  assert.deepEqual(
    frames.map(([words]) => words),
    ["1 node", "2 nodes", "4 nodes", "8 nodes", "16 nodes"],
  );
  for (const [words, numbers] of frames) assert.ok(words.startsWith(`${numbers} `), `${numbers} numbers of ${words}`);
  await page.emulateMediaType("screen");
  await page.waitForFunction(() => !document.querySelector(".paper"));
  assert.deepEqual(problems, []);
});

test("a lesson's table is in sight as a whole, with its key", { skip }, async () => {
  for (const [name, hash, size] of [
    ["05-total-exchange", "#beat=7&step=1", [1024, 768]],
    ["08-torus", "#beat=3&step=1", SIZES.phone],
  ]) {
    const { page, problems } = await open(browser, join(lessons, `${name}.html`), { hash, size });
    await page.waitForSelector(".schedule td button");
    await quiet(page);
    const hidden = await page.$$eval(".schedule, .schedule .grid", (all) =>
      all.map(({ scrollHeight, clientHeight }) => Math.max(0, scrollHeight - clientHeight)),
    );
    assert.deepEqual(hidden, [0, 0], `${name} ${size}`);
    assert.deepEqual(problems, []);
  }
});

test("programs in a lesson's text are not small, and need no scrolling sideways", { skip }, async () => {
  for (const size of [SIZES.laptop, SIZES.phone]) {
    const { page } = await open(browser, join(lessons, "11-your-own-all-reduce.html"), { size });
    const programs = await page.$$eval(".beat pre > .language-cpp", (all) =>
      all.map((one) => [
        parseFloat(getComputedStyle(one).fontSize),
        one.parentElement.scrollWidth > one.parentElement.clientWidth,
      ]),
    );
    assert.ok(programs.length > 1);
    for (const program of programs) assert.deepEqual(program, [13, false], `${size}`);
  }
});

test("a table is beside the figure, with the lesson's names and orientation", { skip }, async () => {
  for (const size of [
    [1440, 900],
    [844, 390],
  ]) {
    const { page, problems } = await open(browser, exchange, { size, hash: `#beat=${BRIDGE}&step=2` });
    const heads = (scope) =>
      page.$$eval(`.schedule th[scope="${scope}"]`, (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(await heads("col"), ["port 0", "port 1", "the bridge"]);
    assert.deepEqual(await heads("row"), ["step 1", "step 2", "step 3", "step 4"]);
    assert.deepEqual(await page.$$eval(".schedule th.now", (all) => all.map(({ textContent }) => textContent)), [
      "step 2",
    ]);
    const [stage, table] = await page.evaluate(() =>
      [".stage", ".schedule"].map((part) => document.querySelector(part).getBoundingClientRect().toJSON()),
    );
    assert.ok(table.left >= stage.right - 1 && table.top < stage.bottom, `beside it at ${size}`);
    assert.ok(stage.height > 120, `${stage.height} px of figure at ${size}`);
    assert.deepEqual(problems, []);
  }
});

test("what the reply to a wrong vote names is shown; a word brings another figure and a step", { skip }, async () => {
  const { page, problems } = await open(browser, join(lessons, "04-one-port-all-ports.html"), { hash: "#beat=4" });
  const wrong = await page.$$eval("#beat-4 .options > .wrong", (all) => {
    all[0].querySelector("input").click();
    return all[0].querySelector(".reply a").getAttribute("href");
  });
  assert.equal(wrong, "#node=31");
  await page.waitForFunction(() => window.dcube.state().selection === "node 31");
  await page.$eval('.exercise a[href="#figure=3&step=3"]', (word) => word.click());
  await page.waitForFunction(() => window.dcube.state().stop === 3);
  assert.ok(await page.$eval("#beat-3", (beat) => beat.hasAttribute("data-current")));
  assert.deepEqual(problems, []);
});

test("?embed shows the current beat's figure alone", { skip }, async () => {
  const { page } = await open(browser, exchange, { size: [480, 320], hash: `?embed#beat=${NEARLY}&step=4` });
  assert.equal((await state(page)).stop, 4);
  const box = await page.$eval(".player", (player) => {
    const { width, height } = player.getBoundingClientRect();
    return [width, height];
  });
  assert.deepEqual(box, [480, 320]);
  assert.equal(await page.$eval("#static", (text) => text.checkVisibility()), false);
});

for (const by of ["its key", "its button"])
  test(
    `the lecturer's window, opened by ${by}, has notes and the next slide, and moves the slides on`,
    { skip },
    async () => {
      const { page } = await open(browser, join(lessons, "05-total-exchange.html"));
      await page.evaluate(() => document.querySelector("article > nav button").click());
      await page.waitForSelector(".slide-number");
      const opened = new Promise((done) => page.once("popup", done));
      if (by === "its key") await page.keyboard.press("w");
      else await page.click(".open-desk");
      const desk = await opened;
      const number = (of) =>
        desk.waitForFunction((of) => document.querySelector(".desk h1")?.textContent.startsWith(of), {}, of);
      await number("1 of ");
      assert.match(await desk.$eval(".desk-notes", (one) => one.textContent), /\w/);
      const next = await desk.$eval(".desk-next", (one) => one.textContent);
      await desk.evaluate(() =>
        [...document.querySelectorAll(".desk-keys button")].find((one) => one.textContent === "Next").click(),
      );
      await number("2 of ");
      assert.ok(next.endsWith((await desk.$eval(".desk h1", (one) => one.textContent)).replace(/^2 of \d+\. /, "")));
      assert.match(await page.$eval(".slide-number", (one) => one.textContent), /, 2 of /);
      await desk.close();
    },
  );
