// Every algorithm of the catalogue on a small network, by `dcube view`: the page's sources play its film to the end, its
// counters are the report's, and going on and back shows the same. In a browser that is seen of some of each collective:
// their pages have no errors and make no requests.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, open, SIZES, state, violations } from "./browser.mjs";
import { documentOf, pageOfRun, program } from "./documents.mjs";
import { sources } from "./sources.mjs";
import { some, thorough } from "./thorough.mjs";

const { Allowance, LIMITS, Replay, checkView, loadFilm, unitsOf } = await sources(
  folder,
  "kit/columns",
  "viewer/document",
  "viewer/film",
  "viewer/replay",
);
const catalogue = JSON.parse(program("list", "--format", "json").text);

/** The options that a collective needs. */
const ASKS = {
  send: ["--peer", "5"],
  exchange: ["--peer", "5"],
  permute: ["--permutation", "bit-reversal"],
  ...Object.fromEntries(
    ["transpose", "quarter-turn", "half-turn"].map((what) => [
      `matrix-${what}`,
      ["--rows", "16", "--columns", "16", "--layout", "submatrices"],
    ]),
  ),
  "matrix-relayout": ["--rows", "32", "--columns", "16", "--layout", "rows-blocked", "--to-layout", "rows-striped"],
};
/** Algorithms that are for special cases. */
const CASES = {
  "all-reduce two-centre": ["--dim", "3", "--packets", "8"],
  "all-reduce two-kinds": ["--dim", "5", "--packets", "32"],
  "all-reduce window-sums": ["--topology", "ring:5"],
  "all-reduce recursive-doubling": ["--topology", "complete:5"],
  "scan exchange-one": ["--topology", "ring:5"],
  "exscan exchange-one": ["--topology", "ring:5"],
  "scan segments": ["--topology", "ring:5", "--packets", "5"],
  "scan segments-one": ["--topology", "ring:5", "--packets", "5"],
  "exscan segments": ["--topology", "ring:5", "--packets", "5"],
  "exscan segments-one": ["--topology", "ring:5", "--packets", "5"],
  "exchange priced-routes-one": ["--topology", "path:3", "--peer", "2"],
  "all-to-all mixed-routes": ["--topology", "mesh:3x3"],
  "all-to-all class-matching": ["--topology", "pancake:3"],
  "all-to-all homogeneous": ["--topology", "torus:4x4"],
  "all-to-all digit-rounds": ["--topology", "torus:3x3"],
  "all-to-all grouped": ["--topology", "ring:4*path:3"],
  "send spreading-groups": ["--dim", "3", "--peer", "7"],
  "exchange spreading-groups": ["--dim", "3", "--peer", "7"],
  "send waves-relabelled": ["--dim", "4", "--peer", "3"],
  "matrix-transpose all-to-all": ["--dim", "3", "--rows", "16", "--columns", "16", "--layout", "rows-blocked"],
  "matrix-quarter-turn all-to-all": ["--dim", "3", "--rows", "16", "--columns", "16", "--layout", "rows-blocked"],
  "matrix-quarter-turn two-halves": ["--dim", "4", "--rows", "16", "--columns", "16", "--layout", "submatrices-gray"],
  "permute nothing": ["--dim", "3", "--permutation", "identity"],
  "permute inversion": ["--dim", "3", "--permutation", "inversion"],
};

function argumentsOf({ collective, name, ports, link_model: link, networks }) {
  const large = collective === "permute" || collective.startsWith("matrix");
  const bytes = collective.startsWith("matrix") || collective === "barrier" ? [] : ["--bytes", "1KiB"];
  const network =
    networks === "hypercubes"
      ? ["--dim", large ? "4" : "3"]
      : networks === "nodes or links that differ"
        ? ["--topology", "dgx-1"]
        : ["--topology", large ? "torus:4x4" : "torus:4x3"];
  const asked = ASKS[collective] ?? [];
  const special = CASES[`${collective} ${name}`];
  return [
    collective,
    "--algorithm",
    name,
    ...(special ? [...special, ...(special.includes(asked[0]) ? [] : asked)] : [...network, ...asked]),
    "--ports",
    ports,
    ...(link === "unit" ? [] : ["--link", "link-bound", "--tau", "1", "--beta", "1000", ...bytes]),
  ];
}

// A number, or a fraction as a text: "152944/125".
function amount(number) {
  const [above, below = 1] = String(number).split("/");
  return above / below;
}

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** The film of `dcube view ARGS`, as the page reads it. */
async function filmOf(args) {
  const film = await loadFilm(checkView(documentOf(args)).films[0], new Allowance(LIMITS.unpacked));
  return { film, replay: new Replay(film, unitsOf(film)) };
}

/** What a film has at a time, as `window.dcube.state()` does in a browser. */
function stateAt({ film, replay }, time) {
  replay.goTo(film.arrived(time));
  const of = (what) => Array.from({ length: film.network.nodes }, (_, node) => replay.holding[what](node));
  const [got, due, kept] = ["got", "due", "kept"].map(of);
  return { got, due, kept, arrived: film.arrived(time), busy: film.use.at(time), tally: film.tally(time) };
}

/** A film, played without a browser: on, back, and to its end. */
async function played(args, entry, report) {
  const what = `dcube view ${args.join(" ")}`;
  const { film, replay } = await filmOf(args);
  const times = Array.from({ length: 12 }, (_, i) => (i * film.length) / 11);
  const visit = (time) => stateAt({ film, replay }, time);
  const on = times.map(visit);
  assert.deepEqual([...times].reverse().map(visit).reverse(), on, what);
  const end = visit(film.length);
  assert.deepEqual(end.got, end.due, `${what}: everybody has what it needs`);
  assert.equal(end.arrived, film.packets.count, what);
  assert.equal(film.packets.count, report.transmissions, what);
  assert.equal(film.packets.count > 0, entry.name !== "nothing", what);
  if (entry.link_model === "unit") assert.equal(film.length, report.steps, what);
  else {
    const nanoseconds = film.length / film.data.ticks_per_ns;
    assert.ok(Math.abs(nanoseconds - amount(report.virtual_time_ns)) < 1e-3, `${what}: ${report.virtual_time_ns}`);
  }
}

const look = () => {
  const visit = (stop) => {
    window.dcube.seek(stop);
    const {
      films: [{ got, kept, arrived, tally, busy }],
    } = window.dcube.state();
    return JSON.stringify([got, kept, arrived, tally, busy]);
  };
  const { stops } = window.dcube.state();
  const most = Math.min(stops, 12);
  const wanted = Array.from({ length: most }, (_, i) => Math.round((i * (stops - 1)) / Math.max(1, most - 1)));
  const on = wanted.map(visit);
  const back = [...wanted].reverse().map(visit).reverse();
  return { on, back };
};

// The first node's box, once the stage no longer changes its size.
async function settled(page, before = "") {
  await drawn(page);
  const box = await page.evaluate(() => window.dcube.scene()[0].boxes[0]);
  return JSON.stringify(box) === before ? box : settled(page, JSON.stringify(box));
}

const several = {};
for (const entry of catalogue) (several[entry.collective] ??= []).push(entry);

test("every collective of the catalogue is tried", () => {
  assert.ok(Object.keys(several).length >= 15, Object.keys(several).join());
});

/** Whether a browser shows it: of each collective one whose links take a step, and one whose links take time. */
const isShown = (entry, entries) =>
  thorough || entry === entries.filter(({ link_model: link }) => link === entry.link_model).at(-1);

for (const [index, [collective, entries]] of Object.entries(several).entries()) {
  test(`${collective}: all ${entries.length} algorithms play as their reports say`, async () => {
    for (const entry of entries) {
      const args = argumentsOf(entry);
      const what = `dcube view ${args.join(" ")}`;
      const { code, text, errors } = program("run", ...args, "--format", "json");
      assert.equal(code, 0, `${what}: ${errors}`);
      const report = JSON.parse(text);
      await played(args, entry, report);
      if (!isShown(entry, entries)) continue;
      const file = join(folder, "one.html");
      pageOfRun(file, args);
      const { page, problems } = await open(browser, file, { still: true });
      const { on, back } = await page.evaluate(look);
      assert.deepEqual(back, on, what);
      await page.evaluate(() => window.dcube.seek(1e9));
      const {
        films: [film],
      } = await state(page);
      assert.deepEqual(film.got, film.due, `${what}: everybody has what it needs`);
      assert.equal(film.arrived, film.packets, what);
      assert.equal(film.packets, report.transmissions, what);
      assert.equal(film.packets > 0, entry.name !== "nothing", what);
      if (entry.link_model === "unit") assert.equal(film.length, report.steps, what);
      else
        assert.ok(
          Math.abs((await state(page)).now - amount(report.virtual_time_ns)) < 1e-3,
          `${what}: ${report.virtual_time_ns}`,
        );
      assert.deepEqual(problems, [], what);
    }
  });

  test(`${collective}: keys, clicks, and axe-core in both themes`, async () => {
    const file = join(folder, `${collective}.html`);
    pageOfRun(file, argumentsOf(entries.at(-1)));
    for (const dark of some([false, true], [index % 2 === 1])) {
      const { page, problems } = await open(browser, file, { dark, size: dark ? SIZES.phone : SIZES.laptop });
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => window.dcube.state().stop === 1);
      await page.keyboard.press("Home");
      const [left, top, right, bottom] = await settled(page);
      const corner = await page.$eval(".stage", (stage) => {
        const { left, top } = stage.getBoundingClientRect();
        return [left, top];
      });
      await page.mouse.click(corner[0] + left + 2, corner[1] + bottom - 2);
      assert.ok(right > left && bottom > top);
      assert.match((await state(page)).selection, /^node 0$/);
      assert.match(await page.$eval(".details h2", (heading) => heading.textContent), /^Node 0$/);
      assert.deepEqual(await violations(page), [], dark ? "dark" : "light");
      assert.deepEqual(problems, []);
    }
  });
}

test("networks that lack links and nodes: nothing is meant for a missing node, and all others get all", async () => {
  const faulty = ["--dim", "3", "--without-node", "5", "--without-link", "0-1"];
  const shown = ["broadcast", "all-to-all", "all-reduce"]; // one of each kind of film
  for (const [collective, more] of [
    ["broadcast", []],
    ["scatter", []],
    ["gather", []],
    ["all-gather", []],
    ["all-to-all", []],
    ["reduce", []],
    ["reduce-scatter", []],
    ["all-reduce", []],
    ["permute", ["--permutation", "inversion"]],
    ["matrix-transpose", ["--rows", "14", "--columns", "14"]],
  ]) {
    const args = [collective, ...faulty, ...more];
    const found = await filmOf(args);
    const end = stateAt(found, found.film.length);
    assert.deepEqual(end.got, end.due, collective);
    assert.equal(end.due[5], 0, collective);
    assert.ok(
      end.due.some((due) => due > 0),
      collective,
    );
    if (!thorough && !shown.includes(collective)) continue;
    const file = join(folder, "faulty.html");
    pageOfRun(file, args);
    const { page, problems } = await open(browser, file, { still: true });
    await page.evaluate(() => window.dcube.seek(1e9));
    const {
      films: [film],
    } = await state(page);
    assert.deepEqual(film.got, film.due, collective);
    assert.equal(film.due[5], 0, collective);
    assert.deepEqual(problems, [], collective);
  }
});

/** The comparisons that a lecturer would show. */
const VERSUS = {
  "total exchange, optimal and dimension by dimension": ["all-to-all", "--dim", "3", "--versus", "dimension-exchange"],
  "scatter, balanced tree and one port": ["scatter", "--dim", "3", "--versus", "farthest-first"],
  "broadcast, BROADCAST 1 and 4": [
    "broadcast",
    "--dim",
    "4",
    "--bytes",
    "16KiB",
    "--machine",
    "ncube3",
    "--algorithm",
    "recursive-doubling",
    "--versus",
    "pipelined",
  ],
  "broadcast, BROADCAST 2 and 3": [
    "broadcast",
    "--dim",
    "4",
    "--bytes",
    "16KiB",
    "--machine",
    "ncube3",
    "--algorithm",
    "rotated",
    "--versus",
    "two-waves",
  ],
  "two networks": ["all-to-all", "--dim", "4", "--versus-topology", "torus:4x4"],
};

for (const [name, args] of Object.entries(VERSUS)) {
  test(`side by side: ${name}`, async () => {
    const file = join(folder, "side.html");
    pageOfRun(file, args);
    const { page, problems } = await open(browser, file, { still: true });
    assert.equal((await page.$$(".film")).length, 2);
    for (const stop of [1, 2, 1e9]) {
      await page.evaluate((stop) => window.dcube.seek(stop), stop);
      const { films, now } = await state(page);
      for (const film of films) assert.equal(film.now, Math.min(film.length, film.now), name);
      if (stop === 1e9) {
        assert.ok(now > 0);
        for (const film of films)
          assert.deepEqual([film.now, film.arrived, film.got], [film.length, film.packets, film.due], name);
      }
    }
    await drawn(page);
    const counts = await page.$$eval(".film .counts", (texts) => texts.map(({ textContent }) => textContent));
    assert.equal(counts.length, 2);
    for (const text of counts) assert.match(text, /^Done: /);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
  });
}
