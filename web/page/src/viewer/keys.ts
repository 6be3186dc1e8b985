// The keys. All letters can be switched off, for people whose tools send letters by themselves.

import type { Choices } from "../kit/address";
import { isForPage, letters } from "../kit/letters";
import { isThread, threadFrom, threadQuestion } from "./journey";
import { threadText } from "./options";
import type { Player } from "./player";

export const KEYS: readonly (readonly [string, string])[] = [
  ["Space", "play, pause"],
  ["Right, Left", "one step on, back"],
  ["Shift+Right, Shift+Left", "next, previous phase"],
  ["Home, End", "start, end"],
  ["Page Up, Page Down", "10 steps back, on; in a presentation one"],
  ["- +", "slower, faster"],
  ["Tab, arrows, Enter", "to the nodes, along links, choose a node"],
  ["F", "follow a block: origin and target"],
  ["L", "a link of the chosen node, by its port"],
  ["O", "show the blocks of one origin"],
  ["C", "colour"],
  ["Y", "layout"],
  ["I", "idle links"],
  ["B", "the lower bound: its links and its proof"],
  ["U", "the picture of the bound, and back"],
  ["G", "links over time"],
  ["T", "the schedule as a table"],
  ["Q", "predict: questions about the next step, where nodes are drawn"],
  ["P", "presentation; a lesson as slides"],
  ["D", "dark, light"],
  ["S", "save the picture as SVG"],
  ["V", "record a film (MP4 or WebM)"],
  ["Esc", "close"],
  ["?", "this help"],
];

/** The keys for next and previous in a presentation, those of a presenter's clicker too. */
const CLICKER: Record<string, 1 | -1> = { PageDown: 1, ArrowRight: 1, " ": 1, PageUp: -1, ArrowLeft: -1 };
/** In a lesson these scroll the text, unless the focus is in the player. */
const SCROLLING = new Set([" ", "PageUp", "PageDown", "Home", "End"]);

/** The effects of keys beyond playing. */
export interface KeyActions {
  readonly player: Player;
  readonly root: HTMLElement;
  readonly lesson: boolean;
  readonly page: { readonly controls: { next(which: "colour" | "layout"): void }; readonly pull: { flip(): void } };
  theme(): void;
  presentation(): void;
  predict(): void;
  help(): void;
  save(): void;
  film(): void;
  escape(): void;
  /** Returns the mistake in the text, or "" if it was taken. */
  ask(question: string, answer: (text: string) => string): void;
  choose(choices: Choices): void;
}

export class Keys {
  readonly #signs: Record<string, () => void>;
  readonly #letters: Record<string, () => void>;

  constructor(
    private readonly app: KeyActions,
    signal: AbortSignal,
  ) {
    const { player } = app;
    this.#signs = {
      " ": () => player.toggle(),
      ArrowRight: () => player.step(1),
      ArrowLeft: () => player.step(-1),
      ShiftArrowRight: () => player.phase(1),
      ShiftArrowLeft: () => player.phase(-1),
      Home: () => this.#jump(0),
      End: () => this.#jump(player.axis.stops - 1),
      PageUp: () => this.#jump(player.stop - 10),
      PageDown: () => this.#jump(player.stop + 10),
      "+": () => player.faster(1),
      "=": () => player.faster(1),
      "-": () => player.faster(-1),
      "?": () => app.help(),
      Escape: () => app.escape(),
    };
    this.#letters = {
      p: () => app.presentation(),
      q: () => app.predict(),
      d: () => app.theme(),
      s: () => app.save(),
      v: () => app.film(),
      c: () => app.page.controls.next("colour"),
      y: () => app.page.controls.next("layout"),
      i: () => this.#flip("idle"),
      b: () => this.#flip("bound"),
      g: () => this.#flip("gantt"),
      u: () => app.page.pull.flip(),
      t: () => player.flipTable(),
      o: () =>
        app.ask("Show the blocks of node (empty: of all)", (text) =>
          this.#chosen(text === "" || this.#isNode(text), { show: text === "" ? "-1" : text }),
        ),
      f: () =>
        app.ask(threadQuestion(player.film), (text) => {
          const thread = threadFrom(player.film, text);
          return this.#chosen(/^(\d+(\D+\d+)*)?$/.test(text) && isThread(player.film, thread), {
            follow: threadText(thread),
          });
        }),
      l: () => this.#askPort(),
    };
    document.addEventListener("keydown", (event) => this.#press(event), { signal });
  }

  #press(event: KeyboardEvent): void {
    if (!isForPage(event)) return;
    const target = event.target as HTMLElement;
    if (target.closest("input, select, textarea, summary")) return;
    const onButton = target.closest("button, a") !== null;
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    if (this.app.lesson && SCROLLING.has(event.key) && !this.app.root.contains(target)) return;
    const act = this.#meaning(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #meaning({ key, shiftKey }: KeyboardEvent): (() => void) | false | undefined {
    const { player } = this.app;
    if (/^[a-z]$/i.test(key)) return letters.areKeys && this.#letters[key.toLowerCase()];
    if (shiftKey && key.startsWith("Arrow")) return this.#signs[`Shift${key}`];
    const click = player.options.present && CLICKER[key];
    return click ? () => player.step(click) : this.#signs[key];
  }

  #jump(stop: number): void {
    const { player } = this.app;
    player.pause();
    player.seek(stop);
  }

  #flip(flag: "idle" | "bound" | "gantt"): void {
    const { player } = this.app;
    player.change({ [flag]: !player.options[flag] });
  }

  #isNode(text: string): boolean {
    return /^\d+$/.test(text) && Number(text) < this.app.player.film.network.nodes;
  }

  /** The choices after a question's answer, or the mistake in it. */
  #chosen(right: boolean, choices: Choices): string {
    const {
      single,
      network,
      data: {
        messages: { parts },
      },
    } = this.app.player.film;
    if (!right)
      return single && parts > 1
        ? `There is none: parts are 1 to ${parts}.`
        : `There is none: nodes are 0 to ${network.nodes - 1}.`;
    this.app.choose(choices);
    return "";
  }

  #askPort(): void {
    const { app } = this;
    const { selection } = app.player.options;
    if (selection?.what !== "node") return;
    const { node } = selection;
    app.ask(`Port of node ${node}`, (text) => {
      const link = /^\d+$/.test(text) ? app.player.film.network.linkOf(node, Number(text)) : -1;
      if (link < 0) return `Node ${node} has no such port: the first one is 0.`;
      app.player.select({ what: "link", link });
      return "";
    });
  }
}
