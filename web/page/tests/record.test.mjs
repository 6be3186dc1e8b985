// A film recorded in the page is a video, and as long as the film.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { folder, launch, open } from "./browser.mjs";
import { documentOf, writePage } from "./documents.mjs";

let browser;
const file = join(folder, "record.html");
before(async () => {
  browser = await launch();
  writePage(file, [documentOf(["all-to-all", "--dim", "2"])]);
});
after(() => browser.close());

/** Files that the page hands out stay in it, as data: addresses. */
const catchFiles = (page) =>
  page.evaluate(() => {
    window.caught = [];
    URL.createObjectURL = (blob) => {
      const reader = new FileReader();
      reader.onload = () => window.caught.push({ name: "", type: blob.type, data: reader.result });
      reader.readAsDataURL(blob);
      return "#";
    };
  });

/** A video's length, its size, and the colours of its first and its last picture, in a page of its own. */
async function played(address) {
  const page = await browser.newPage();
  await page.bringToFront();
  const result = await page.evaluate(async (address) => {
    const video = document.createElement("video");
    video.muted = true;
    const event = (name) =>
      new Promise((done, fail) => {
        video.addEventListener(name, done, { once: true });
        video.addEventListener("error", () => fail(new Error(video.error.message)), { once: true });
      });
    const ready = event("loadeddata");
    video.src = address;
    await ready;
    if (!Number.isFinite(video.duration)) {
      // a WebM's length is known only at its end
      const known = event("durationchange");
      video.currentTime = 1e6;
      await known;
    }
    return { duration: video.duration, width: video.videoWidth, height: video.videoHeight };
  }, address);
  await page.close();
  return result;
}

test("V records the film: a video of the size asked for, as long as the film and its two still pictures", async () => {
  const { page, problems } = await open(browser, file);
  await catchFiles(page);
  await page.evaluate(() => {
    window.dcube.exhibit().player.speed = 4;
    window.dcube.seek(1);
  });
  const time = await page.evaluate(() => window.dcube.state().now);
  await page.keyboard.press("v");
  assert.match(await page.$eval("dialog form p", (p) => p.textContent), /^It takes 3 s/);
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog progress");
  await page.waitForFunction(() => window.caught.length > 0);
  const { type, data } = await page.evaluate(() => window.caught[0]);
  assert.match(type, /^video\/(mp4|webm)/);
  const { duration, width, height } = await played(data);
  const expected = (2 * 1400) / 4 / 1000 + 2.2;
  assert.ok(duration > expected - 0.8 && duration < expected + 1.5, `${duration} s, expected ${expected}`);
  assert.deepEqual([width, height], [1280, 720]);
  assert.equal(await page.$("dialog"), null);
  assert.equal(await page.evaluate(() => window.dcube.state().now), time);
  assert.deepEqual(problems, []);
});

test("Escape cancels a recording, and a browser without a recorder says so", async () => {
  const { page, problems } = await open(browser, file);
  await catchFiles(page);
  await page.keyboard.press("v");
  await page.click("dialog button[type=submit]");
  await page.waitForFunction(() => document.querySelector("dialog progress")?.value > 0);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog"));
  await new Promise((done) => {
    setTimeout(done, 300);
  });
  assert.equal(await page.evaluate(() => window.caught.length), 0);
  await page.evaluate(() => {
    window.MediaRecorder = undefined;
  });
  await page.keyboard.press("v");
  assert.match(await page.$eval("dialog", (dialog) => dialog.textContent), /This browser cannot record/);
  assert.deepEqual(problems, []);
});
