// Debian's chromium, and pages opened in it from disk.
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

export const SIZES = { projector: [1920, 1080], laptop: [1366, 768], phone: [390, 844] };
export const folder = mkdtempSync(join(tmpdir(), "dcube-pages-"));

export const launch = (env = process.env) =>
  puppeteer.launch({
    env,
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--hide-scrollbars",
      "--force-color-profile=srgb",
      "--disable-background-networking",
      "--no-first-run",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

/** In the page: its state as numbers, and the actions of a person, by name. */
export function hooks() {
  const app = window.dcube;
  const thread = ({ origin, target, part }) =>
    `${origin < 0 ? "" : origin}-${target < 0 ? "" : target}${part < 0 ? "" : `.${part}`}`;
  const chosen = (one) => (one ? `${one.what} ${one.what === "packet" ? thread(one.thread) : one[one.what]}` : "");
  const filmState = ({ film, replay }, i) => {
    const { player } = app();
    const now = player.axis.toFilm(film, player.now);
    replay?.goTo(film.arrived(now));
    const of = (what) =>
      replay ? Array.from({ length: film.network.nodes }, (_, node) => replay.holding[what](node)) : [];
    return {
      now,
      length: film.length,
      packets: film.packets.count,
      arrived: film.arrived(now),
      busy: film.use.at(now),
      links: film.network.directed,
      tally: film.tally(now),
      got: of("got"),
      due: of("due"),
      kept: of("kept"),
      journey: player.journeys[i]?.packets.map((p) => [film.packets.step[p], film.from(p), film.to(p)]) ?? null,
    };
  };
  const state = () => {
    const { player } = app();
    const { options, axis, now, stop, playing, speed, view, loaded, motion } = player;
    return {
      ...options,
      selection: chosen(options.selection),
      follow: options.selection?.what === "packet" ? thread(options.selection.thread) : null,
      title: view.title,
      now,
      stop,
      stops: axis.stops,
      playing,
      speed,
      frames: motion.frames,
      films: loaded.map(filmState),
    };
  };
  // Packets at rest are at .62 of their links, those of crossing links a little before or behind.
  const eased = (t) => (t < 0.5 ? 4 * t ** 3 : 1 - 4 * (1 - t) ** 3);
  const outline = (scene) => ({
    width: scene.width,
    height: scene.height,
    nearest: scene.fitted.nearest,
    radius: scene.radius,
    side: scene.sizes.side,
    boxes: scene.fitted.x.map((_, node) => {
      const { left, top, right, bottom } = scene.box(node);
      return [left, top, right, bottom];
    }),
    middles: scene.lanes.map((lane, link) => Object.values(lane.at(eased((0.516 - 0.08 - scene.late[link]) / 0.8)))),
  });
  /** Nothing moves but a playing film, and the address says what is chosen. */
  const rested = async () => {
    const { page, player } = app();
    if (player.playing) return;
    await new Promise((done) => {
      const { settled } = page;
      page.settled = () => {
        page.settled = settled;
        settled();
        done();
      };
      page.show(); // it comes to rest a little after that, or after the last of its moves
    });
  };
  const drawnViews = () => app().page.views.map(({ picture }) => picture);
  window.dcube = {
    exhibit: app,
    state,
    rested,
    seek: (stop) => app().player.seek(stop),
    seekTime: (time) => app().player.seekTime(time),
    play: () => app().player.play(),
    pause: () => app().player.pause(),
    choose: (choices) => app().choose(choices),
    svg: () => drawnViews()[0].svg("dcube", ""),
    scene: () => drawnViews().map(({ scene }) => (scene ? outline(scene) : null)),
  };
}

const tabs = new WeakMap();

async function newTab(browser) {
  const page = await browser.newPage();
  const tab = { page, problems: [] };
  const note = (text) => tab.problems.push(text);
  page.setDefaultTimeout(120000);
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) note(message.text());
  });
  page.on("pageerror", (error) => note(String(error)));
  page.on("dialog", (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith("file:///") || !request.isNavigationRequest()) note(`request: ${request.url()}`);
  });
  await page.bringToFront();
  tabs.set(browser, tab);
  return tab;
}

/** Opens a page in the browser's one tab, which is quicker than a tab for each, and keeps errors in `problems`. */
export async function open(
  browser,
  file,
  { size = SIZES.laptop, dark = false, still = false, hash = "", touch = false } = {},
) {
  const known = tabs.get(browser);
  const tab = known && !known.page.isClosed() ? known : await newTab(browser);
  const { page } = tab;
  // Else the same file with another hash would stay as it is.
  if (hash || page.url().includes("#")) await page.goto("about:blank");
  const problems = (tab.problems = []);
  await page.setViewport({ width: size[0], height: size[1], deviceScaleFactor: 1, hasTouch: touch });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
    { name: "prefers-reduced-motion", value: still ? "reduce" : "no-preference" },
  ]);
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector("body[data-ready]");
  await page.evaluate(hooks);
  return { page, problems };
}

/** Two frames: the state is drawn. */
export const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
export const state = (page) => page.evaluate(() => window.dcube.state());

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The findings of axe-core on the page as it is; only of these impacts, if they are given. */
export async function violations(page, impacts) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (impacts) => {
    const { violations } = await window.axe.run({ resultTypes: ["violations"] }); // for other results it would keep every element
    return violations
      .filter(({ impact }) => impacts?.includes(impact) ?? true)
      .map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
  }, impacts);
}
