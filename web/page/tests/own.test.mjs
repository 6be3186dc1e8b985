// Programs of one's own in the lab's page.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { folder, launch, violations } from "./browser.mjs";
import { missing, openLab, writeLab } from "./lab-page.mjs";
import { stopProgram, tryPrograms } from "./own-programs.mjs";
import { some } from "./thorough.mjs";

const skip = missing;
let browser;
let file;
before(async () => {
  if (skip) return;
  browser = await launch();
  file = writeLab(join(folder, "own.html"));
});
after(async () => {
  await browser?.close();
});

const hashOf = (name, source, request) =>
  `#${new URLSearchParams({ ...request, "program.name": name, "program.source": source })}`;
const DEADLOCK = "function* program(me) {\n  yield me.arrival(0);\n}\n";

test("programs are run, and what is wrong has its line", { skip }, async () => {
  const { page, problems } = await openLab(browser, file, { still: true });
  await tryPrograms(page);
  await stopProgram(page);
  assert.deepEqual(
    problems.filter((text) => !/Content Security Policy|EvalError/.test(text)),
    [],
  );
  await page.close();
});

test("a program finds the language and nothing else, and its nodes share nothing", { skip }, async () => {
  const { page } = await openLab(browser, file, { still: true });
  const ask = (lines) =>
    page.evaluate(
      (source) =>
        window.dcubeLab.ask({
          topology: "hypercube:2",
          bytes: 8,
          program: { name: "mine", source },
          results: ["report"],
        }).answer,
      `function* program(me) {\n${lines}\n}`,
    );
  const names =
    "indexedDB caches fetch Worker postMessage addEventListener BroadcastChannel importScripts self setTimeout";
  const found = await ask(`me.say(${names.split(" ").map((name) => `typeof ${name}`)});`);
  assert.deepEqual(new Set(found.results.said[0].text.split(" ")), new Set(["undefined"]));
  const own = await ask("globalThis.all ??= []; globalThis.all.push(me.id); me.say(globalThis.all.length);");
  assert.deepEqual(
    own.results.said.map(({ text }) => text),
    ["1", "1", "1", "1"],
  );
  for (const line of [
    "Math.shared = me.id;",
    "Array.prototype.shared = me.id;",
    "me.constructor.shared = me.id;",
    "JSON.stringify = null;",
    "Object.getPrototypeOf(function* () {}).shared = 1;",
  ])
    assert.match((await ask(line)).error?.message ?? "", /TypeError: Cannot .* \(line 2 of your program\)$/, line);
  assert.deepEqual(
    (await ask("/a(.)/.exec('ab'); me.say(RegExp.$1, RegExp.lastMatch);")).results.said[0].text,
    "undefined undefined",
  );
  // What ends the program's function early runs before any node, and cannot answer in the lab's place.
  const early = await ask("}}}); try { postMessage({ said: 'answer', results: [] }); } catch {} ({ make() { {");
  assert.match(early.error.message, /there is no `program`/);
  // The language works as ever.
  const usual = await ask(
    "const e = new (class Stop extends Error { name = 'Stop' })(); me.say(e.name, [1].map(String));",
  );
  assert.equal(usual.results.said[0].text, 'Stop ["1"]');
  assert.equal(await page.$$eval("iframe", (all) => all.length), 0);
  await page.close();
});

test("the editor: colours, the line of an error, keys, undo, and no accessibility violation", { skip }, async () => {
  const desk = [false, [1280, 900]];
  const phone = [true, [390, 844]];
  for (const [dark, size] of some([desk, phone], [phone])) {
    const { page } = await openLab(browser, file, {
      hash: hashOf("mine", DEADLOCK, { collective: "all-gather", topology: "hypercube:3" }),
      dark,
      size,
    });
    await page.waitForFunction(() => !window.dcubeLab.lab.busy);
    // A program that came by a link asks first.
    assert.match(await page.$eval(".lab-ask", (one) => one.textContent), /program in it, of 3 lines/);
    assert.equal(await page.evaluate(() => window.dcube.exhibit()), undefined, "nothing has run");
    await page.evaluate(() => document.querySelector(".lab-ask button").click());
    await page.waitForFunction(() => !window.dcubeLab.lab.busy);
    assert.equal(await page.$eval(".lab-ask", (one) => one.hidden), true);
    if (!(await page.$(".editor")) || !(await page.$eval(".editor", (one) => one.checkVisibility())))
      await page.evaluate(() =>
        [...document.querySelectorAll(".lab-tabs button")].find((one) => one.textContent === "Program").click(),
      );
    await page.waitForSelector(".editor", { visible: true });
    assert.equal(await page.$eval(".editor textarea", (one) => one.value), DEADLOCK);
    // The film says what has happened, the form and the editor only where.
    assert.match(await page.$eval(".sentence", (one) => one.textContent), / \(line 2 of your program\)\.?$/);
    assert.match(await page.$eval(".lab-wrong", (one) => one.textContent), /^Deadlock: line 2 of your program\./);
    assert.equal(await page.$eval(".editor-wrong", (one) => one.hidden), true);
    assert.ok(await page.$eval(".editor-mark", (mark) => !mark.hidden && mark.style.getPropertyValue("--at") === "1"));
    assert.equal(await page.$eval(".editor-numbers", (one) => one.textContent), "1\n2\n3\n4");
    assert.deepEqual(await page.$$eval(".editor .code-word", (all) => all.map((one) => one.textContent)), [
      "function",
      "yield",
    ]);
    assert.deepEqual(await violations(page, ["serious", "critical"]), []);

    await page.focus(".editor textarea");
    await page.keyboard.down("Control");
    await page.keyboard.press("Home");
    await page.keyboard.up("Control");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("// x");
    await page.keyboard.press("Tab");
    await page.keyboard.type("y");
    const source = () => page.$eval(".editor textarea", (one) => one.value);
    assert.equal(await source(), DEADLOCK.replace("{\n", "{\n  // x  y\n"));
    assert.ok(await page.$eval(".editor-mark", (mark) => mark.hidden));
    for (let i = 0; i < 9 && (await source()) !== DEADLOCK; i++) {
      await page.keyboard.down("Control");
      await page.keyboard.press("z");
      await page.keyboard.up("Control");
    }
    assert.equal(await source(), DEADLOCK, "undone");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "TEXTAREA", "Esc, then Tab leaves");
    await page.close();
  }
});
