// The selects and buttons at the top.

import { button, choice, element, icon } from "../kit/dom";
import { THEME } from "../kit/icons";
import { range } from "../kit/numbers";
import { shownName } from "./legend-entries";
import { waysToColour, type ColourBy } from "./colouring";
import { DRAWN_NODES, type Player } from "./player";

const ICONS = {
  predict: "M4 5h16v11h-9l-4 4v-4H4zM9.8 8.6a2.2 2.2 0 1 1 3 2c-.6.3-.8.6-.8 1.2M12 13.6v.1",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M9.5 5v14",
  present: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  help: "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1-1.4 2.1M12 17.6v.2",
};

/** A select of more would be no choice. */
const MOST_SHOWN = 1024;

export interface PageActions {
  theme(): void;
  present(): void;
  help(): void;
  predict(): void;
}

export class Controls {
  readonly root = element("div.controls");
  readonly #show: ReturnType<typeof choice> | null;
  readonly #colour: ReturnType<typeof choice> | null;
  readonly #layout: ReturnType<typeof choice> | null;
  readonly #table: HTMLButtonElement | null;
  readonly #predict: HTMLButtonElement | null;

  constructor(
    private readonly player: Player,
    actions: PageActions,
  ) {
    const { film } = player;
    const { layouts, nodes } = film.data.network;
    const { kind, pairs } = film.data.messages;
    const drawn = player.loaded[0]!.replay !== null && layouts.length > 0 && film.packets.count > 0;
    const shown = !drawn
      ? 0
      : kind === "sums"
        ? film.inSteps
          ? film.blocks
          : 0
        : (kind === "moves" ? pairs === "all" || Array.isArray(pairs) : !film.single)
          ? nodes
          : 0;
    const name = (i: number): string => shownName(film, i).replace(/^the blocks/, "blocks");
    this.#show =
      shown > 1
        ? choice(
            "Show",
            [
              ["-1", "all blocks"],
              ...range(Math.min(shown, MOST_SHOWN)).map((i): [string, string] => [String(i), name(i)]),
            ],
            "-1",
            (value) => player.change({ show: Number(value) }),
          )
        : null;
    const ways = player.loaded[0]!.replay ? waysToColour(film) : [];
    this.#colour =
      ways.length > 1
        ? choice("Colour", ways, ways[0]![0], (value) => player.change({ colour: value as ColourBy }))
        : null;
    const names = layouts.map(({ name }, i): [string, string] => [String(i), name]);
    if (player.options.layout < 0 || nodes > DRAWN_NODES) names.unshift(["-1", "summary"]);
    this.#layout =
      names.length > 1 ? choice("Layout", names, "0", (value) => player.change({ layout: Number(value) })) : null;
    this.#table =
      film.hasPackets && !film.everybody
        ? button("the schedule as a table", "T", icon(ICONS.table), () => player.flipTable())
        : null;
    this.#table?.classList.add("as-table");
    this.#predict =
      drawn && !film.everybody && film.inSteps && film.data.verdict.accepted && player.loaded.length === 1
        ? button("predict: questions about the next step", "Q", icon(ICONS.predict), actions.predict)
        : null;
    this.root.append(
      element("div.choices", this.#show, this.#colour, this.#layout),
      element(
        "div.tools",
        {},
        this.#table,
        this.#predict,
        button("theme", "D", icon(THEME), actions.theme),
        button("presentation", "P", icon(ICONS.present), actions.present),
        button("help and keys", "?", icon(ICONS.help), actions.help),
      ),
    );
  }

  update(): void {
    const { options } = this.player;
    if (this.#show) {
      this.#show.select.value = String(options.show);
      this.#show.hidden = options.layout < 0;
    }
    if (this.#colour) {
      this.#colour.select.value = options.colour;
      this.#colour.hidden = options.layout < 0 ? !this.#summaryColours : options.show >= 0;
    }
    if (this.#layout) this.#layout.select.value = String(options.layout);
    if (this.#predict) this.#predict.hidden = options.layout < 0;
    if (this.#table) this.#table.ariaPressed = String(options.table > 0);
  }

  /** The summary has colours to choose only where it shows what is sent. */
  get #summaryColours(): boolean {
    const { kind, pairs } = this.player.film.data.messages;
    return kind === "moves" && pairs !== "all";
  }

  /** The key's way through the choices of a select. */
  next(which: "colour" | "layout"): void {
    const select = (which === "colour" ? this.#colour : this.#layout)?.select;
    if (!select) return;
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    select.dispatchEvent(new Event("change"));
  }
}
