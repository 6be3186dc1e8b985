// Captions on one block, the formula behind "Why?", and films in which node 0's packets stand for those of all nodes.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { drawn, folder, launch, open, violations } from "./browser.mjs";
import { pageOfRun } from "./documents.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const pages = new Map();
/** The page of that run, each made once. */
async function shown(args, hash) {
  if (!pages.has(args)) pages.set(args, pageOfRun(join(folder, `captions-${pages.size}.html`), args.split(" ")));
  const opened = await open(browser, pages.get(args), { hash, still: true });
  await drawn(opened.page);
  return opened;
}
const text = (page, selector) => page.$eval(selector, (one) => one.textContent);
const sentence = (page) => text(page, ".sentence > span");
const legend = (page) => page.$$eval(".legend li", (all) => all.map((one) => one.textContent));
const choose = async (page, choices) => {
  await page.evaluate((choices) => window.dcube.choose(choices), choices);
  await drawn(page);
};

test("say=one follows one block from step to step, and rings it", async () => {
  const { page, problems } = await shown("all-to-all --dim 3", "#say=one&step=0");
  assert.match(await sentence(page), /We follow node 0's block for node 7\.$/);
  const hops = [];
  for (const step of ["1", "2", "3", "4"]) {
    await choose(page, { step });
    const words = await sentence(page);
    const hop = / goes from node (\d) to node (\d)/.exec(words);
    if (hop) hops.push(hop.slice(1).map(Number));
    assert.match(words, new RegExp(`^Step ${step}\\. Node 0's block for node 7 `));
  }
  assert.equal(hops.length, 3);
  assert.equal(hops[0][0], 0);
  assert.equal(hops[2][1], 7);
  assert.ok(hops.every(([from], i) => i === 0 || from === hops[i - 1][1]));
  assert.ok((await legend(page)).includes("the text follows node 0's block for node 7"));
  await choose(page, { step: "5" });
  assert.match(await sentence(page), /^Done\. All 56 blocks are where they belong, in 4 steps/);
  assert.deepEqual(problems, []);
});

test("the legend is true: of a scan's sum, of a broadcast's packet, and nothing is followed where it is all there is", async () => {
  const of = async (args, step = 1) => legend((await shown(args, `#say=one&step=${step}`)).page);
  assert.ok((await of("scan --dim 2")).includes("has its sum: its own share, and those of all nodes before it"));
  assert.ok((await of("exscan --dim 2")).includes("has its sum: the shares of all nodes before it"));
  assert.ok((await of("all-reduce --dim 2", 3)).includes("the whole sum: the share of every node is in it"));
  const broadcast = await of("broadcast --dim 2");
  assert.ok(broadcast.includes("a packet") && !broadcast.some((words) => words.startsWith("the text follows")));
  assert.ok((await of("broadcast --dim 2 --packets 3")).some((words) => words.startsWith("the text follows")));
});

test("the ring is drawn where the block is under way, and only there", async () => {
  const { page } = await shown("all-to-all --dim 3", "#step=0");
  const circles = async (choices) => {
    await choose(page, choices);
    return (await page.evaluate(() => window.dcube.svg())).split("<circle").length;
  };
  const legend = (await circles({ step: "0", say: "one" })) - (await circles({ say: "all" }));
  const moving = [];
  for (const step of ["1", "2", "3", "4"]) {
    const rings = (await circles({ step, say: "one" })) - legend;
    moving.push(/ goes from /.test(await sentence(page)));
    assert.equal(rings - (await circles({ say: "all" })), moving.at(-1) ? 1 : 0, `step ${step}`);
  }
  assert.deepEqual(moving.toSorted(), [false, true, true, true]);
});

test("where another block or another node's blocks are looked at, the captions are on all nodes", async () => {
  const { page } = await shown("all-to-all --dim 3", "#say=one&step=2");
  const one = await sentence(page);
  for (const other of [{ follow: "1-6" }, { show: "3" }]) {
    await choose(page, other);
    assert.match(await sentence(page), /every other node does the same|packets on/);
    await choose(page, { follow: "", show: "-1" });
    assert.equal(await sentence(page), one);
  }
  await choose(page, { follow: "0-7" });
  assert.equal(await sentence(page), one);
});

test("the formula is behind Why?, with the run's numbers", async () => {
  const { page, problems } = await shown("all-to-all --dim 3", "#step=0");
  assert.equal(await text(page, ".why summary"), "Why 4 steps?");
  const isOpen = () => page.$eval(".why", ({ open }) => open);
  assert.equal(await isOpen(), false);
  await page.click(".why summary");
  assert.equal(await isOpen(), true);
  const formulas = await page.$$eval(".why pre", (all) => all.map((one) => one.textContent));
  assert.match(formulas[0], /^steps = .*\n(.*\n)* += 4$/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
});

test("a bound that is not met: what is known is said", async () => {
  const { page } = await shown("all-to-all --dim 3 --algorithm dimension-exchange", "#step=13");
  const known = "The best known, staircase, takes 4 steps: the fewest there can be.";
  assert.equal(await sentence(page), `Done in 12 steps; the lower bound is 4 steps. ${known}`);
  assert.equal(await text(page, ".proof .gap"), known);
});

test("a 4-cube begins with the blocks of node 0, a 3-cube with all", async () => {
  const first = async (args) => (await shown(args, "#step=1")).page.evaluate(() => window.dcube.state().show);
  assert.equal(await first("all-to-all --dim 3"), -1);
  assert.equal(await first("all-to-all --dim 4"), 0);
});

test("a total exchange that is too large plays node 0's blocks, and counts all links", async () => {
  const { page, problems } = await shown("all-to-all --dim 9", "#step=100");
  const { films } = await page.evaluate(() => window.dcube.state());
  assert.equal(films[0].packets, 9 * 256);
  assert.equal(films[0].busy, 9 * 512);
  assert.match(await sentence(page), /4\u202f?\s?608 packets on 4\u202f?\s?608 links: none is idle\.$/);
  assert.ok((await legend(page)).some((words) => words.includes("a row for each step")));
  assert.equal(await page.$(".as-table"), null);
  const svg = () => page.evaluate(() => window.dcube.svg());
  const before = await svg();
  await choose(page, { step: "101" });
  assert.notEqual(await svg(), before);
  await choose(page, { follow: "0-511" });
  assert.match(await text(page, ".details"), /511/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
});
