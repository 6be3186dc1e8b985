// A board: the student schedules a collective by tapping links, and the judge's rules judge.

import { isForPage, letters } from "../kit/letters";
import { embedded, otherTheme, watchLook } from "../kit/look";
import type { Choices } from "../kit/address";
import { button, element, icon, say, sayTitle, wordButton } from "../kit/dom";
import type { Exhibit, Piece } from "../kit/exhibit";
import { roomiest } from "../kit/fit";
import { PLAY, THEME } from "../kit/icons";
import { Motion, prefersStill } from "../kit/motion";
import { readTheme, type Theme } from "../kit/theme";
import { counted } from "../kit/words";
import { firstColour } from "../viewer/colouring";
import { Legend } from "../viewer/legend";
import { entriesOf } from "../viewer/legend-entries";
import type { Film } from "../viewer/film";
import { PLAIN, type Options } from "../viewer/options";
import { REST } from "../viewer/stagger";
import { BoundsCard } from "./bounds-card";
import { Chooser } from "./chooser";
import { networkOf, taskOf, type BoardData, type BoardDocument } from "./document";
import { drawnBoard, draftText, readDraft, type Draft } from "./draft";
import { Drawing } from "./drawing";
import { filmOf, type Played } from "./film";
import { Game, type Images } from "./game";
import { Hints, type Hint } from "./hints";
import { leastLeft } from "./least";
import { LinkList } from "./link-list";
import { BoardPicture } from "./picture";
import { printedBoard } from "./printed";
import { isWrong, type Move } from "./rules";
import { SameTable } from "./same-table";
import { Symmetry } from "./symmetry";
import { TraceCard } from "./trace-card";
import {
  adviceWords,
  choiceWords,
  moveWords,
  nodeWords,
  questionWords,
  soFar,
  start,
  verdict,
  wayOut,
  wrongWords,
} from "./words";

const html = document.documentElement;
const STEP_MS = 900;
const STOP = "M6 6h12v12H6z";

/** A network with the schedule that is made on it, for one kind of ports. */
class Table {
  readonly network;
  readonly game: Game;
  readonly hints: Hints;
  /** null: nodes differ. */
  readonly symmetry: Symmetry | null;
  /** Everybody does the same. */
  same = false;

  constructor(
    readonly data: BoardData,
    readonly onePort: boolean,
    readonly draft: Draft | null,
  ) {
    this.network = networkOf(data);
    const task = taskOf(data, this.network, onePort);
    this.game = new Game(task, this.network);
    this.hints = new Hints(task, this.network);
    this.symmetry = Symmetry.of(data, task);
  }

  /** The hops that a tap schedules. */
  get everybody(): Images {
    const { symmetry } = this;
    return symmetry && this.same ? (move) => symmetry.images(move) : (move) => [move];
  }

  /** The schedule as an address has it: node 0's hops where everybody does the same. */
  get text(): string {
    const own = this.same && this.symmetry ? this.#ofZero(this.symmetry) : null;
    return own ? this.game.textOf(own) : this.game.text;
  }

  #ofZero(symmetry: Symmetry): Move[][] | null {
    const own = [...this.game.steps, this.game.moves].map((moves) => symmetry.ofZero(moves));
    return own.includes(null) ? null : (own as Move[][]);
  }

  get bounds() {
    return this.data.bounds[this.onePort ? "one" : "all"];
  }
}

/** A board's document; its state stays while another one is shown. */
export class BoardPiece implements Piece {
  table: Table;
  /** A tap takes the most useful packet. */
  forMe = false;

  constructor(readonly view: BoardDocument) {
    this.table = new Table(view.board, view.board.one_port, null);
  }

  shown(host: HTMLElement, choices: Choices, changed: (choices: Choices) => void, lesson: boolean): Exhibit {
    return new Board(this, host, choices, changed, lesson);
  }

  printed(): HTMLElement {
    return printedBoard(this.view.board);
  }
}

export class Board implements Exhibit {
  readonly root = element("div.player.board");
  readonly #picture = new BoardPicture();
  readonly #links: LinkList;
  readonly #chooser: Chooser;
  readonly #table: SameTable;
  readonly #drawing: Drawing;
  readonly #bounds = new BoundsCard();
  readonly #trace: TraceCard;
  readonly #legend = new Legend("Tap a link to send over it, a node to see what it has.");
  readonly #sentence = element("p.sentence", { role: "status" });
  readonly #title: HTMLElement;
  readonly #subtitle = element("p.subtitle");
  readonly #count = element("b");
  readonly #packets = element("span");
  readonly #buttons: Record<"end" | "undo" | "again" | "hint" | "play" | "draw", HTMLButtonElement>;
  readonly #ports = element("input", { type: "checkbox", id: "one-port" });
  readonly #same = element("input", { type: "checkbox", id: "same" });
  readonly #forMe = element("input", { type: "checkbox", id: "for-me" });
  readonly #sameLabel = element(
    "label.switch",
    { title: "one tap sends the same packet, seen from itself, at every node" },
    this.#same,
    " everybody does the same",
  );
  readonly #ended = new AbortController();
  readonly #motion = new Motion((elapsed) => this.#advance(elapsed));
  readonly #resized = new ResizeObserver(() => this.#draw());
  readonly #marks = { hover: -1, focus: -1 };
  /** The subject of the last hint; a hint is a question first. */
  #hinted: Move | null = null;
  #asked: string | null = null;
  /** The next End of step lets a step pass in which nothing is sent. */
  #passes = false;
  #selected = -1;
  #theme: Theme;
  /** The stretch that is played: from one time in steps to another. */
  #playing: { now: number; to: number } | null = null;
  #said = "";

  constructor(
    private readonly piece: BoardPiece,
    host: HTMLElement,
    choices: Choices,
    private readonly changed: (choices: Choices) => void,
    lesson: boolean,
  ) {
    this.#links = new LinkList(
      (link) => this.#tap(link),
      (link) => {
        this.#marks.focus = link;
        this.#draw();
      },
    );
    this.#table = new SameTable((link) => this.#tap(link));
    this.#chooser = new Chooser((move) => {
      this.#game.toggle(move, this.piece.table.everybody);
      this.#moved(this.#game.on(move.link).length > 0 ? this.#sent(move) : "");
    });
    this.#drawing = new Drawing(
      (draft) => this.#useDraft(draft),
      () => this.#edit(false),
    );
    this.#trace = new TraceCard();
    this.#buttons = {
      end: wordButton("End of step", () => this.#endStep(), "button.play"),
      undo: wordButton("Undo", () => this.#after(() => this.#game.undo())),
      again: wordButton("Start over", () => this.#after(() => this.#game.again())),
      hint: wordButton("Hint", () => this.#hint()),
      play: button("Play it", "", icon(PLAY, true), () => this.#play()),
      draw: wordButton("Draw your own", () => this.#edit(true)),
    };
    this.#ports.addEventListener("change", () =>
      this.#use(new Table(this.piece.table.data, this.#ports.checked, this.piece.table.draft)),
    );
    this.#same.addEventListener("change", () => {
      this.piece.table.same = this.#same.checked;
      this.#after(() => this.#game.again());
    });
    this.#forMe.addEventListener("change", () => {
      this.piece.forMe = this.#forMe.checked;
      this.#show();
    });
    const controls = element(
      "div.controls",
      element(
        "div.tools",
        {},
        this.#sameLabel,
        element("label.switch", this.#ports, " one port"),
        element("label.switch", { title: "a tap sends the most useful packet" }, this.#forMe, " choose for me"),
        this.#buttons.draw,
        button("theme", "D", icon(THEME), () => this.#paint(otherTheme())),
      ),
    );
    this.#title = element(lesson ? "h2.title" : "h1");
    const top = element("header.top", this.#title, this.#subtitle, controls);
    top.hidden = embedded();
    const stage = element("div.stages", element("section.film", this.#picture.root, this.#links.root));
    const side = element(
      "aside.side",
      { "aria-label": "bounds and schedule" },
      this.#bounds.root,
      this.#trace.root,
      this.#legend.root,
    );
    side.hidden = embedded();
    const { end, undo, again, hint, play } = this.#buttons;
    const bar = element(
      "footer.transport",
      element("div.buttons", { role: "group", "aria-label": "board" }, end, undo, again, hint, play),
      element("p.count", this.#count, this.#packets),
    );
    this.root.append(
      element(
        "div.frame",
        top,
        element(
          "div.body",
          element(
            "div.main",
            stage,
            this.#drawing.root,
            element("div.hand", this.#table.root, this.#chooser.root, this.#table.words),
            this.#sentence,
          ),
          side,
        ),
        bar,
      ),
    );
    host.append(this.root);
    this.#theme = readTheme(html);
    this.#listen(lesson);
    this.#edit(false);
    this.choose(choices);
    this.#say("");
    this.#resized.observe(this.#picture.root);
  }

  get #game(): Game {
    return this.piece.table.game;
  }

  get table(): Table {
    return this.piece.table;
  }

  state(): Choices {
    const { text, onePort, draft, same } = this.piece.table;
    return {
      ...(same ? { same: "1" } : {}),
      ...(this.piece.forMe ? { choose: "1" } : {}),
      ...(text ? { moves: text } : {}),
      ...(onePort === this.piece.view.board.one_port ? {} : { ports: onePort ? "one" : "all" }),
      ...(draft ? { net: draftText(draft) } : {}),
    };
  }

  /** The place on the stage where a tap lets the link's sender send. */
  placeOf(link: number): { x: number; y: number } {
    return this.#picture.scene!.lanes[link]!.at(0.3);
  }

  choose(choices: Choices): void {
    const { net, ports, moves, theme, present, same, choose } = choices;
    const now = this.state();
    const draft = net === undefined || net === now.net ? null : readDraft(net);
    if (draft) this.#useDraft(draft);
    if ((ports === "one" || ports === "all") && (ports === "one") !== this.piece.table.onePort)
      this.#use(new Table(this.piece.table.data, ports === "one", this.piece.table.draft));
    const { table } = this.piece;
    if (same !== undefined || moves !== undefined) table.same = same === "1" && table.symmetry !== null;
    if (moves !== undefined && moves !== table.text) this.#game.restore(moves, table.everybody);
    if (choose !== undefined) this.piece.forMe = choose === "1";
    if (theme === "dark" || theme === "light") html.dataset.theme = theme;
    if (present) html.toggleAttribute("data-present", present === "1");
    this.#say("");
    this.restyled();
  }

  restyled(): void {
    this.#theme = readTheme(html);
    this.#show();
  }

  dispose(): void {
    this.#ended.abort();
    this.#motion.stop();
    this.#resized.disconnect();
    this.root.remove();
  }

  #use(table: Table): void {
    this.piece.table = table;
    this.#selected = -1;
    this.#stop();
    this.#say("");
    this.#show();
  }

  #useDraft(draft: Draft): void {
    const { view, table } = this.piece;
    this.#edit(false);
    this.#use(new Table(drawnBoard(view.board, draft), table.onePort, draft));
  }

  #edit(on: boolean): void {
    this.root.toggleAttribute("data-drawing", on);
    this.#picture.root.closest<HTMLElement>(".stages")!.hidden = on;
    this.#drawing.show(on);
    if (!on) this.#show();
  }

  #listen(lesson: boolean): void {
    const { signal } = this.#ended;
    const { canvas } = this.#picture;
    const place = (event: PointerEvent | MouseEvent): [number, number] => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("click", (event) => {
      const [x, y] = place(event);
      const node = this.#picture.nodeAt(x, y);
      if (node >= 0) this.#say(nodeWords(this.#game, node));
      else this.#tapAt(x, y);
    });
    canvas.addEventListener("pointermove", (event) => {
      const at = place(event);
      const links = this.#picture.nodeAt(...at) >= 0 ? [] : this.#meantAt(...at);
      this.#hover(links.length === 1 ? links[0]! : -1);
    });
    canvas.addEventListener("pointerleave", () => this.#hover(-1));
    watchLook((theme) => this.#paint(theme), signal);
    document.addEventListener(
      "keydown",
      (event) => {
        if (!isForPage(event) || (event.target as HTMLElement).closest("input, select, textarea")) return;
        const key = letters.areKeys ? event.key.toLowerCase() : "";
        if (key === "d") this.#paint(otherTheme());
        if (key === "p" && !lesson) this.choose({ present: html.hasAttribute("data-present") ? "0" : "1" });
      },
      { signal },
    );
  }

  /**
   * The links that a tap may mean: of the half that was tapped, unless only the other end sends or has something to send;
   * of several the ones that have something to do with the step.
   */
  #meantAt(x: number, y: number): number[] {
    const game = this.#game;
    const meant = (one: number): boolean => game.on(one).length > 0 || game.offers(one).some((offer) => offer.useful);
    const links = this.#picture.linksAt(x, y);
    const sending = [...new Set(links.map((link) => (!meant(link) && meant(link ^ 1) ? link ^ 1 : link)))];
    const some = sending.filter(meant);
    return some.length > 0 ? some : sending;
  }

  #tapAt(x: number, y: number): void {
    if (this.#game.complete) return;
    const [link, other] = this.#meantAt(x, y);
    if (link === undefined) this.#say("There is no link there. Tap a line, near the node that is to send.");
    else if (other === undefined) this.#tap(link);
    else if (other === (link ^ 1))
      this.#say("That is the middle of the link. Tap it nearer to the node that is to send.");
    else this.#say("Two links are there. Tap the one that you mean where it is alone.");
  }

  #hover(link: number): void {
    const meant = this.#game.complete ? -1 : link;
    if (meant === this.#marks.hover) return;
    this.#marks.hover = meant;
    this.#picture.canvas.classList.toggle("linked", meant >= 0);
    this.#draw();
  }

  #tap(link: number): void {
    if (this.#game.complete) return;
    this.#stop();
    const open = this.#selected === link;
    this.#selected = link;
    const { game, everybody } = this.piece.table;
    const hinted = this.#hinted && everybody(this.#hinted).find((one) => one.link === link);
    if (hinted && !game.on(link).some(({ packet }) => packet === hinted.packet)) {
      game.toggle(hinted, everybody);
      this.#moved(this.#sent(hinted));
      return;
    }
    const move = this.piece.forMe ? game.next(link, everybody) : game.tap(link, open, everybody);
    if (move === "choose") this.#moved(game.on(link).length > 0 ? "" : choiceWords(game.task, link));
    else this.#moved(move ? this.#sent(move) : "");
  }

  /** A node that has nothing to send is told at once; the judge is told at the end of the step. */
  #sent(move: Move): string {
    const { task } = this.#game;
    const { same, symmetry } = this.piece.table;
    const from = task.links.from[move.link]!;
    const words = this.#game.position().has(from, move.packet)
      ? moveWords(task, move)
      : `Node ${from} has nothing to send here yet: the judge will not allow it.`;
    return same && symmetry ? `${words} Every other node does the same, seen from itself.` : words;
  }

  #moved(words: string): void {
    this.#hinted = null;
    this.#passes = false;
    this.#say(words);
    this.#show();
  }

  #after(act: () => void): void {
    this.#stop();
    act();
    this.#selected = -1;
    this.#moved("");
  }

  #endStep(): void {
    this.#stop();
    const game = this.#game;
    if (game.moves.length === 0 && !this.#passes) {
      this.#moved("Nothing is scheduled. Press End of step again to let a step pass.");
      this.#passes = true;
      return;
    }
    if (!game.end()) {
      this.#moved("");
      return;
    }
    this.#selected = -1;
    this.#moved(game.complete ? verdict(game, this.piece.table.bounds) : `${soFar(game)}${this.#prospects()}`);
    this.#run(game.steps.length - 1 + REST, game.steps.length);
    this.#show();
  }

  /** The bound that the step has made impossible, and the fewest steps if a schedule of so many is known from here. */
  #prospects(): string {
    const { game, hints, bounds } = this.piece.table;
    const bound = bounds.steps?.value ?? 0;
    const at = (steps: number): number => steps + leastLeft(game.position(steps), game.network);
    const { length } = game.steps;
    const least = Math.max(bound, at(length));
    const steps = (count: number): string => `${counted(count, "step")} ${count === 1 ? "is" : "are"}`;
    const lost = least > bound && at(length - 1) <= bound ? ` ${steps(bound)} no longer possible.` : "";
    const known = hints.next(game.position(), game.steps, [], least)?.best;
    return `${lost}${known ? ` ${steps(least)} still possible.` : ""}`;
  }

  #hint(): void {
    const { game, hints, bounds } = this.piece.table;
    if (game.complete) return;
    const next = game.position().after(game.moves);
    const least = Math.max(bounds.steps?.value ?? 0, game.steps.length + leastLeft(game.position(), game.network));
    const hint = hints.next(game.position(), game.steps, game.moves, least);
    this.#hinted = null;
    if (isWrong(next)) this.#say(wayOut(game.task, next));
    else if (!hint) this.#say("No hint from here. Take a packet off, or undo a step.");
    else this.#advise(hint);
    this.#draw();
  }

  /** First a question, then what to do; where all do the same it is said for node 0. */
  #advise({ move, steps, best }: Hint): void {
    const { game, same, symmetry } = this.piece.table;
    const plan = best
      ? `a schedule of ${counted(steps, "step")}, and ${game.steps.length > 0 ? "from here " : ""}none is shorter`
      : `a good schedule from here, of ${counted(steps, "step")} in all; perhaps there is a shorter one`;
    const hinted = move && same && symmetry ? symmetry.atZero(move) : move;
    if (!hinted) this.#say(`This step is good as it is. That is part of ${plan}.`);
    else if (this.#asked !== game.text) {
      this.#say(`${questionWords(game.task, game.network, game.position(), hinted)} Press Hint again to be told.`);
      this.#asked = game.text;
    } else {
      this.#hinted = hinted;
      this.#say(`${adviceWords(game.task, hinted)} That is part of ${plan}.`);
    }
  }

  #play(): void {
    if (this.#playing) this.#stop();
    else this.#run(0, this.#game.steps.length);
    this.#show();
  }

  #run(from: number, to: number): void {
    if (prefersStill() && to - from <= 1) return;
    this.#playing = { now: from, to };
    this.#motion.start();
  }

  #stop(): void {
    this.#playing = null;
    this.#motion.stop();
  }

  #advance(elapsed: number): boolean {
    const playing = this.#playing;
    if (!playing) return false;
    playing.now = Math.min(playing.to, playing.now + elapsed / STEP_MS);
    if (playing.now >= playing.to) {
      this.#playing = null;
      this.#show();
      return false;
    }
    this.#draw();
    return true;
  }

  #paint(theme: string): void {
    html.dataset.theme = theme;
    this.restyled();
  }

  /** The sentence stays until something else happens; "": the judge's finding, or the state. */
  #say(words: string): void {
    this.#said = words;
    const game = this.#game;
    const { wrong, task } = game;
    this.#sentence.classList.toggle("wrong", wrong !== null && words === "");
    if (wrong && words === "") {
      const [rule, text] = wrongWords(wrong);
      this.#sentence.replaceChildren(element("span", element("b", rule), text));
      return;
    }
    const text =
      words ||
      (game.complete
        ? verdict(game, this.piece.table.bounds)
        : game.sent === 0 && game.steps.length === 0
          ? start(task)
          : game.moves.length > 0
            ? `${counted(game.moves.length, "packet")} in step ${game.steps.length + 1}. End the step to have it judged.`
            : soFar(game));
    this.#sentence.classList.toggle("done", game.complete);
    if (this.#sentence.textContent !== text) this.#sentence.replaceChildren(element("span", text));
  }

  #show(): void {
    const { game, bounds, onePort, data, draft, network } = this.piece.table;
    if (this.#said === "") this.#say("");
    this.#ports.checked = onePort;
    this.#sameLabel.hidden = this.piece.table.symmetry === null;
    this.#same.checked = this.piece.table.same;
    this.#forMe.checked = this.piece.forMe;
    const { title, subtitle } = this.piece.view;
    sayTitle(this.#title, draft ? `Your turn: ${data.collective} on your own network` : title);
    say(
      this.#subtitle,
      draft
        ? `${counted(network.nodes, "node")}, ${counted(network.directed / 2, "link")}` +
            `${data.root === null ? "" : `; the root is node ${data.root}`}.`
        : subtitle,
    );
    const { end, undo, again, hint, play } = this.#buttons;
    for (const [made, on] of [
      [end, !game.complete],
      [undo, game.canUndo],
      [again, game.sent > 0 || game.steps.length > 0],
      [hint, !game.complete],
      [play, game.steps.length > 0],
    ] as const)
      made.disabled = !on;
    play.replaceChildren(icon(this.#playing ? STOP : PLAY, true));
    say(this.#count, game.complete ? counted(game.steps.length, "step") : `step ${game.steps.length + 1}`);
    say(this.#packets, `, ${counted(game.sent, "packet")}`);
    this.#bounds.update(game, bounds);
    this.#trace.update(data, draft, game, onePort);
    this.#chooser.update(game, this.#selected);
    this.#links.update(game);
    this.#picture.canvas.ariaLabel = `${this.#title.textContent}. ${this.#sentence.textContent}`;
    this.#draw();
    this.changed(this.state());
  }

  #draw(): void {
    const { game, data, network } = this.piece.table;
    const steps: Played[] = game.steps.map((moves, i) => ({ before: game.position(i), moves }));
    const making = !this.#playing && !game.complete;
    if (making) steps.push({ before: game.position(), moves: game.moves });
    const film = filmOf(data.film, network, game.task, steps);
    this.#table.update(game, this.piece.table.same ? this.piece.table.symmetry : null, film, this.#selected);
    if (!this.#playing)
      this.#legend.update(
        [
          {
            picture: { scene: this.#picture.scene, legend: (...how) => entriesOf(film, this.#picture.scene, ...how) },
            shown: { complete: game.complete, kept: film.data.messages.kind === "moves", idle: false },
          },
        ],
        this.#options(film),
        this.#theme,
      );
    const now = this.#playing ? this.#playing.now : making ? game.steps.length + REST : game.steps.length;
    this.#picture.draw(film, now, making, this.#theme, this.#options(film), {
      hover: this.#marks.hover,
      focus: this.#marks.focus >= 0 ? this.#marks.focus : this.#selected,
      hint: this.#hinted?.link ?? -1,
      wrong: game.wrong?.move.link ?? -1,
    });
  }

  #options(film: Film): Options {
    return { ...PLAIN, colour: firstColour(film), layout: this.#layout(), present: html.hasAttribute("data-present") };
  }

  /** The first, or where there is little room the one whose nodes end up farthest apart. */
  #layout(): number {
    const { layouts } = this.piece.table.data.film.network;
    const { clientWidth: width, clientHeight: height } = this.#picture.root;
    if (Math.min(width, height) > 420) return 0;
    return roomiest(layouts, width, height);
  }
}
