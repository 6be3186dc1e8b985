// A player with its page, its keys and its address.

import type { Choices } from "../kit/address";
import { button, download, element, wordButton } from "../kit/dom";
import type { Exhibit } from "../kit/exhibit";
import { roomiest } from "../kit/fit";
import { letters as keyLetters } from "../kit/letters";
import { otherTheme, watchLook } from "../kit/look";
import { whenPrinting } from "../kit/print";
import { fillScreen, leaveScreen, watchScreen } from "../kit/screen";
import { plain } from "../kit/words";
import { waysToColour, type ColourBy } from "./colouring";
import { filming } from "./filming";
import { isThread } from "./journey";
import { KEYS, Keys } from "./keys";
import { namesIn, namesText, numbersIn, readThread, threadText, type Options } from "./options";
import { Page } from "./page";
import type { Player } from "./player";
import { doubling } from "../schedule/doubling";
import { Stage } from "./stage";
import { Predict } from "../predict/predict";

const html = document.documentElement;

export class App implements Exhibit {
  readonly page: Page;
  readonly keys: Keys;
  /** The choices that the page starts with, before those of its address; the address has only those that differ. */
  readonly #first: Choices;
  readonly #ended = new AbortController();
  #screenTheme = "light";
  #predict: Predict | null = null;

  constructor(
    readonly player: Player,
    host: HTMLElement,
    chosen: Choices,
    private readonly changed: (choices: Choices) => void,
    readonly lesson: boolean,
  ) {
    this.page = new Page(
      player,
      {
        theme: () => this.theme(),
        present: () => this.presentation(),
        help: () => this.help(),
        predict: () => this.predict(),
      },
      lesson,
    );
    host.append(this.page.root);
    if (this.page.root.clientWidth < 520) this.#roomiest();
    if (lesson && player.film.data.one) player.options.say = "one";
    this.#first = this.state();
    this.keys = new Keys(this, this.#ended.signal);
    watchScreen(() => {
      if (!lesson && this.player.options.present) this.present(false);
    }, this.#ended.signal);
    if (!lesson)
      whenPrinting(
        () => this.#print(),
        () => this.#printed(),
        this.#ended.signal,
      );
    watchLook((theme) => this.#paint(theme), this.#ended.signal);
    this.page.restyled();
    this.choose(chosen);
    // The gate that was not crossed is what refutes the run.
    if (player.film.event?.what === "impossible" && chosen.pull === undefined && this.page.views[0]!.picture.pulls)
      this.page.pull.to(1, true);
    this.page.settled = () => {
      this.#predict?.settled();
      this.changed(lesson ? this.state() : this.#address());
    };
    if (!lesson) this.page.selected = () => this.changed(this.#address());
  }

  /** On a phone the layout whose nodes end up farthest apart. */
  #roomiest(): void {
    const { options, film } = this.player;
    if (options.layout < 0) return;
    const { clientWidth: width, clientHeight: height } = this.page.root;
    options.layout = roomiest(film.data.network.layouts, width - 28, height * 0.5);
  }

  dispose(): void {
    this.#ended.abort();
    this.player.pause();
    this.page.root.remove();
  }

  get failed(): boolean {
    return this.player.film.event !== null;
  }

  get root(): HTMLElement {
    return this.page.root;
  }

  restyled(): void {
    this.page.restyled();
  }

  carried(): Choices {
    const { player } = this;
    const { step: _, time: _t, layout, show, node: _n, link: _l, follow: _f, turn: _u, ...same } = this.state();
    return {
      ...same,
      layout: layout!,
      show: show!,
      nodes: String(player.film.network.nodes),
      share: String(player.now / (player.axis.length || 1)),
    };
  }

  follows(other: Exhibit): void {
    if (!(other instanceof App)) return;
    const [from, to] = [other, this].map(({ page }) => page.views[0]!.picture);
    if (from instanceof Stage && to instanceof Stage && from.scene && to.scene)
      doubling(from.scene, to.scene, to.root, this.page.theme);
  }

  theme(): void {
    this.#paint(otherTheme());
  }

  play(): boolean {
    const { player } = this;
    if (player.now >= player.axis.length) return false;
    if (!player.playing) player.play();
    return true;
  }

  step(by: 1 | -1): void {
    this.player.step(by);
  }

  /** A film fills the screen; a lesson makes slides of itself. */
  presentation(): void {
    if (this.lesson) this.root.dispatchEvent(new Event("present", { bubbles: true }));
    else if (this.player.options.present) this.present(false);
    else {
      this.present(true);
      fillScreen();
    }
  }

  present(on: boolean): void {
    if (!on && !this.lesson) leaveScreen();
    if (this.player.options.present === on && html.hasAttribute("data-present") === on) return;
    this.player.options.present = on;
    html.toggleAttribute("data-present", on);
    this.page.restyled();
  }

  /** Questions about the next step, at a level; "" ends them. */
  predict(text = this.#predict ? "" : "1"): void {
    if (text === (this.#predict?.text ?? "")) return;
    this.#predict?.end();
    this.#predict = text === "" ? null : Predict.of(this.player, this.page, text, () => this.predict(""));
    this.page.resized();
  }

  escape(): void {
    if (this.#predict) this.predict("");
    else if (this.player.options.selection) this.player.select(null);
    else if (this.player.options.present) this.present(false);
  }

  save(): void {
    const stage = this.page.views[0]!.picture;
    download(stage.svg(this.player.view.title, this.page.sentence.textContent ?? ""), "dcube.svg");
  }

  film(): void {
    filming(this.player, this.page, (title, ...content) => this.#dialog(title, ...content));
  }

  /** On paper stands the picture of the moment, drawn as lines, in the light theme. */
  #print(): void {
    this.#screenTheme = html.dataset.theme ?? "light";
    this.#paint("light");
    for (const { picture } of this.page.views) {
      if (!picture.scene) continue; // a summary is printed as it is
      const drawn = new DOMParser().parseFromString(
        picture.svg(this.player.view.title, this.page.sentence.textContent ?? ""),
        "image/svg+xml",
      );
      picture.root.append(element("div.printed", document.importNode(drawn.documentElement, true)));
    }
  }

  #printed(): void {
    for (const copy of this.root.querySelectorAll(".printed")) copy.remove();
    this.#paint(this.#screenTheme);
  }

  help(): void {
    const rows = KEYS.map(([key, words]) => element("tr", element("th", { scope: "row" }, key), element("td", words)));
    const letters = element("input", { type: "checkbox", id: "letters" });
    letters.checked = keyLetters.areKeys;
    letters.addEventListener("change", () => {
      keyLetters.areKeys = letters.checked;
    });
    const report = this.player.film.data.report.map(([key, value]) =>
      element("div", element("dt", key), element("dd", value)),
    );
    const film = wordButton("Record a film", () => {
      help.close();
      this.film();
    });
    const help = this.#dialog(
      "Help and keys",
      element("table.keys", element("tbody", ...rows)),
      element("p", letters, element("label", { for: "letters" }, " letters are keys")),
      element(
        "p",
        "Click or tap a node, a packet, a cell or a link to see more of it. Drag the bars to go through time.",
      ),
      element("p", film),
      element("h3", "The run's report"),
      element("dl.report", ...report),
      element("p", "Made by ", element("code", this.player.view.command)),
    );
  }

  ask(question: string, answer: (text: string) => string): void {
    const input = element("input", { id: "answer", autocomplete: "off" });
    const wrong = element("p", { role: "alert" });
    const form = element(
      "form",
      element("label", { for: "answer" }, question),
      input,
      element("button", { type: "submit" }, "OK"),
      wrong,
    );
    const dialog = this.#dialog("", form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      wrong.textContent = answer(plain(input.value, 40).trim());
      if (wrong.textContent) input.select();
      else dialog.close();
    });
    input.focus();
  }

  /** Takes choices as an address or a lesson gives them; what makes no sense here changes nothing. */
  choose(choices: Choices): void {
    const { player } = this;
    const { options } = player;
    const number = (text: string | undefined, low: number, high: number): number | null => {
      const value = Number(text);
      return text !== undefined && text !== "" && Number.isInteger(value) && value >= low && value <= high
        ? value
        : null;
    };
    const nodes = player.film.network.nodes;
    const change: Partial<Options> = {};
    // Choices of a film with another parameter that belong to its network only.
    if (choices.nodes !== undefined && Number(choices.nodes) !== nodes) choices = { ...choices, layout: "", show: "" };
    const ways = waysToColour(player.film).map(([way]) => way);
    if (ways.includes(choices.colour as ColourBy)) change.colour = choices.colour as ColourBy;
    change.show = number(choices.show, -1, (player.film.blocks || nodes) - 1) ?? options.show;
    change.layout = number(choices.layout, -1, player.film.data.network.layouts.length - 1) ?? options.layout;
    change.table = number(choices.table, 0, 3) ?? options.table;
    if (choices.rows !== undefined) change.stepRows = choices.rows === "steps";
    if (choices.names !== undefined) change.names = namesIn(choices.names);
    change.turn = number(choices.turn, 0, 4096) ?? options.turn;
    for (const flag of ["idle", "bound", "gantt"] as const) if (choices[flag]) change[flag] = choices[flag] === "1";
    if (choices.say === "one" || choices.say === "all") change.say = choices.say;
    if (choices.look !== undefined) {
      change.bits = choices.look === "bits";
      change.bare = change.bits || choices.look === "network";
    }
    if (choices.values !== undefined) change.values = numbersIn(choices.values, nodes);
    if (choices.light !== undefined)
      change.light =
        choices.light === "bound" || choices.light === "ends" || choices.light === "new"
          ? choices.light
          : number(choices.light, 0, 64);
    Object.assign(options, change);
    const pull = number(choices.pull, 0, 100);
    if (pull !== null) this.page.pull.to(pull / 100);
    const node = number(choices.node, 0, nodes - 1);
    const link = number(choices.link, 0, player.film.network.directed - 1);
    const thread = readThread(choices.follow ?? "");
    if (thread && isThread(player.film, thread)) player.select({ what: "packet", thread });
    else if (node !== null) player.select({ what: "node", node });
    else if (link !== null) player.select({ what: "link", link });
    else if ([choices.follow, choices.node, choices.link].includes("")) player.select(null);
    if (choices.theme === "dark" || choices.theme === "light") this.#paint(choices.theme);
    if (choices.present) this.present(choices.present === "1");
    if (choices.step || choices.time) player.pause();
    // Before the step that a question is about is where the film is already.
    const asked = this.#predict !== null && Number(choices.step) === player.stop;
    if (choices.step && Number.isFinite(Number(choices.step)) && !asked) player.seek(Number(choices.step));
    else if (choices.share && Number.isFinite(Number(choices.share))) player.seekShare(Number(choices.share));
    else if (choices.time && Number.isFinite(Number(choices.time))) player.seekTime(Number(choices.time));
    else player.display.show();
    if (choices.predict !== undefined) this.predict(choices.predict);
  }

  /** The choices that differ from those that the page started with. */
  #address(): Choices {
    return Object.fromEntries(Object.entries(this.state()).filter(([key, value]) => this.#first[key] !== value));
  }

  state(): Choices {
    const { player } = this;
    const { options } = player;
    const { selection } = options;
    const flag = (on: boolean): string => (on ? "1" : "0");
    return {
      ...(player.axis.inSteps ? { step: String(player.stop) } : { time: String(Math.round(player.now)) }),
      colour: options.colour,
      show: String(options.show),
      layout: String(options.layout),
      idle: flag(options.idle),
      bound: flag(options.bound),
      pull: String(Math.round(100 * this.page.pull.goal)),
      gantt: flag(options.gantt),
      say: options.say,
      look: options.bits ? "bits" : options.bare ? "network" : "",
      values: options.values.join(","),
      table: String(options.table),
      rows: options.stepRows ? "steps" : "",
      names: namesText(options.names),
      turn: String(options.turn),
      present: flag(options.present),
      theme: html.dataset.theme ?? "",
      ...(options.light === null ? {} : { light: String(options.light) }),
      predict: this.#predict?.text ?? "",
      ...(selection?.what === "packet" ? { follow: threadText(selection.thread) } : {}),
      ...(selection?.what === "node" ? { node: String(selection.node) } : {}),
      ...(selection?.what === "link" ? { link: String(selection.link) } : {}),
    };
  }

  #paint(theme: string): void {
    html.dataset.theme = theme;
    this.page.restyled();
  }

  #dialog(title: string, ...content: Node[]): HTMLDialogElement {
    const made = element("dialog", { "aria-label": title || "question" });
    const close = button("close", "Esc", "\u00d7", () => made.close());
    close.className = "close";
    made.append(...(title ? [element("h2", title)] : []), ...content, close);
    made.addEventListener("close", () => made.remove());
    this.page.root.append(made);
    made.showModal();
    return made;
  }
}
