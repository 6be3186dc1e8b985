// lab.js: it defines window.dcubeLab. It holds no viewer: films are played by the page that it is on.

import style from "lab:style";
import type { Choices } from "../kit/address";
import type { Exhibit } from "../kit/exhibit";
import { element } from "../kit/dom";
import { prefersStill } from "../kit/motion";
import { ask, can, prepare } from "./engine";
import { Lab, type Setting } from "./lab";
import { lesson } from "./lesson";
import { filmOf, FIRST, fromAddress, same, toAddress, type Request } from "./request";

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

type Play = (text: string, choices: Choices, changed: (choices: Choices) => void) => Promise<Exhibit>;

/** The part of a film that knows the link that is chosen in it. */
interface Shown {
  player?: {
    stop: number;
    pause(): void;
    axis: { inSteps: boolean };
    loaded: readonly unknown[];
    film: { network: { from: Int32Array; to: Int32Array } };
  };
}

/** The page that is nothing but a lab: the form above, the film below it, the request in the address. */
async function begin(host: HTMLElement, play: Play, data: string): Promise<void> {
  /** The request where the address has none. */
  const usual = (JSON.parse(data) as { request?: Request }).request ?? null;
  document.body.classList.add("lab-page");
  const small = (): boolean => innerWidth < 760 || innerHeight < 620;
  const place = element("div.lab-place");
  const old = element("p.lab-old", { role: "note" });
  old.hidden = true;
  host.before(place);
  host.prepend(old);
  // Where the form takes the film's place, it is the page's main part.
  const title = element("h1.hidden", "dcube in the browser");
  place.append(title);
  const part = (): void => {
    const alone = small() && lab?.folded === false;
    title.hidden = !alone;
    if (alone) place.setAttribute("role", "main");
    else place.removeAttribute("role");
  };
  let lab: Lab | null = null;
  let asked: Request = {};
  let film: Choices = {};
  let exhibit: Shown | null = null;
  /** Counts requests and films: choices in a film that is no longer asked for are not its successor's. */
  let turn = 0;
  /** The address as it was written here: one that was changed from outside is not overwritten before it is read. */
  let written = location.hash;
  const write = (): void => {
    if (location.hash !== written) return;
    const text = toAddress(asked, film);
    try {
      history.replaceState(null, "", text === "" ? location.pathname + location.search : `#${text}`);
    } catch {
      // Some browsers forbid this to pages from disk; the link is still shown.
    }
    written = location.hash;
  };
  const chosen = (choices: Choices): void => {
    const { theme: _, ...others } = choices;
    film = others;
    write();
    const player = exhibit?.player;
    const link = Number(choices.link ?? NaN);
    if (player && player.loaded.length === 1 && Number.isInteger(link)) {
      lab?.offerLink(
        player.film.network.from[link]!,
        player.film.network.to[link]!,
        player.axis.inSteps ? player.stop : 1,
      );
    } else lab?.noLink();
  };
  let ready: () => void = () => undefined;
  const first = new Promise<void>((done) => {
    ready = done;
  });
  let wanted = filmOf(location.hash);
  const made: Lab = (lab = new Lab(place, {
    folded: part,
    request: fromAddress(location.hash) ?? usual,
    linked: fromAddress(location.hash) !== null,
    waiting: () => ready(),
    async show(document_, answer, request) {
      exhibit = null;
      const still = prefersStill() || "step" in wanted || "time" in wanted;
      const mine = ++turn;
      const shown = await play(document_, wanted, (choices) => {
        if (mine === turn) chosen(choices);
      });
      wanted = {};
      exhibit = shown as Shown;
      document.body.classList.add("running");
      shown.restyled();
      if (performance.getEntriesByName("dcube:film").length === 0) performance.mark("dcube:film");
      document.title = host.querySelector("h1")?.textContent ?? document.title;
      if (small()) made.fold(true);
      if (innerWidth < 1100 || innerHeight < 620) made.open(null); // it lies over the film there
      if (exhibit.player && request.what === undefined && !still && !answer.error) shown.play?.();
      ready();
    },
    changed(request) {
      asked = request;
      film = {};
      turn++;
      write();
    },
    stale(stale) {
      old.hidden = !stale;
      old.textContent = exhibit
        ? "This is the film of the last run that worked, not of this request."
        : "There is nothing to show: the request did not run.";
      host.toggleAttribute("data-stale", stale);
      if (stale) exhibit?.player?.pause();
      if (stale && !exhibit) document.body.classList.add("running");
      ready();
    },
    // A board's moves are what its link is for; a film begins anew.
    link: (request) =>
      [location.href.split("#")[0], toAddress(request, request.what === "board" ? film : {})].filter(Boolean).join("#"),
  }));
  Object.assign(dcubeLab, { lab: made });
  if (small()) made.fold(true);
  else if ((fromAddress(location.hash) ?? usual)?.program) made.open("program");
  window.addEventListener("hashchange", () => {
    written = location.hash;
    const request = fromAddress(location.hash) ?? usual ?? FIRST;
    wanted = filmOf(location.hash);
    if (!same(request, asked)) void made.follow(request);
    else (exhibit as Exhibit | null)?.choose(wanted);
  });
  window.addEventListener("resize", part);
  part();
  await first;
}

/** A lab at a place of a page, for lessons. */
const form = (place: HTMLElement, setting: Setting): Lab => new Lab(place, setting);

const dcubeLab = { ask, can, prepare, form, begin, lesson };
export type DcubeLab = typeof dcubeLab;
Object.assign(window, { dcubeLab });
