// Lessons in which dcube runs: films that are changed, sliders, exercises that are done by a run or a program, boards that
// dcube's judge judges; from disk and from a server, and without lab.js. DCUBE_LESSONS names the folder that
// `./dcube docs --lessons` made; where it has no lab.js, because there was no module, only the last two of these tests
// are run.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { SIZES, launch, violations } from "./browser.mjs";
import { some } from "./thorough.mjs";

const lessons = process.env.DCUBE_LESSONS;
const none = lessons ? false : "DCUBE_LESSONS names no folder of lessons";
const skip = none || (existsSync(join(lessons, "lab.js")) ? false : "there is no lab.js beside the lessons");
const names = lessons
  ? readdirSync(lessons)
      .filter((name) => /^\d.*\.html$/.test(name))
      .sort()
  : [];
const lesson = (number) => names.find((name) => name.startsWith(number));

let browser;
let server;
before(async () => {
  if (!lessons) return;
  browser = await launch();
  const types = { ".html": "text/html", ".js": "text/javascript" };
  server = createServer(({ url }, answer) => {
    const file = join(lessons, decodeURIComponent(new URL(url, "http://x").pathname));
    answer.writeHead(existsSync(file) ? 200 : 404, { "content-type": types[extname(file)] ?? "text/plain" });
    answer.end(existsSync(file) ? readFileSync(file) : "");
  }).listen(0, "127.0.0.1");
  await new Promise((done) => {
    server.once("listening", done);
  });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A page whose requests and problems are kept; its films stand still until they are played. */
async function opened(address, { size = SIZES.laptop } = {}) {
  const page = await browser.newPage();
  const problems = [];
  const requests = [];
  page.setDefaultTimeout(120000);
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  await page.setViewport({ width: size[0], height: size[1] });
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(address);
  await page.waitForSelector("body[data-ready]");
  return { page, problems, requests };
}
const fromDisk = (name) => `file://${join(lessons, name)}`;
const fromServer = (name) => `http://127.0.0.1:${server.address().port}/${name}`;

const press = (page, selector) => page.$eval(selector, (button) => button.click());
const figure = (page) => page.$eval(".player .title", ({ dataset, textContent }) => [dataset.figure, textContent]);
const yourRun = (page) =>
  page.waitForFunction(() => document.querySelector(".player .title")?.dataset.figure === "Your run");
/** Fills a field of a lab. */
const fill = (page, lab, key, text) =>
  page.$eval(
    `${lab} .lab-field[data-key="${key}"]`,
    (field, text) => {
      const control = field.querySelector("input, select");
      control.value = text;
      control.dispatchEvent(new Event(control.matches("select") ? "change" : "input", { bubbles: true }));
    },
    text,
  );

test("a film is changed and run, from disk and from a server; the lesson's own comes back", { skip }, async () => {
  for (const place of [fromDisk, fromServer]) {
    const { page, problems, requests } = await opened(place(lesson("02")));
    assert.equal(
      requests.filter((url) => !url.startsWith("data:")).length,
      1,
      "nothing is loaded before it is asked for",
    );
    const before = await figure(page);
    await press(page, "#beat-2 .try");
    await yourRun(page);
    await fill(page, "#beat-2", "topology", "torus:3x3");
    await press(page, "#beat-2 .lab-run");
    await page.waitForFunction(
      () =>
        /torus/.test(document.querySelector(".player .title").textContent) ||
        document.querySelectorAll(".player .links li").length > 24 ||
        document.querySelector("#beat-2 .lab-state").textContent.includes("8 packets"),
    );
    assert.match(
      await page.$eval("#beat-2 .lab-state", ({ textContent }) => textContent),
      /8 packets; 9 blocks verified/,
    );
    const foreign = requests.filter((url) => !url.startsWith("blob:") && !url.startsWith("data:"));
    assert.deepEqual(
      foreign.map((url) => url.split("/").at(-1)),
      [lesson("02"), "lab.js"],
    );
    await press(page, "#beat-2 .figures button:not([hidden]):nth-of-type(3)");
    await page.waitForFunction(() => document.querySelector(".player .title")?.dataset.figure === "Figure 2.2");
    assert.notEqual((await figure(page))[0], "Your run");
    assert.ok(before[1].length > 0);
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test("a page of lessons forbids eval and scripts of others, and has no network", { skip }, async () => {
  const { page } = await opened(fromServer(lesson("02")));
  const found = await page.evaluate(async () => {
    const script = (src) =>
      new Promise((done) => {
        const made = document.createElement("script");
        made.onload = () => done("loaded");
        made.onerror = () => done("refused");
        made.src = src;
        document.head.append(made);
      });
    const policy = document.querySelector("meta[http-equiv]").content;
    return {
      policy: policy.replace(/'sha256-[^']*'/g, "HASH"),
      other: await script("data:text/javascript,1"),
      fetched: await fetch("index.html").then(
        () => "fetched",
        () => "refused",
      ),
    };
  });
  const policy =
    "default-src 'none'; script-src HASH HASH 'self' 'wasm-unsafe-eval' blob:; worker-src blob:; " +
    "style-src HASH; base-uri 'none'; form-action 'none'";
  assert.deepEqual(found, { policy, other: "refused", fetched: "refused" });
  await page.close();
});

test("a slider's value without a film in the page is run", { skip }, async () => {
  const { page, problems } = await opened(fromDisk(lesson("02")));
  const beat = await page.$("section.beat[data-documents*='-']");
  await beat.evaluate((element) => {
    const input = element.querySelector(".parameters input");
    input.value = input.max;
    input.dispatchEvent(new Event("input"));
  });
  await page.waitForFunction(
    (element) => /\d steps/.test(element.querySelector(".parameters output").textContent),
    {},
    beat,
  );
  // 60 packets, 3 ports: 20 + 3 - 1 steps.
  await beat.evaluate((element) => element.querySelector(".vote .right input")?.click());
  assert.match(await beat.evaluate((element) => element.querySelector(".parameters output").textContent), /^22 steps/);
  await page.waitForFunction(() => / of 22$/.test(document.querySelector(".player .count").textContent));
  assert.deepEqual(problems, []);
  await page.close();
});

/** A cube that grows, an exercise by a run and one by a program, the most films, a deadlock, and a link that fails. */
const FEW = ["01", "02", "05", "12", "15"];

for (const name of some(
  names,
  names.filter((name) => FEW.includes(name.slice(0, 2))),
))
  test(`${name}: its films and its exercises can be run, and an exercise's solution is right`, { skip }, async () => {
    const { page, problems } = await opened(fromDisk(name));
    await press(page, "section.beat .try"); // a board has none
    await page.waitForFunction(() => window.dcubeLab);
    const films = await page.evaluate(async () => {
      const wrong = [];
      const requests = [...document.querySelectorAll("section.beat")].flatMap(({ dataset }) =>
        dataset.requests ? JSON.parse(dataset.requests) : [JSON.parse(dataset.request)],
      );
      for (const request of requests) {
        const { error, results } = await window.dcubeLab.ask({ ...request, results: ["report", "document"] }).answer;
        if (error || typeof results.document !== "string" || results.report.verified !== true)
          wrong.push([request, error?.message]);
      }
      return { wrong, count: requests.length };
    });
    assert.deepEqual(films.wrong, []);
    assert.ok(films.count >= 3);
    for (const exercise of await page.$$("section.exercise")) {
      const id = `#${await exercise.evaluate(({ id }) => id)}`;
      const verdict = () => page.$eval(`${id} .verdict-of-answer`, ({ textContent }) => textContent);
      const said = async (pattern) => {
        await page.waitForFunction(
          (id) => document.querySelector(`${id} .verdict-of-answer`).textContent !== "",
          {},
          id,
        );
        assert.match(await verdict(), pattern, `${name} ${id}`);
        await page.$eval(`${id} .verdict-of-answer`, (output) => output.replaceChildren());
      };
      await press(page, `${id} .entry button`);
      const run = `${id} .lab-run`;
      await page.waitForSelector(run);
      if ((await exercise.evaluate(({ dataset }) => dataset.by)) === "run") {
        await press(page, run);
        await said(/^Not yet\. ./);
        const solved = await exercise.evaluate(({ dataset }) => JSON.parse(dataset.solved));
        for (const [key, value] of Object.entries(solved))
          if (await page.$(`${id} .lab-field[data-key="${key}"]`)) await fill(page, id, key, String(value));
        await press(page, run);
      } else {
        await press(page, run);
        await said(/^Not yet\. ./);
        await exercise.evaluate((root) => {
          const area = root.querySelector(".editor textarea");
          area.value = root.querySelector("details.answer code.language-js").textContent;
          area.dispatchEvent(new Event("input", { bubbles: true }));
        });
        await press(page, run);
      }
      await said(/^Right\. ./);
      await yourRun(page);
    }
    assert.deepEqual(
      problems.filter((problem) => !/Content Security Policy|inline/.test(problem)),
      [],
    );
    await page.close();
  });

test("a finished board is accepted by dcube's judge", { skip }, async () => {
  const name = names.find((one) =>
    readFileSync(join(lessons, one), "utf8").includes("Your turn: broadcast on a 3-cube."),
  );
  const { page, problems } = await opened(fromDisk(name));
  await page.evaluate(() =>
    [...document.querySelectorAll(".beat")]
      .find((beat) => beat.textContent.includes("Your turn: broadcast on"))
      .querySelector(".again")
      .click(),
  );
  await page.waitForSelector(".player.board");
  await page.evaluate(() => {
    window.dcube().choose({ moves: "0p0__0p1_1p1__0p2_1p2_2p2_3p2__" });
  });
  const said = () => page.$eval(".judged", ({ textContent }) => textContent);
  assert.equal(await said(), "Ask dcube's judge");
  await press(page, ".judged button");
  await page.waitForFunction(() => /^Accepted/.test(document.querySelector(".judged").textContent));
  assert.equal(await said(), "Accepted by dcube's judge: 3 steps.");
  // From now on it is asked at once; and it is heard where it does not agree.
  await page.evaluate(() => {
    window.dcubeLab.lesson.judge = async () => ({ accepted: false, words: "line 3: no" });
  });
  await page.evaluate(() => {
    window.dcube().choose({ moves: "0p1__0p0_2p0__0p2_1p2_2p2_3p2__" });
  });
  await page.waitForFunction(() => /does not agree/.test(document.querySelector(".judged.wrong")?.textContent));
  assert.deepEqual(problems, []);
  await page.close();
});

test("a lesson with its form open is accessible, on a laptop and a phone", { skip }, async () => {
  for (const size of some([SIZES.laptop, SIZES.phone], [SIZES.phone])) {
    const { page } = await opened(fromDisk(lesson("02")), { size });
    await press(page, "#beat-2 .try");
    await yourRun(page);
    await press(page, "section.exercise .entry button");
    await page.waitForSelector("section.exercise .lab-run");
    assert.deepEqual(await violations(page, ["serious", "critical"]), [], `${size}`);
    assert.ok(
      (await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0,
      `too wide for ${size}`,
    );
    await page.close();
  }
});

test("a lesson that was copied alone says what is missing, and does everything else", { skip: none }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "dcube-lesson-"));
  copyFileSync(join(lessons, lesson("02")), join(folder, "alone.html"));
  const { page, problems } = await opened(`file://${join(folder, "alone.html")}`);
  const sentence =
    "To run dcube here, the file lab.js must lie in the folder of this page: ./dcube docs --lessons makes both.";
  await press(page, "#beat-2 .try");
  await page.waitForFunction(() => document.querySelector("#beat-2 .trial-said").textContent !== "");
  assert.equal(await page.$eval("#beat-2 .trial-said", ({ textContent }) => textContent), sentence);
  await press(page, "section.exercise .entry button");
  await page.waitForFunction(
    (sentence) => document.querySelector("section.exercise .verdict-of-answer").textContent === sentence,
    {},
    sentence,
  );
  const beat = await page.$("section.beat[data-documents*='-']");
  const slide = (value) =>
    beat.evaluate((element, value) => {
      const input = element.querySelector(".parameters input");
      input.value = value ?? input.max;
      input.dispatchEvent(new Event("input"));
    }, value);
  await beat.evaluate((element) => element.querySelector(".vote .right input")?.click());
  await slide(null);
  await page.waitForFunction(
    (element, sentence) => element.querySelector(".parameters output").textContent === sentence,
    {},
    beat,
    sentence,
  );
  await slide("1");
  await page.waitForFunction(
    (element) => /\d steps/.test(element.querySelector(".parameters output").textContent),
    {},
    beat,
  );
  assert.deepEqual(
    problems.filter((problem) => !/ERR_FILE_NOT_FOUND/.test(problem)),
    [],
  );
  await page.close();
  rmSync(folder, { recursive: true });
});

test("no page of a lesson is larger than 460 000 bytes", { skip: none }, () => {
  for (const name of names) assert.ok(statSync(join(lessons, name)).size < 460000, name);
});
