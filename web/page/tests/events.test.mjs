// Films that end in an event, and packets that are lost: what is said, what is marked, and where the film opens.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { drawn, folder, launch, open } from "./browser.mjs";
import { documentOf, timedBroadcast, writePage } from "./documents.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const gather = documentOf(["all-gather", "--dim", "3"]);
let files = 0;
/** The page of that film, with another verdict, or other changes. */
async function opened(change, settings = {}, original = gather) {
  const document = structuredClone(original);
  change(document.films[0]);
  const page = await open(browser, writePage(`${folder}/event-${++files}.html`, [document]), {
    still: true,
    ...settings,
  });
  await drawn(page.page);
  return page;
}
const legend = (page) => page.$$eval(".legend li", (all) => all.map((one) => one.textContent));
const text = (page, selector) => page.$eval(selector, (one) => one.textContent);

test("a broken rule: the film opens there, its message is the caption, and the offender is in the legend", async () => {
  const message = "link-busy in step 2 at node 3, port 0: a second packet on one link in one step";
  const { page, problems } = await opened((film) => {
    film.verdict = { accepted: false, what: "rule", message, step: 2, node: 3, port: 0 };
  });
  assert.equal(await text(page, ".verdict"), "A rule was broken, in step 2.");
  assert.equal(await text(page, ".sentence"), `Step 2. L${message.slice(1)}.`);
  assert.equal(await page.evaluate(() => window.dcube.state().stop), 2);
  assert.ok((await legend(page)).includes("the node that breaks the rule, and its link"));
  await page.keyboard.press("ArrowLeft");
  await drawn(page);
  assert.doesNotMatch(await text(page, ".sentence"), /link-busy/i);
  assert.deepEqual(problems, []);
});

test("what is said for somebody who sees when and where it is, is the caption, with the program's line", async () => {
  const { page } = await opened((film) => {
    film.verdict = {
      accepted: false,
      what: "deadlock",
      message: "deadlock in step 1 at node 0, port 0: waiting on port 0 since step 1: nodes 0-7",
      said: "All 8 nodes wait for their neighbours over port 0: nobody can go on.",
      line: 6,
      step: 1,
      node: 0,
      port: 0,
    };
  });
  assert.equal(
    await text(page, ".sentence"),
    "Step 1. All 8 nodes wait for their neighbours over port 0: nobody can go on (line 6 of your program).",
  );
});

test("a deadlock: every waiting node has an arrow, which changes the picture", async () => {
  const verdict = {
    accepted: false,
    what: "deadlock",
    message: "deadlock in step 1",
    step: 1,
    node: 0,
    port: 1,
  };
  const picture = async (waiting) => {
    const { page } = await opened((film) => {
      film.verdict = { ...verdict, waiting };
    });
    assert.ok((await legend(page)).includes("a node that waits, and for which port"));
    return page.evaluate(() => window.dcube.svg());
  };
  const [one, two, any] = [
    await picture([[0, 1]]),
    await picture([
      [0, 1],
      [5, 2],
    ]),
    await picture([[0, -1]]),
  ];
  assert.equal(new Set([one, two, any]).size, 3);
  assert.ok(one.length < two.length && any.length < one.length);
});

test("a failed program: its node is ringed, and the exception's text is the caption", async () => {
  const message = "the program of node 2 failed in step 3: KeyError: 'mine'";
  const { page } = await opened((film) => {
    film.verdict = { accepted: false, what: "threw", message, step: 3, node: 2 };
  });
  assert.equal(await text(page, ".verdict"), "The program failed, in step 3.");
  assert.equal(await text(page, ".sentence"), `Step 3. T${message.slice(1)}.`);
  assert.ok((await legend(page)).includes("the node whose program failed"));
});

test("on links that take time the event is where the film ends", async () => {
  const message = "the program of node 2 failed in step 3: KeyError: 'mine'";
  const timed = documentOf(timedBroadcast);
  const pictures = [];
  for (const node of [2, undefined]) {
    const { page } = await opened(
      (film) => {
        film.verdict = { accepted: false, what: "threw", message, step: 3, node };
      },
      {},
      timed,
    );
    assert.equal(await text(page, ".sentence"), `The program failed. T${message.slice(1)}.`);
    pictures.push(await page.evaluate(() => window.dcube.svg()));
    await page.keyboard.press("ArrowLeft");
    await drawn(page);
    assert.doesNotMatch(await text(page, ".sentence"), /KeyError/);
    pictures.push(await page.evaluate(() => window.dcube.svg()));
  }
  const [ringed, before, plain, same] = pictures;
  assert.ok(ringed.length > plain.length); // the ring
  assert.equal(before, same);
});

test("a run below its bound is refused with the pulled picture, and its bound is not met", async () => {
  const { page } = await opened((film) => {
    film.verdict = {
      accepted: false,
      what: "impossible",
      message: "this cannot be: 1 step is fewer than 3, the fewest there can be",
      step: 3,
      at_end: true,
    };
    film.bound.met = false;
  });
  assert.equal(await text(page, ".verdict"), "This cannot be.");
  assert.equal(await text(page, ".sentence"), "This cannot be. 1 step is fewer than 3, the fewest there can be.");
  const { pull, stop, stops } = await page.evaluate(() => window.dcube.state());
  assert.deepEqual([pull, stop], [1, stops - 1]);
  assert.doesNotMatch(await text(page, ".proof"), /ends at the bound/);
});

test("a lost packet does not arrive, and its link is marked from then on", async () => {
  const seen = ({ page }) =>
    page.evaluate(() => {
      const { film } = window.dcube.exhibit().player;
      const [{ arrived, packets, got }] = window.dcube.state().films;
      const last = film.packets.first[film.packets.count - 1]; // of the last step: nobody sends it on
      return { arrived, packets, got: got.reduce((sum, one) => sum + one, 0), last, picture: window.dcube.svg() };
    });
  const settings = { hash: "#step=4" };
  const whole = await seen(await opened(() => undefined, settings));
  const lossy = await opened((film) => {
    film.lost = [whole.last];
  }, settings);
  const less = await seen(lossy);
  assert.deepEqual([less.arrived, less.packets, less.got], [whole.arrived - 1, whole.packets, whole.got - 1]);
  assert.ok((await legend(lossy.page)).includes("a packet that is lost there: its link has failed"));
  assert.ok(less.picture.length > whole.picture.length);
});

test("a document whose event makes no sense is refused in words", async () => {
  for (const verdict of [{ node: 8 }, { node: 1.5 }, { waiting: [[0, -2]] }, { waiting: [[9, 0]] }, { port: -1 }]) {
    const { page } = await opened((film) => {
      film.verdict = { accepted: false, what: "rule", message: "x", step: 1, ...verdict };
    });
    assert.match(await text(page, "body"), /cannot be read: what went wrong/, JSON.stringify(verdict));
  }
});

test("the film of a failed program has the program's line in its message, and others are left alone", async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/lab/failed.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
  });
  const { withLine } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
  );
  const document = JSON.stringify({ films: [{ verdict: { accepted: false, message: "no" } }] });
  assert.equal(withLine(document, undefined), document);
  assert.equal(withLine(document, { kind: "rule", message: "no" }), document);
  const told = JSON.parse(withLine(document, { kind: "rule", message: "no (line 3 of your program)", line: 3 }));
  assert.equal(told.films[0].verdict.message, "no (line 3 of your program)");
});
