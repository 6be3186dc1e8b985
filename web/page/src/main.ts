import { readAddress, watchAddress, writeAddress, type Choices } from "./kit/address";
import { Allowance, Unreadable } from "./kit/columns";
import { element } from "./kit/dom";
import type { Exhibit, Piece } from "./kit/exhibit";
import { look } from "./kit/look";
import { breath } from "./kit/motion";
import { BoardPiece } from "./board/board";
import { checkBoard, isBoard } from "./board/document";
import { beats } from "./lesson/beats";
import { Lesson, type Stagehand } from "./lesson/lesson";
import { App } from "./viewer/app";
import { checkView, LIMITS, parsed, type ViewDocument } from "./viewer/document";
import { loadFilm } from "./viewer/film";
import { Player, type Loaded } from "./viewer/player";
import { Replay, unitsOf } from "./viewer/replay";

const host = document.querySelector("main")!;
const pieces = new Map<number, Promise<Piece>>();
let on: { piece: Piece; exhibit: Exhibit } | null = null;
let asked = 0; // times that a lesson's views were requested

function load(index: number): Promise<Piece> {
  const piece = pieces.get(index) ?? read(index);
  pieces.set(index, piece);
  return piece;
}

async function read(index: number): Promise<Piece> {
  const source = document.getElementById(`view-${index}`);
  if (!source) throw new Unreadable(`this page has no document ${index}`);
  return pieceOf(source.textContent ?? "");
}

/** A long text, which takes a while to read. */
const LONG = 2 ** 20;

async function pieceOf(text: string): Promise<Piece> {
  const found = parsed(text);
  if (isBoard(found)) return new BoardPiece(checkBoard(found));
  if (text.length > LONG) await breath();
  const view = checkView(found as ViewDocument);
  const allowance = new Allowance(LIMITS.unpacked);
  const loaded: Loaded[] = [];
  for (const data of view.films) {
    const film = await loadFilm(data, allowance);
    loaded.push({ film, replay: film.hasPackets ? new Replay(film, unitsOf(film)) : null });
  }
  const player = new Player(view, loaded);
  return { shown: (...how) => new App(player, ...how) };
}

function put(piece: Piece, choices: Choices, changed: (choices: Choices) => void, lesson: boolean): void {
  if (on?.piece === piece) on.exhibit.choose(choices);
  else {
    on?.exhibit.dispose();
    on = { piece, exhibit: piece.shown(host, choices, changed, lesson) };
  }
}

/** Shows a lesson's views. If another was requested while this one was read, that one stays. */
const stagehand: Stagehand = {
  changed: () => undefined,
  forget: (view) => void pieces.delete(view),
  async show(view, choices) {
    const mine = ++asked;
    const piece = await load(view);
    if (mine !== asked) return null;
    put(
      piece,
      choices,
      (now) => {
        if (on?.piece === piece) stagehand.changed(now);
      },
      true,
    );
    return on!.exhibit;
  },
};

/** Plays a document that was made while the page is open; `changed` gets the choices made in it. Throws Unreadable. */
async function play(
  text: string,
  choices: Choices = {},
  changed: (choices: Choices) => void = () => undefined,
): Promise<Exhibit> {
  const mine = ++asked;
  const piece = await pieceOf(text);
  if (mine === asked) put(piece, choices, changed, beats().length > 0);
  return on!.exhibit;
}

/** A page that runs requests (lab/main.ts) has a script of its own, and no document. */
interface Lab {
  begin(host: HTMLElement, playing: typeof play, data: string): Promise<void>;
}

async function start(): Promise<void> {
  look();
  const lesson = beats().length > 0;
  const { dcubeLab: lab } = window as { dcubeLab?: Lab };
  const data = document.getElementById("view-0")?.textContent ?? "";
  document.body.classList.toggle("lesson", lesson);
  if (lesson) await new Lesson(stagehand, host).begin();
  else if (lab && data.startsWith('{"kind":"lab"')) await lab.begin(host, play, data);
  else {
    put(await load(0), readAddress(), writeAddress, false);
    watchAddress((choices) => on?.exhibit.choose(choices));
  }
  document.body.classList.add("running");
  on?.exhibit.restyled();
}

/** For the rest of the page, for tests, and for the browser's console. */
Object.assign(window, { dcube: () => on?.exhibit, dcubePlay: play });

start()
  .catch((error: unknown) => {
    const message = error instanceof Unreadable ? `${error.message}.` : "it is not what this page expects.";
    if (!(error instanceof Unreadable)) console.error(error);
    host.append(
      element("p.verdict", { role: "alert" }, `This page's data cannot be read: ${message}`),
      element(
        "p",
        "A page is made by ",
        element("code", "dcube view COLLECTIVE --dim D --html FILE"),
        " or, of a trace, by ",
        element("code", "dcube view --trace FILE --html FILE"),
        ".",
      ),
    );
  })
  .finally(() => {
    document.body.dataset.ready = "";
  });
