// Every kind of run, from disk: no error, no request, all numbers right, nothing overflows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, open, SIZES, state } from "./browser.mjs";
import { pageOfRun, program, traceOf } from "./documents.mjs";
import { some } from "./thorough.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const RUNS = {
  "total exchange": ["all-to-all", "--dim", "3"],
  broadcast: ["broadcast", "--dim", "3", "--packets", "5"],
  scatter: ["scatter", "--dim", "3"],
  gather: ["gather", "--dim", "3", "--root", "5"],
  "all-gather": ["all-gather", "--dim", "3"],
  reduce: ["reduce", "--dim", "3", "--packets", "3"],
  "reduce-scatter": ["reduce-scatter", "--dim", "3"],
  "all-reduce": ["all-reduce", "--dim", "3"],
  torus: ["all-to-all", "--topology", "torus:4x3"],
  "one port": ["all-to-all", "--dim", "3", "--ports", "one"],
  "link-bound broadcast": [
    "broadcast",
    "--dim",
    "4",
    "--bytes",
    "64KiB",
    "--link",
    "link-bound",
    "--tau",
    "1",
    "--beta",
    "1000",
  ],
  "link-bound exchange": [
    "all-to-all",
    "--dim",
    "3",
    "--bytes",
    "1KiB",
    "--link",
    "link-bound",
    "--tau",
    "1",
    "--beta",
    "100",
  ],
  "one link": ["all-to-all", "--dim", "1"],
  summary: ["all-to-all", "--dim", "7"],
  "summary of a broadcast": ["broadcast", "--dim", "8", "--packets", "8"],
};

const file = (name) => join(folder, `${name.replaceAll(" ", "-")}.html`);

/** Elements that stick out of the window, and text that is too small. */
const faults = () => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`page is ${document.documentElement.scrollWidth} wide`);
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest(".hidden, script, style, option, #static") || !element.getClientRects().length) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 0 && (left < -1 || right > innerWidth + 1))
      found.push(`${element.tagName}.${element.className} from ${left} to ${right}`);
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (text && parseFloat(getComputedStyle(element).fontSize) < 12.5) found.push(`small text: ${element.textContent}`);
  }
  return found;
};

for (const [index, [name, args]] of Object.entries(RUNS).entries()) {
  test(`${name}: plays to the end as the report says`, async () => {
    pageOfRun(file(name), args);
    const { lines } = traceOf(args);
    const { page, problems } = await open(browser, file(name));
    const start = await state(page);
    assert.equal(start.films[0].arrived, 0);
    await page.evaluate(() => window.dcube.seek(1e9));
    const [film] = (await state(page)).films;
    assert.equal(film.packets, lines.length);
    assert.equal(film.arrived, lines.length);
    assert.deepEqual(film.got, film.due, "everybody has what it needs");
    await drawn(page);
    assert.deepEqual(problems, []);
  });

  test(`${name}: fits the window`, async () => {
    const all = [
      ["projector", true],
      ["laptop", false],
      ["phone", true],
    ];
    for (const [size, dark] of some(all, [all[2], ...all.slice(index % 2, 1 + (index % 2))])) {
      const { page, problems } = await open(browser, file(name), { size: SIZES[size], dark, still: true });
      await page.evaluate(() => window.dcube.seek(2));
      await drawn(page);
      assert.deepEqual(await page.evaluate(faults), [], size);
      const cut = await page.evaluate(() =>
        window.dcube
          .scene()
          .filter(Boolean)
          .flatMap(({ boxes, width, height }) =>
            boxes.filter(([l, t, r, b]) => l < 0 || t < 0 || r > width || b > height),
          ),
      );
      assert.deepEqual(cut, [], `${size}: boxes are cut`);
      assert.deepEqual(problems, []);
    }
  });
}

test("forwards, then back to any stop, is the same as going there", async () => {
  for (const name of ["total exchange", "broadcast", "all-reduce", "link-bound exchange", "summary"]) {
    const { page } = await open(browser, file(name));
    const stops = (await state(page)).stops;
    const wanted = [0, 1, Math.floor(stops / 3), Math.floor(stops / 2), stops - 2, stops - 1];
    const visit = (order) =>
      page.evaluate(
        (order) =>
          Object.fromEntries(
            order.map((stop) => {
              window.dcube.seek(stop);
              const {
                films: [{ got, kept, arrived, tally }],
              } = window.dcube.state();
              return [stop, { got, kept, arrived, tally }];
            }),
          ),
        order,
      );
    const onwards = await visit(wanted);
    assert.deepEqual(await visit([...wanted].reverse()), onwards, name);
    assert.notDeepEqual(onwards[0], onwards[stops - 1], name);
  }
});

test("the state in the middle is what the trace says", async () => {
  const { lines } = traceOf(RUNS["total exchange"]);
  const { page } = await open(browser, file("total exchange"));
  await page.evaluate(() => window.dcube.seek(3));
  const where = new Map();
  for (const { step, to, pieces } of lines)
    if (step <= 2) for (const { origin, target } of pieces) where.set(`${origin} ${target}`, [to, target]);
  const got = Array(8).fill(1);
  for (const [at, target] of where.values()) if (at === target) got[target]++;
  assert.deepEqual((await state(page)).films[0].got, got);
});

test("the lower bound on the page is the program's", async () => {
  const report = JSON.parse(program("run", "all-to-all", "--dim", "3", "--format", "json").text);
  const { page } = await open(browser, file("total exchange"));
  const text = await page.$eval(".proof", (card) => card.textContent);
  assert.match(text, new RegExp(`= ${report.steps} steps`));
  await page.evaluate(() => window.dcube.seek(2));
  assert.match(await page.$eval(".tally", (card) => card.textContent), /^4 of 16 .*after 1 of 4 steps/);
});

test("384 packets at once, and the same picture as SVG", async () => {
  const large = join(folder, "six.html");
  pageOfRun(large, ["all-to-all", "--dim", "6"]);
  const { page, problems } = await open(browser, large, { hash: "#step=3&show=-1" });
  assert.equal((await state(page)).films[0].busy, 384);
  const svg = await page.evaluate(() => window.dcube.svg());
  assert.equal(
    (await page.evaluate(
      (svg) => new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("circle").length,
      svg,
    )) >= 384,
    true,
  );
  assert.doesNotMatch(svg, /<script|href|onload/);
  assert.equal(svg, await page.evaluate(() => window.dcube.svg()));
  assert.deepEqual(problems, []);
});
