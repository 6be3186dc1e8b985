// The page of a benchmark, in a browser: its charts, its buttons, for all readers, on every
// screen; and a broken or hostile document, which only leads to a message.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { bareCell, benchmarkOf, cellOf, compared, dissected, sweep, writeBench } from "./benchmarks.mjs";
import { drawn, folder, launch, open, SIZES, violations } from "./browser.mjs";
import { program } from "./documents.mjs";
import { sources } from "./sources.mjs";
import { some } from "./thorough.mjs";

const { Unreadable, readDocument } = await sources(folder, "bench/document", "kit/columns");
const DOUBT = "the samples spread too far";
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const small = () =>
  benchmarkOf(sweep({ dims: [6, 8, 10], sizes: [64, 4096], threads: [1, 2, 4] }), {
    warnings: ["The machine is busy: 1.2 processors are idle."],
  });

async function shown(document, name, options) {
  const opened = await open(browser, writeBench(join(folder, `bench-${name}.html`), document), options);
  await drawn(opened.page);
  return opened;
}

/** Every chart's title, its text, the number of its curves, and the text of its axes. */
const figures = (page) =>
  page.$$eval(".figures > section", (sections) =>
    sections.map((section) => {
      const svg = section.querySelector(".chart > svg");
      return {
        id: section.id,
        about: section.querySelector(".about").textContent,
        empty: section.hasAttribute("data-empty"),
        curves: [...section.querySelectorAll(".curve[aria-pressed=true]")].map(({ textContent }) => textContent),
        texts: svg ? [...svg.querySelectorAll("text")].map(({ textContent }) => textContent) : [],
        dots: svg ? svg.querySelectorAll("[data-part=dot] > *").length : 0,
        label: svg?.getAttribute("aria-label"),
      };
    }),
  );
const figure = async (page, id) => (await figures(page)).find((one) => one.id === id);

/** Presses the button with these words in a chart. */
const press = async (page, id, words) => {
  await page.evaluate(
    (section, text) =>
      [...document.querySelectorAll(`#${section} button`)]
        .find((button) => button.textContent.startsWith(text))
        .click(),
    id,
    words,
  );
  await drawn(page);
};

/** The file that the button "Save SVG" of a chart saves: its name and its text. */
const saved = (page, id) =>
  page.evaluate(async (section) => {
    const [create, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
    let blob;
    let name;
    URL.createObjectURL = (made) => {
      blob = made;
      return create.call(URL, made);
    };
    HTMLAnchorElement.prototype.click = function () {
      name = this.download;
    };
    [...document.querySelectorAll(`#${section} button`)]
      .find(({ textContent }) => textContent.startsWith("Save SVG"))
      .click();
    Object.assign(URL, { createObjectURL: create });
    HTMLAnchorElement.prototype.click = click;
    return { name, type: blob.type, text: await blob.text() };
  }, id);

test("a sweep: title, warnings, all charts with their units, no request and no error", async () => {
  const { page, problems } = await shown(small(), "sweep");
  assert.equal(
    await page.$eval("h1", (heading) => heading.textContent),
    "Benchmark of all-to-all on hypercubes of dimension 6 to 10, 1, 2 and 4 threads",
  );
  assert.match(await page.$eval(".notices", (notices) => notices.textContent), /The machine is busy/);
  assert.match(await page.$eval(".subtitle code", (code) => code.textContent), /^dcube bench all-to-all/);
  const charts = await figures(page);
  assert.deepEqual(
    charts.map(({ id }) => id),
    ["speed-up", "map", "steps", "throughput", "hop", "share", "rounds", "samples"],
  );
  assert.deepEqual(
    charts.filter(({ empty }) => empty).map(({ id }) => id),
    ["steps"],
  );
  const [speedUp, , , throughput, hop, share] = charts;
  assert.deepEqual([speedUp.curves.length, speedUp.dots], [6, 18]);
  assert.ok(
    speedUp.texts.includes("speed-up (× one thread)") && speedUp.texts.includes("threads"),
    speedUp.texts.join("|"),
  );
  assert.ok(
    ["64 B", "4 KiB", "link throughput (GB/s)"].every((text) => throughput.texts.includes(text)),
    throughput.texts.join("|"),
  );
  assert.ok(
    ["6", "8", "10", "ns per hop"].every((text) => hop.texts.includes(text)),
    hop.texts.join("|"),
  );
  assert.match(share.label, /^Share of this machine's limit: .* over dimension/);
  assert.equal(
    await page.$$eval(
      "#hop .chart [data-part=line] path",
      (lines) => lines.filter((line) => line.closest("[stroke-dasharray='1.5 3']")).length,
    ),
    6,
    "a limit for each curve",
  );
  assert.equal(await page.$$eval("#cells tbody tr", (rows) => rows.length), 18);
  assert.match(
    await page.$eval(".sources", (sources) => sources.textContent),
    /A made-up processor.*L2 1 MiB.*GNU 12\.2\.0.*max seconds/s,
  );
  assert.deepEqual(problems, []);
});

test("each of eight curves has a colour and a marker of its own", async () => {
  const { page, problems } = await shown(
    benchmarkOf(sweep({ dims: [5, 6, 7, 8, 9, 10, 11, 12], sizes: [64], threads: [1, 2, 4] })),
    "eight",
  );
  const looks = await page.$$eval("#speed-up .curve .swatch", (swatches) =>
    swatches.map((swatch) => {
      const [line, dot] = ["line", "dot"].map((label) => swatch.querySelector(`[data-part=${label}]`));
      return [line.getAttribute("stroke"), dot.querySelector("path, circle").getAttribute("d") ?? "circle"];
    }),
  );
  assert.equal(looks.length, 8);
  for (const column of [0, 1]) assert.equal(new Set(looks.map((look) => look[column])).size, 8, JSON.stringify(looks));
  assert.deepEqual(problems, []);
});

test("many curves: at most eight are drawn, which is said; the legend brings the others", async () => {
  const { page, problems } = await shown(benchmarkOf(sweep({ threads: [1, 2, 4] })), "many");
  const { curves, about } = await figure(page, "speed-up");
  assert.equal(curves.length, 7);
  assert.match(about, /7 of 28 curves drawn, at first those with 8 B\./);
  await press(page, "speed-up", "21 more curves");
  await press(page, "speed-up", "d = 6, 64 B");
  assert.equal((await figure(page, "speed-up")).curves.length, 8);
  for (const name of (await figure(page, "speed-up")).curves) await press(page, "speed-up", name);
  assert.equal((await figure(page, "speed-up")).dots, 0);
  assert.match(await page.$eval("#speed-up .chart", (chart) => chart.textContent), /No curve is chosen/);
  await press(page, "speed-up", "d = 12, 8 B");
  assert.equal((await figure(page, "speed-up")).dots, 3);
  assert.deepEqual(problems, []);
});

test("choices leave out cells, and stand in the address", async () => {
  const { page, problems } = await shown(small(), "choices");
  await page.select(".choices label:nth-child(2) select", "4 KiB");
  await drawn(page);
  assert.equal(await page.$$eval("#cells tbody tr", (rows) => rows.length), 9);
  assert.deepEqual((await figure(page, "speed-up")).curves, ["d = 6", "d = 8", "d = 10"]);
  assert.match(await page.evaluate(() => location.hash), /message=4\+KiB/);
  const { page: again } = await shown(small(), "choices", { hash: "#message=4+KiB&threads=2+threads&theme=dark" });
  assert.equal(await again.$$eval("#cells tbody tr", (rows) => rows.length), 3);
  assert.equal(await again.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.match((await figure(again, "speed-up")).about, /one number of threads only/);
  assert.deepEqual(problems, []);
  await again.close();
});

test("what there is no data for gives a sentence and no frame", async () => {
  const { page, problems } = await shown(benchmarkOf([cellOf({ limits: false })]), "one");
  const charts = await figures(page);
  for (const { id, empty, texts } of charts.slice(0, 6)) assert.deepEqual([id, empty, texts.length], [id, true, 0]);
  assert.match(charts[0].about, /one number of threads only/);
  assert.match(charts[5].about, /dcube limits/);
  assert.deepEqual(
    charts.slice(6).map(({ empty }) => empty),
    [false, false],
  );
  assert.equal(await page.$eval("#speed-up .chart", (chart) => chart.offsetHeight), 0);
  assert.deepEqual(problems, []);
});

test("no cells at all, and cells of matrices of which nothing but the median is known", async () => {
  const none = await shown(
    benchmarkOf([], {
      left_out: [{ cell: "all-to-all, hypercube:20", reason: "it needs too much memory" }],
      limits: null,
    }),
    "none",
  );
  assert.match(
    await none.page.$eval("main", (main) => main.textContent),
    /nothing was measured.*it needs too much memory/s,
  );
  assert.deepEqual(none.problems, []);
  const bare = await shown(benchmarkOf([bareCell(), bareCell(256)]), "bare");
  assert.deepEqual(
    (await figures(bare.page)).map(({ empty }) => empty),
    Array(8).fill(true),
  );
  assert.match(await bare.page.$eval("#cells", (cells) => cells.textContent), /128 × 128.*256 × 128/s);
  assert.deepEqual(bare.problems, []);
});

test("weak scaling: a curve is so many nodes per thread", async () => {
  const cells = [
    [6, 1],
    [7, 2],
    [8, 4],
    [7, 1],
    [8, 2],
    [9, 4],
  ].map(([dim, threads]) => cellOf({ dim, threads }));
  const document = benchmarkOf(cells);
  document.settings.weak = true;
  const { page, problems } = await shown(document, "weak");
  assert.deepEqual((await figure(page, "speed-up")).curves, [
    "hypercube, 64 nodes per thread",
    "hypercube, 128 nodes per thread",
  ]);
  assert.deepEqual(problems, []);
});

test("a chart's numbers are a table", async () => {
  const { page, problems } = await shown(small(), "numbers");
  await press(page, "hop", "Numbers");
  const rows = await page.$$eval("#hop .numbers tbody tr", (all) =>
    all.map((row) => [...row.children].map(({ textContent }) => textContent)),
  );
  assert.equal(rows.length, 18);
  assert.deepEqual([rows[0][0], rows[0][1]], ["64 B, 1 thread", "6"]);
  assert.match(rows[0][2], /^[\d.]+$/);
  assert.match(rows[0][3], /^[\d.]+ to [\d.]+$/);
  assert.equal(
    await page.$eval("#hop button[aria-expanded]", (button) => button.getAttribute("aria-expanded")),
    "true",
  );
  await press(page, "hop", "Numbers");
  assert.equal(await page.$eval("#hop .numbers", (area) => area.hidden), true);
  assert.deepEqual(problems, []);
});

test("throughput: bus bandwidth by choice, and another axis", async () => {
  const { page, problems } = await shown(small(), "busbw");
  await page.select("#throughput label:nth-child(1) select", "bus bandwidth");
  await drawn(page);
  assert.ok((await figure(page, "throughput")).texts.includes("bus bandwidth (GB/s)"));
  await page.select("#throughput label:nth-child(2) select", "threads");
  await drawn(page);
  assert.ok((await figure(page, "throughput")).texts.includes("threads"));
  assert.deepEqual(problems, []);
});

test("saved charts are whole files: their own colours and legend, nothing that is run or fetched", async () => {
  const document = dissected();
  document.host.cpu = "</svg><script>window.harmed=1</script>";
  const { page, problems } = await shown(document, "saved");
  for (const id of ["speed-up", "map", "steps", "throughput", "hop", "share", "rounds", "samples"]) {
    const { name, type, text } = await saved(page, id);
    assert.deepEqual([name, type], [`dcube-${id}.svg`, "image/svg+xml"]);
    const seen = await page.evaluate((svg) => {
      const made = new DOMParser().parseFromString(svg, "image/svg+xml");
      const all = [...made.querySelectorAll("*")];
      const colours = all.flatMap((one) => ["fill", "stroke"].map((key) => one.getAttribute(key))).filter(Boolean);
      return {
        root: made.documentElement.nodeName,
        errors: made.querySelectorAll("parsererror, script, style, foreignObject, image").length,
        title: made.querySelector("title").textContent,
        indirect: colours.filter((colour) => /var\(|currentColor/.test(colour)),
        classes: all
          .filter((one) => one.hasAttribute("class") || one.hasAttribute("style"))
          .map((one) => one.outerHTML.slice(0, 300)),
        texts: [...made.querySelectorAll("text")].map(({ textContent }) => textContent).join(" "),
      };
    }, text);
    assert.deepEqual([seen.root, seen.errors, seen.indirect, seen.classes], ["svg", 0, [], []], id);
    assert.match(seen.texts, /dcube 1\.0\.0/);
    assert.ok(["rounds", "samples"].includes(id) || /64 B|d = 6/.test(seen.texts), seen.texts);
    assert.doesNotMatch(text, /NaN|undefined|url\(/);
  }
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.deepEqual(problems, []);
});

test("the table is sorted by any column, up and down; what is not known comes last", async () => {
  const cells = sweep({ dims: [6, 10], sizes: [64], threads: [1, 2] });
  cells[1].speed_up = null;
  const { page, problems } = await shown(benchmarkOf(cells), "table");
  const sort = async (name) => {
    await page.evaluate(
      (text) =>
        [...document.querySelectorAll("#cells thead button")].find(({ textContent }) => textContent === text).click(),
      name,
    );
    return page.$$eval(
      "#cells table",
      ([table], text) => {
        const at = [...table.querySelectorAll("thead th")].findIndex(({ textContent }) => textContent === text);
        return {
          sorted: table.querySelectorAll("thead th")[at].getAttribute("aria-sort"),
          column: [...table.querySelectorAll("tbody tr")].map((row) => row.children[at].textContent),
          focus: document.activeElement.textContent,
        };
      },
      name,
    );
  };
  const up = await sort("network");
  assert.deepEqual([up.sorted, up.column, up.focus], ["ascending", ["d = 6", "d = 6", "d = 10", "d = 10"], "network"]);
  const down = await sort("network");
  assert.deepEqual([down.sorted, down.column], ["descending", ["d = 10", "d = 10", "d = 6", "d = 6"]]);
  assert.equal((await sort("speed-up")).column.at(-1), "");
  assert.equal((await sort("speed-up")).column.at(-1), "");
  assert.deepEqual(problems, []);
});

test("samples: of the cell that is doubted at first, then of the row that is chosen", async () => {
  const document = small();
  document.cells[4].doubts = [DOUBT];
  const { page, problems } = await shown(document, "samples");
  const { about, dots } = await page.$eval("#samples", (section) => ({
    about: section.querySelector(".about").textContent,
    dots: section.querySelectorAll("[data-part=dot] circle").length,
  }));
  assert.match(about, /: 200 runs in 8 rounds: median .*Doubtful: the samples spread too far\.$/);
  assert.equal(dots, 200);
  assert.match(await page.$eval(".notices", (notices) => notices.textContent), /the samples spread too far: 1 cell/);
  const legend = await page.$eval("#hop .curves", (curves) => curves.textContent);
  assert.match(legend, /hollow, dashed: doubtful/);
  await page.click("#cells tbody tr:last-child button");
  await drawn(page);
  assert.equal(
    await page.$eval("#samples select", (select) => select.selectedOptions[0].textContent),
    "all-to-all, optimal, d = 10, 4 KiB, 4 threads",
  );
  assert.deepEqual(problems, []);
});

test("an interval far wider than all values leaves the frame, which is said; an interrupted run does not flatten the others", async () => {
  const cells = sweep({ dims: [6, 8], sizes: [64], threads: [1, 2] });
  Object.assign(cells[1], {
    speed_up_interval: [0.1, 400],
    doubts: ["spread: the interval is 900 % of the median wide"],
  });
  cells[3].doubts = ["spread: the interval is 30 % of the median wide"];
  cells[1].rounds[2].samples_seconds[5] = cells[1].median_seconds * 1000;
  const { page, problems } = await shown(benchmarkOf(cells), "wide");
  const { about, texts } = await figure(page, "speed-up");
  assert.match(about, /some longer than the frame/);
  assert.ok(
    texts.every((text) => !(parseFloat(text) >= 10 && text.endsWith("×"))),
    texts.join("|"),
  );
  const inside = await page.$$eval("#speed-up .chart", ([chart]) => {
    const bottom = chart.querySelector("[data-part='x-axis tick']")?.getBoundingClientRect().bottom ?? Infinity;
    return [...chart.querySelectorAll("[data-part=rule] line")].every(
      (line) =>
        line.getBoundingClientRect().bottom <= bottom &&
        line.getBoundingClientRect().top >= chart.getBoundingClientRect().top,
    );
  });
  assert.ok(inside, "bars end at the frame");
  assert.match(
    await page.$eval(".notices", (notices) => notices.textContent),
    /spread: the interval is 900 % of the median wide, and the like: 2 cells/,
  );
  const ticks = (await figure(page, "samples")).texts
    .map((text) => parseFloat(text.replaceAll(/\s/g, "")))
    .filter((value) => value > 0);
  assert.ok(Math.max(...ticks) / Math.min(...ticks) > 100, ticks.join(" "));
  assert.deepEqual(problems, []);
});

const says = (page, id) => page.$eval(`#${id} .says`, (says) => says.textContent);

/** Cells of one size with these speed-ups, by dimension and threads. */
const scaling = (...cells) =>
  cells.map(([dim, threads, up, doubts = []]) => ({
    ...cellOf({ dim, threads, doubts }),
    speed_up: up,
    speed_up_interval: [up * 0.98, up * 1.02],
  }));

test("a sentence tells which threads gain, from where on, and how much; doubtful cells do not count", async () => {
  const one = [7, 8, 9, 10].map((dim) => [dim, 1, 1]);
  const few = ["few: only 3 samples were not disturbed"];
  for (const [cells, sentence] of [
    [
      [...one, [7, 2, 0.5], [8, 2, 0.8], [9, 2, 1.4], [10, 2, 1.86], [10, 16, 7.54], [9, 16, 4]],
      "2 threads lose below d = 9 and reach 1.9 at d = 10; 16 threads reach 7.5 at d = 10.",
    ],
    [[...one, [7, 2, 0.5], [8, 2, 0.8]], "2 threads gain nowhere: 0.5 at d = 7, 0.8 at d = 8."],
    [[...one, [7, 2, 1], [8, 2, 1.01]], "2 threads neither gain nor lose."],
    [[...one, [7, 2, 1], [8, 2, 1.5]], "2 threads lose nowhere and reach 1.5 at d = 8."],
    [
      [...one, [7, 2, 1.2], [8, 2, 0.8], [9, 2, 1.4]],
      "2 threads lose in 1 of 3 cells, all below d = 9 (0.8 at d = 8), and reach 1.4 at d = 9.",
    ],
    [[...one, [7, 2, 0.1, few], [8, 2, 1.5], [9, 2, 1.6]], "2 threads reach 1.6 at d = 9 (without 1 doubtful of 3)."],
    [[...one, [7, 2, 1.5, few], [8, 2, 1.6, few]], "2 threads reach 1.6 at d = 8 (all doubtful)."],
  ]) {
    const { page, problems } = await shown(benchmarkOf(scaling(...cells)), "sentence");
    assert.equal(await says(page, "speed-up"), sentence);
    assert.deepEqual(problems, []);
  }
});

test("doubtful points keep their line, dashed, and the legend agrees with them", async () => {
  const few = ["few: only 3 samples were not disturbed"];
  const cells = scaling([7, 1, 1], [8, 1, 1], [9, 1, 1], [7, 2, 0.9], [8, 2, 1.2, few], [9, 2, 1.4]);
  const dashes = (page) =>
    page.$$eval("#speed-up .chart [data-part=link]", (links) =>
      links.flatMap((link) => Array(link.children.length).fill(link.hasAttribute("stroke-dasharray"))),
    );
  const hollow = (page) =>
    page.$eval("#speed-up .swatch", (swatch) => [
      swatch.querySelector("[data-part=line]").hasAttribute("stroke-dasharray"),
      swatch.querySelector("[data-part=dot]").getAttribute("fill") ===
        swatch.querySelector("[data-part=dot]").getAttribute("stroke"),
    ]);
  const { page, problems } = await shown(benchmarkOf(cells), "dashed");
  assert.deepEqual(await dashes(page), [true, true]);
  assert.deepEqual(await hollow(page), [false, true], "not all are doubtful");
  for (const cell of cells) cell.doubts = few;
  await shown(benchmarkOf(cells), "dashed");
  assert.deepEqual(await hollow(page), [true, false]);
  assert.deepEqual(problems, []);
});

test("the map has a tile for each network and size, and a line where the speed-up is 1", async () => {
  const { page, problems } = await shown(dissected(), "map");
  const { tiles, edges, texts } = await page.$eval("#map .chart", (chart) => ({
    tiles: chart.querySelector("[data-part=rect]").children.length,
    edges: [...chart.querySelectorAll("[data-part=rule]")].reduce((sum, { children }) => sum + children.length, 0),
    texts: [...chart.querySelectorAll("text")].map(({ textContent }) => textContent),
  }));
  assert.equal(tiles, 6);
  // 0.5 0.9 / 0.8 1.2 / 1.5 1.8, from below: two edges are between rows, one between columns
  assert.equal(edges, 3);
  for (const text of ["0.5", "0.9", "1.8 ?", "d = 6", "4 KiB"]) assert.ok(texts.includes(text), `${text}: ${texts}`);
  assert.equal(
    await says(page, "map"),
    "2 threads gain from d = 10 on with 64 B and from d = 8 on with 4 KiB (without 1 doubtful of 6).",
  );
  assert.deepEqual(problems, []);
});

test("a step taken apart: its parts, the measured time where the parts exceed it, and its sentence", async () => {
  const { page, problems } = await shown(dissected(), "steps");
  assert.equal(
    await says(page, "steps"),
    "The largest part of a step is work in 3 cells and lines from other cores in 2 cells (up to 60 % " +
      "at d = 6, 64 B) (without 1 doubtful of 6).",
  );
  assert.match((await figure(page, "steps")).about, /d = 6, 64 B: 2 threads lose here: try --threads 1\.$/);
  await press(page, "steps", "Numbers");
  const rows = await page.$$eval("#steps .numbers tbody tr", (all) =>
    all.map((row) => [...row.children].map(({ textContent }) => textContent)),
  );
  assert.equal(rows.length, 6);
  assert.deepEqual(rows[0].slice(1, 6), ["10 µs", "2 µs", "6 µs", "1 µs", "1 µs"]);
  assert.deepEqual(rows[5].slice(1, 6), ["10 µs", "8 µs", "2 µs", "1 µs", "−1 µs"]);
  assert.match(await page.$eval("#steps .curves", (legend) => legend.textContent), /parts beyond it/);
  await page.select("#steps select", "times");
  await drawn(page);
  assert.ok((await figure(page, "steps")).texts.includes("time of a step (µs)"));
  assert.match(await page.$eval("#cells", (cells) => cells.textContent), /try --threads 1/);
  assert.deepEqual(problems, []);
});

test("rounds in time: groups, disturbed rounds, processes one after the other, and the handover below", async () => {
  const { page, problems } = await shown(dissected(), "rounds");
  assert.match(
    await says(page, "rounds"),
    new RegExp(
      "^9\\d of 96 rounds are within 10 % of their cells' medians; those of 1 cell fall into two groups\\. " +
        "Handing over a line took 80 to 240 ns\\.$",
    ),
  );
  const { texts, about } = await figure(page, "rounds");
  assert.ok(
    ["process 1", "process 2", "handing over a line (ns)"].every((text) => texts.includes(text)),
    texts.join("|"),
  );
  assert.match(about, /2 rounds had disturbed samples.* has 2 rounds of 100 µs and 6 rounds of 300 µs/);
  await press(page, "rounds", "Numbers");
  const slices = await page.$$eval("#rounds .numbers tbody tr", (all) =>
    all.map(({ children }) => [Number(children[1].textContent), children[2].textContent]),
  );
  const first = slices.filter(([, process]) => process === "1").map(([slice]) => slice);
  const second = slices.filter(([, process]) => process === "2").map(([slice]) => slice);
  assert.ok(Math.max(...first) < Math.min(...second));
  assert.match((await figure(page, "samples")).about, /, 3 more left out as disturbed:/);
  assert.deepEqual(problems, []);
});

test("a cell that was disturbed in every run has its curves and its row", async () => {
  const document = dissected();
  const cell = document.cells.at(-1);
  cell.count = 0;
  cell.doubts = ["disturbed: 0 of 8 rounds have an undisturbed run"];
  for (const round of cell.rounds) {
    round.disturbed_seconds = [...round.samples_seconds, ...round.disturbed_seconds];
    round.samples_seconds = [];
  }
  const { page, problems } = await shown(document, "disturbed");
  assert.match(await page.$eval("#cells", (cells) => cells.textContent), /disturbed/);
  await press(page, "rounds", "Numbers");
  assert.deepEqual(problems, []);
});

test("what decides stands first in the table, and a doubt is told once", async () => {
  const { page, problems } = await shown(dissected(), "once");
  const heads = await page.$$eval("#cells thead th", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(heads.slice(0, 7), [
    "network",
    "message",
    "threads",
    "speed-up",
    "of the limit",
    "doubts",
    "median",
  ]);
  const text = await page.$eval("main", (main) => main.textContent);
  assert.equal(text.split("only 3 samples were not disturbed").length, 2, "told once");
  assert.deepEqual(problems, []);
});

test("warnings are folded on a phone, where the first chart is on the first screen", async () => {
  const { page, problems } = await shown(dissected(), "folded", { size: SIZES.phone });
  assert.equal(await page.$eval(".notices", ({ open }) => open), false);
  assert.ok(await page.$eval("#speed-up .chart", (chart) => chart.getBoundingClientRect().top < innerHeight - 100));
  const { page: wide } = await shown(dissected(), "folded");
  assert.equal(await wide.$eval(".notices", ({ open }) => open), true);
  assert.deepEqual(problems, []);
});

test("compared documents: the conclusion, a mark for each cell, the differences, and a table", async () => {
  const { page, problems } = await shown(compared(), "compared");
  assert.equal(
    await says(page, "ratios"),
    "Of 4 cells: 1 slower (most: 1.2 times as long at d = 7), 1 faster (most: 0.8 times as long at d = " +
      "8), 1 equal within 4 % and 1 undecided (few).",
  );
  const { dots, texts } = await figure(page, "ratios");
  assert.equal(dots, 4);
  assert.ok(
    ["d = 7", "0.8", "1", "times as long"].every((text) => texts.includes(text)),
    texts.join("|"),
  );
  assert.match(await page.$eval(".notices", (notices) => notices.textContent), /compiler: GNU 12\.2\.0, now Clang 16/);
  assert.equal(await page.$$eval("#cells tbody tr", (rows) => rows.length), 4);
  assert.match(await page.$eval(".sources", (sources) => sources.textContent), /Only in the old one.*hypercube:12/);
  await page.select("#ratios select", "far");
  await drawn(page);
  assert.match((await saved(page, "ratios")).text, /times as long/);
  await page.keyboard.press("p");
  await drawn(page);
  assert.equal(await page.$eval("#ratios", ({ offsetHeight }) => offsetHeight), SIZES.laptop[1]);
  assert.deepEqual(problems, []);
});

test("cells against each other in one benchmark have the same chart", async () => {
  const document = { ...small(), against_each_other: compared().cells.map((cell) => ({ ...cell, against: "slots" })) };
  const { page, problems } = await shown(document, "rivals");
  assert.match(await says(page, "ratios"), /^Of 4 cells: 1 slower/);
  assert.deepEqual(problems, []);
});

test("presentation: a chart a screen, by keys; and back", async () => {
  const { page, problems } = await shown(small(), "present", { size: SIZES.projector });
  await page.keyboard.press("p");
  await drawn(page);
  const view = () =>
    page.$$eval(".figures > section", (sections) =>
      sections.map((section) => Math.round(section.getBoundingClientRect().top / innerHeight)),
    );
  const heights = await page.$$eval(".figures > section", (sections) =>
    sections.map(({ offsetHeight }) => offsetHeight),
  );
  assert.deepEqual([...new Set(heights.filter((height) => height > 0))], [1080]);
  assert.equal((await view()).indexOf(0), 0);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => Math.abs(document.querySelector("#map").getBoundingClientRect().top) < 4);
  const size = await page.$eval("#map .chart text[font-size], #map .chart [font-size]", (text) =>
    parseFloat(getComputedStyle(text).fontSize),
  );
  assert.ok(
    await page.$$eval("#map .chart g[font-size]", (groups) =>
      groups.every((group) => Number(group.getAttribute("font-size")) >= 18),
    ),
    String(size),
  );
  assert.equal(await page.$eval("#cells", (cells) => cells.offsetHeight), 0);
  await page.keyboard.press("Escape");
  await drawn(page);
  assert.ok((await page.$eval("#cells", (cells) => cells.offsetHeight)) > 0);
  assert.deepEqual(problems, []);
});

for (const [name, document] of Object.entries({
  sweep: dissected(),
  compared: compared(),
  one: benchmarkOf([cellOf({ doubts: [DOUBT] })]),
})) {
  test(`${name}: axe-core finds nothing, and nothing is wider than the screen`, async () => {
    const few = [
      ["laptop", false],
      ["phone", true],
    ];
    for (const [size, dark] of some([...few, ["projector", true], ["phone", false]], few)) {
      const { page, problems } = await shown(document, `axe-${name}`, { size: SIZES[size], dark });
      await page.$$eval("details", (all) => all.forEach((one) => (one.open = true)));
      if (name === "sweep") await press(page, "hop", "Numbers");
      assert.deepEqual(await violations(page), [], `${size}, ${dark ? "dark" : "light"}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), size);
      const overlaps = await page.$$eval(".figures .chart > svg", (charts) =>
        charts.flatMap((chart) => {
          const boxes = [...chart.querySelectorAll("[data-part='x-axis tick label'] text")].map((text) =>
            text.getBoundingClientRect(),
          );
          return boxes.filter((box, i) => i > 0 && box.left < boxes[i - 1].right && boxes[i - 1].left < box.right);
        }),
      );
      assert.deepEqual(overlaps, [], `labels on ${size}`);
      assert.deepEqual(problems, []);
    }
  });
}

test("by keyboard: buttons, choices and the table have the focus; forced colours and large text", async () => {
  const { page, problems } = await shown(small(), "keyboard", { still: true });
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    reached.add(
      await page.evaluate(
        () => `${document.activeElement.closest("section")?.id ?? ""} ${document.activeElement.tagName}`,
      ),
    );
  }
  for (const one of [" BUTTON", " SUMMARY", " SELECT", "speed-up BUTTON", "throughput SELECT", "cells BUTTON"])
    assert.ok(reached.has(one), `${one} of ${[...reached]}`);
  await page.focus("#hop .curve");
  await page.keyboard.press("Enter");
  await drawn(page);
  assert.equal((await figure(page, "hop")).curves.length, 5);
  await page.keyboard.press("d");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  const client = await page.createCDPSession();
  await client.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
    document.body.style.fontSize = "200%";
  });
  await drawn(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(problems, []);
  await client.detach(); // the next page of this tab has its usual colours
});

test("dcube bench --html: what it measures, and what it has kept, is shown", async () => {
  const [kept, measured] = [join(folder, "bench-kept.json"), join(folder, "bench-measured.html")];
  const { code, errors } = program(
    "bench",
    "all-to-all",
    "--dim",
    "2:3",
    "--threads",
    "1",
    "--min-time",
    "0.01",
    "--output",
    kept,
    "--html",
    measured,
  );
  assert.equal(code, 0, errors);
  const again = join(folder, "bench-again.html");
  assert.equal(program("bench", "--read", kept, "--html", again).code, 0);
  const made = join(folder, "bench-made-up.html");
  writeFileSync(kept, JSON.stringify(small()));
  const read = program("bench", "--read", kept, "--html", made);
  assert.equal(read.code, 0, read.errors);
  for (const [file, cells] of [
    [measured, 2],
    [again, 2],
    [made, 18],
  ]) {
    const { page, problems } = await open(browser, file);
    await drawn(page);
    assert.equal(await page.$$eval("#cells tbody tr", (rows) => rows.length), cells, file);
    assert.equal((await figure(page, "hop")).empty, false);
    assert.deepEqual(problems, []);
  }
});

const HARM = {
  "not JSON": () => "{",
  "a list": () => "[1, 2]",
  null: () => "null",
  "another kind": (document) => {
    document.kind = "limits";
  },
  "another schema": (document) => {
    document.schema = 2;
  },
  "no cells": (document) => {
    delete document.cells;
  },
  "cells that are no list": (document) => {
    document.cells = { length: 3 };
  },
  "a cell of null": (document) => {
    document.cells[0] = null;
  },
  "no program": (document) => {
    document.program = "dcube";
  },
  "no settings": (document) => {
    document.settings = null;
  },
  "warnings that are no texts": (document) => {
    document.warnings = [{}];
  },
  "a collective that is no text": (document) => {
    document.cells[0].collective = 5;
  },
  "threads that are no number": (document) => {
    document.cells[0].threads = "2";
  },
  "no threads": (document) => {
    document.cells[0].threads = 0;
  },
  "half a node": (document) => {
    document.cells[0].nodes = 0.5;
  },
  "a median of nothing": (document) => {
    document.cells[0].median_seconds = 0;
  },
  "a time before its start": (document) => {
    document.cells[0].minimum_seconds = -1;
  },
  "an interval turned round": (document) => {
    document.cells[0].interval_seconds = [2, 1];
  },
  "an interval of three": (document) => {
    document.cells[0].interval_seconds = [1, 2, 3];
  },
  "a rate of text": (document) => {
    document.cells[0].link_bytes_per_second = "1e9";
  },
  "samples of text": (document) => {
    document.cells[0].rounds[0].samples_seconds = ["1"];
  },
  "endless samples": (document) => {
    document.cells[0].rounds = Array(100001).fill({ order: 1, samples_seconds: [] });
  },
  "a step of text": (document) => {
    document.cells[0].step = { work_seconds: "1" };
  },
  "three groups of rounds": (document) => {
    document.cells[0].modes = Array(3).fill({ seconds: 1, rounds: 1 });
  },
  "moments that are no list": (document) => {
    document.moments = 5;
  },
  "disturbed samples of null": (document) => {
    document.cells[0].rounds[0].disturbed_seconds = [null];
  },
  "an unknown verdict": (document) => {
    document.against_each_other = [{ ...compared().cells[0], verdict: "better" }];
  },
  "a comparison with a ratio of 0": () =>
    JSON.stringify({ ...compared(), cells: [{ ...compared().cells[0], ratio: 0 }] }),
  "a comparison without differences": () => JSON.stringify({ ...compared(), differences: undefined }),
  "rounds of null": (document) => {
    document.cells[0].rounds = null;
  },
  "a number beyond all": (document) =>
    JSON.stringify(document).replace(/"median_seconds":[^,]+/, '"median_seconds":1e999'),
  "a prototype": (document) =>
    JSON.stringify(document)
      .replace('"cells":[{', '"cells":[{"__proto__":{"collective":"x"},')
      .replace('"collective":"all-to-all",', ""),
};

/** Those whose message a page shows; of the others it is enough that the page's sources have one. */
const SHOWN = some(Object.keys(HARM), ["not JSON", "a cell of null", "endless samples", "a prototype"]);

for (const [name, harm] of Object.entries(HARM)) {
  test(`hostile: ${name}: a message`, async () => {
    const document = structuredClone(benchmarkOf([cellOf({})]));
    const text = harm(document);
    const given = typeof text === "string" ? text : JSON.stringify(document);
    assert.throws(
      () => readDocument(given),
      (error) => error instanceof Unreadable && error.message.length >= 9, // a full stop follows it
    );
    if (!SHOWN.includes(name)) return;
    const { page, problems } = await shown(
      typeof text === "string" ? text : document,
      `harm-${name.replaceAll(/\W+/g, "-")}`,
    );
    assert.match(
      await page.$eval("[role=alert]", (alert) => alert.textContent),
      /^This page's data cannot be read: .{10,}/,
    );
    assert.equal(await page.$(".bench"), null);
    assert.deepEqual(problems, []);
  });
}

test("hostile: markup in every text stays text", async () => {
  const evil = "</script><script>window.harmed=1</script><img src=x onerror=window.harmed=1>\u202e\u0000";
  const worse = (value) =>
    typeof value === "string"
      ? evil
      : Array.isArray(value)
        ? value.map(worse)
        : value && typeof value === "object"
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, worse(item)]))
          : value;
  const cells = sweep({ dims: [6, 7], sizes: [64], threads: [1, 2], doubts: [evil] }).map((cell) => ({
    ...worse(cell),
    topology: cell.topology,
  }));
  const document = {
    ...worse(benchmarkOf([], { warnings: [evil], left_out: [{ cell: evil, reason: evil }] })),
    kind: "benchmark",
    cells,
  };
  document.host = {
    ...document.host,
    [evil]: evil,
    caches: [{ level: evil, kind: evil, bytes: evil, shared_by: evil }],
    __proto__: null,
  };
  const { page, problems } = await shown(document, "markup");
  await press(page, "hop", "Numbers");
  const found = await page.evaluate(() => [
    window.harmed ?? null,
    document.querySelectorAll("img, iframe, object, script:not([type])").length,
  ]);
  assert.deepEqual(found, [null, 1]);
  assert.match(await page.$eval("h1", (heading) => heading.textContent), /<\/script>.*\ufffd/);
  assert.ok(await page.$("#hop .chart > svg"));
  assert.deepEqual(problems, []);
});
