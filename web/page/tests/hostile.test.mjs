// A trace may come from a stranger: a bad one leads to a message, and nothing runs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawn, folder, launch, open, state } from "./browser.mjs";
import { column, documentOf, program, traceOf, writePage } from "./documents.mjs";

let browser;
let good;
before(async () => {
  browser = await launch();
  good = documentOf(["all-to-all", "--dim", "2"]);
});
after(() => browser.close());

async function shown(text, name) {
  const file = writePage(join(folder, `${name}.html`), [text]);
  const { page, problems } = await open(browser, file);
  const alert = await page.$$eval("[role=alert]", (alerts) => alerts.map(({ textContent }) => textContent).join(" "));
  const scripts = await page.evaluate(() => [
    window.harmed ?? null,
    document.querySelectorAll("img, iframe, object, script:not([type])").length,
  ]);
  assert.deepEqual(scripts, [null, 1], name);
  return { page, alert, problems };
}

const column64 = (bytes) => Buffer.from(bytes).toString("base64");

const HARM = {
  "not JSON": () => "{",
  "not an object": () => "[1, 2",
  "another schema": (view) => {
    view.schema = 2;
  },
  "no films": (view) => {
    view.films = [];
  },
  "a film of null": (view) => {
    view.films = [null];
  },
  "2^53 nodes": (view) => {
    view.films[0].network.nodes = 2 ** 53;
  },
  "no nodes": (view) => {
    view.films[0].network.nodes = 0;
  },
  "nodes that are no number": (view) => {
    view.films[0].network.nodes = "4";
  },
  "a link to nowhere": (view) => {
    view.films[0].network.links[1] = 7;
  },
  "endless rows": (view) => {
    view.films[0].columns.rows = 1e9;
  },
  "rows that are no number": (view) => {
    view.films[0].columns.rows = null;
  },
  "wrong base64": (view) => {
    view.films[0].columns.of.from = { raw: 16, data: "?<script>?" };
  },
  "wrong deflate": (view) => {
    view.films[0].columns.of.from = { raw: 16, data: column64([1, 2, 3, 4]) };
  },
  "endless deflate": (view) => {
    view.films[0].columns.of.from = { raw: 16, data: deflateRawSync(Buffer.alloc(2 ** 24)).toString("base64") };
  },
  "a size too large": (view) => {
    view.films[0].columns.of.from = { raw: 2 ** 40, data: "" };
  },
  "a column cut off": (view) => {
    view.films[0].columns.of.from = { raw: 16, data: deflateRawSync(Buffer.alloc(16, 128)).toString("base64") };
  },
  "numbers of 2^53": (view) => {
    view.films[0].columns.of.from = {
      ...column(
        Array(16)
          .fill(0)
          .map((_, i) => i * 2 ** 49),
      ),
    };
  },
  "a sender that is not there": (view) => {
    view.films[0].columns.of.from = 4;
  },
  "a port that is not there": (view) => {
    view.films[0].columns.of.port = 2;
  },
  "steps backwards": (view) => {
    view.films[0].columns.of.step = column(Array.from({ length: 16 }, (_, i) => 2 - (i > 7)));
  },
  "two packets on a link": (view) => {
    view.films[0].columns.of.port = 0;
  },
  "a block nobody has": (view) => {
    view.films[0].columns.of.origin = 3;
  },
  "part of nothing": (view) => {
    view.films[0].columns.of.part = 5;
  },
  "packets of no rows": (view) => {
    view.films[0].columns.of.joined = 0;
  },
  "parts without end": (view) => {
    view.films[0].messages.parts = 2 ** 24;
  },
  "a layout of NaN": (view) => {
    view.films[0].network.layouts[0].variants[0].x[0] = null;
  },
  "a layout too short": (view) => {
    view.films[0].network.layouts[0].variants[0].x.pop();
  },
  "missing sentences": (view) => {
    delete view.films[0].sentences;
  },
  "captions on one block out of order": (view) => {
    view.films[0].one.sentences.reverse();
  },
  "captions on a block of no rows": (view) => {
    view.films[0].one.rows = ["1"];
  },
  "a reason that is no text": (view) => {
    view.films[0].why.parts = [{ toString: 1 }];
  },
  "missing bound lines": (view) => {
    delete view.films[0].bound.lines;
  },
  "a picture of the bound of no known kind": (view) => {
    view.films[0].bound.picture.kind = "constructor";
  },
  "a picture of the bound without sides": (view) => {
    view.films[0].bound.picture.sending = "xyz";
  },
  "a picture of the bound around no node": (view) => {
    view.films[0].bound.picture = { kind: "ports", must: 1, node: 4, out: true };
  },
  "a prototype": (view) => {
    view.films[0].network = JSON.parse('{"__proto__": {"nodes": 4}}');
  },
};

for (const [name, harm] of Object.entries(HARM)) {
  test(`${name}: a message`, async () => {
    const view = structuredClone(good);
    const text = harm(view);
    const { page, alert, problems } = await shown(typeof text === "string" ? text : view, name.replaceAll(/\W+/g, "-"));
    assert.match(alert, /^This page's data cannot be read: .{10,}/);
    assert.deepEqual(problems, []);
  });
}

test("markup in every text stays text", async () => {
  const evil = "</script><script>window.harmed=1</script><img src=x onerror=window.harmed=1>\u202e\u0000";
  const view = structuredClone(good);
  const [film] = view.films;
  Object.assign(view, { title: evil, subtitle: evil, command: evil });
  Object.assign(film, { name: evil, label: evil, report: [[evil, evil]] });
  film.sentences = film.sentences.map(() => evil);
  film.phases = [{ first: 1, last: 2, name: evil }];
  film.bound.lines[0].words = evil;
  film.network.layouts[0].name = evil;
  film.verdict = { accepted: false, message: evil, step: 2 };
  const { page, problems } = await shown(view, "markup");
  await page.keyboard.press("?");
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.match(await page.$eval("h1", (heading) => heading.textContent), /<\/script>.*\ufffd/);
  assert.deepEqual(problems, []);
});

test("a rejected trace is played up to its fault, which is marked", async () => {
  const view = structuredClone(good);
  view.films[0].verdict = { accepted: false, message: "line 17: node 3 does not have this block", step: 2, row: 15 };
  const { page, alert } = await shown(view, "rejected");
  assert.equal(alert, "This trace is wrong, in step 2.");
  await page.evaluate(() => window.dcube.seek(1e6));
  const [film] = (await state(page)).films;
  assert.deepEqual([film.packets, film.arrived], [16, 15]);
});

/** The page that `dcube view --trace` makes of these lines. */
function pageOfTrace(name, head, lines) {
  const [trace, file] = [join(folder, `${name}.jsonl`), join(folder, `${name}-trace.html`)];
  writeFileSync(
    trace,
    [head, ...lines].map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  );
  return { file, ...program("view", "--trace", trace, "--html", file) };
}

test("a rejected trace is shown though more packets of its last step come from nodes that have nothing to send", async () => {
  const { head, lines } = traceOf(["broadcast", "--dim", "4"]);
  const [first] = lines.filter(({ step, from }) => step === 2 && from !== 0).map(({ from }) => from);
  const wrong = lines.filter(({ step, to }) => step !== 1 || to !== first);
  const lacking = wrong.filter(({ step, from }) => step === 2 && from === first).length;
  const { file, code } = pageOfTrace("lacking", head, wrong);
  assert.equal(code, 1);
  const { page, problems } = await open(browser, file, { still: true });
  await page.evaluate(() => window.dcube.seek(1e6));
  const [{ got, packets, arrived }] = (await state(page)).films;
  assert.ok(lacking >= 1);
  assert.equal(packets - arrived, 1, "the offender never arrives");
  const lawful = wrong.filter(({ step, from }) => step === 1 || (step === 2 && from !== first)).length;
  assert.equal(
    got.reduce((sum, one) => sum + one, 0),
    1 + lawful,
    "what was not there informs nobody",
  );
  assert.deepEqual(problems, []);
});

test("dcube view --trace: the offending line of a rejected trace is shown in red", async () => {
  const { head, lines } = traceOf(["all-to-all", "--dim", "3", "--algorithm", "optimal"]);
  const wrong = structuredClone(lines);
  wrong[38].pieces[0].origin ^= 3;
  const { file, code } = pageOfTrace("wrong", head, wrong);
  assert.equal(code, 1);
  const { page, problems } = await open(browser, file, { hash: "#step=2" });
  assert.equal(await page.$eval(".verdict", (verdict) => verdict.textContent), "This trace is wrong, in step 2.");
  assert.match(
    await page.$eval(".sentence > span", (sentence) => sentence.textContent),
    /^Step 2\. Line 40: node \d+ sends .*[^.]\.$/,
  );
  const {
    films: [film],
  } = await state(page);
  const shown = lines.filter(({ step }) => step <= 2).length;
  assert.deepEqual([film.packets, film.length], [shown, 2], "it plays all of that line's step, and no more");
  await drawn(page);
  const svg = await page.evaluate(() => window.dcube.svg());
  const red = await page.evaluate(() => getComputedStyle(document.querySelector(".verdict")).color);
  assert.ok(svg.includes(`stroke="${red}" stroke-width="3"`), "the packet that breaks the rule has a red ring");
  assert.ok(
    (await page.evaluate(() => {
      window.dcube.seek(1e6);
      return window.dcube.state().films[0].arrived;
    })) ===
      shown - 1,
    "and changes nothing",
  );
  assert.deepEqual(problems, []);
});

test("dcube view --trace: a page of a rejected trace opens at its fault, and draws the second packet beside the first", async () => {
  const { head, lines } = traceOf(["all-to-all", "--dim", "3"]);
  const at = lines.findIndex(({ step }) => step === 2);
  const twice = [...lines.slice(0, at + 1), lines[at], ...lines.slice(at + 1)];
  const { file, code } = pageOfTrace("twice", head, twice);
  assert.equal(code, 1);
  const { page, problems } = await open(browser, file);
  const {
    stop,
    films: [film],
  } = await state(page);
  const inStep = twice.filter(({ step }) => step === 2).length;
  assert.equal(stop, 2);
  assert.equal(film.busy, inStep);
  await drawn(page);
  const words = await page.evaluate(() => document.body.textContent);
  assert.match(words, new RegExp(`${inStep} packets on 24 links; one of them breaks a rule`), "both are counted");
  assert.deepEqual(problems, []);
});

test("dcube view --trace: a stranger's texts stay texts", async () => {
  const evil = "</script><script>window.harmed=1</script><img src=x onerror=window.harmed=1><!--\u202e";
  const { head, lines } = traceOf(["all-to-all", "--dim", "2"]);
  for (const [name, changed] of Object.entries({
    algorithm: { algorithm: evil },
    version: { version: evil },
    more: { [evil]: evil },
  })) {
    const { file, code, errors } = pageOfTrace(`evil-${name}`, { ...head, ...changed }, lines);
    assert.equal(code, 0, errors);
    const { page, problems } = await open(browser, file);
    await page.keyboard.press("?");
    assert.deepEqual(
      await page.evaluate(() => [window.harmed ?? null, document.querySelectorAll("img, script:not([type])").length]),
      [null, 1],
      name,
    );
    assert.deepEqual(problems, []);
  }
});

test("dcube view --trace: what is no trace gives one line and no page", () => {
  for (const text of ["{", "[]", '{"dcube_trace":1}', "\u0000", "<script>"]) {
    const { code, errors } = pageOfTrace("none", text, []);
    assert.notEqual(code, 0, text);
    assert.equal(errors.trim().split("\n").length, 1, errors);
  }
});

test("counts only: said so, and the time line plays", async () => {
  const view = structuredClone(good);
  const [film] = view.films;
  Object.assign(film, { columns: null, use: { links: column([8, 8]) } });
  film.network.layouts = [];
  const { page, problems } = await shown(view, "counts");
  assert.match(await page.$eval(".large", (text) => text.textContent), /more packets than a page can keep/);
  await page.evaluate(() => window.dcube.seek(1));
  assert.equal((await state(page)).films[0].busy, 8);
  assert.deepEqual(problems, []);
});
