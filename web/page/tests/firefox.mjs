// The lab in Firefox, from disk: the first film, a run, Stop, and a program of one's own. `node tests/firefox.mjs` prints the
// results, and fails if there is an error; FIREFOX names another browser than /usr/bin/firefox-esr.
import assert from "node:assert/strict";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { folder } from "./browser.mjs";
import { stopProgram, tryPrograms } from "./own-programs.mjs";
import { fill, missing, openLab, run, said, writeLab } from "./lab-page.mjs";

if (missing) throw new Error(missing);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
  headless: true,
});
try {
  console.log(await browser.version());
  const file = writeLab(join(folder, "lab-firefox.html"));
  const begin = performance.now();
  const { page, problems } = await openLab(browser, file);
  console.log(
    `opened and first film: ${Math.round(performance.now() - begin)} ms, of the page's own ` +
      `${Math.round(await page.evaluate(() => performance.getEntriesByName("dcube:film")[0].startTime))} ` +
      `ms`,
  );
  assert.match((await said(page)).state, /8 steps/);
  assert.equal(await page.evaluate(() => window.dcubeLab.can.stop), true, "there are workers");
  await fill(page, "topology", "torus:4x3");
  assert.match((await run(page)).title, /torus/);
  await fill(page, "topology", "ring:150");
  await page.evaluate(() => {
    void window.dcubeLab.lab.run();
  });
  await page.waitForFunction(() => !document.querySelector(".lab-stop").hidden);
  await page.evaluate(() => document.querySelector(".lab-stop").click());
  await page.waitForFunction(() => !window.dcubeLab.lab.busy);
  assert.equal((await said(page)).state, "Stopped.");
  const { error, results } = await page.evaluate(
    () =>
      window.dcubeLab.ask({
        collective: "all-gather",
        topology: "hypercube:3",
        program: { name: "mine", source: "function* program(me) { throw new Error('thrown'); }" },
        results: ["report"],
      }).answer,
  );
  assert.match(error?.message ?? JSON.stringify(results), /thrown/);
  assert.deepEqual(
    problems.filter((text) => !text.startsWith("request: data:")),
    [],
  ); // Firefox asks for a font of its own
  await tryPrograms(page);
  console.log(`programs of one's own; one that never yields is stopped in ${Math.round(await stopProgram(page))} ms`);
  console.log("Firefox: all is well");
} finally {
  await browser.close();
}
