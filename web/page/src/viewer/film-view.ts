// One film on the page: heading (in a comparison), stage.

import { element, say, wordButton } from "../kit/dom";
import type { Theme } from "../kit/theme";
import { Tip } from "../kit/tip";
import { range } from "../kit/numbers";
import { counted, grouped } from "../kit/words";
import { countWords } from "./axis";
import type { Loaded, Player } from "./player";
import { Colouring } from "./colouring";
import { Gantt, MOST_ROWS } from "./gantt";
import { threadOf } from "./journey";
import type { Explained } from "./legend";
import { NodeList } from "./node-list";
import { ScheduleTable } from "../schedule/table";
import { sentenceAt } from "./sentence";
import type { Picture } from "./picture";
import { Stage } from "./stage";
import { Summary } from "./summary";

export class FilmView {
  readonly root = element("section.film");
  readonly #stage: Stage | null;
  #summary: Summary | null = null;
  readonly #list: NodeList | null;
  readonly #colouring: Colouring;
  readonly #gantt: Gantt | null;
  #table: ScheduleTable | null = null;
  #name = "";
  readonly #tip = new Tip();
  #hovered = "";
  readonly #count = element("span.at");
  readonly #counts = element("p.counts");
  /** Between the summary and the drawing of a network that is drawn on demand. */
  readonly #turn: HTMLButtonElement | null = null;

  constructor(
    private readonly player: Player,
    private readonly loaded: Loaded,
    private readonly index: number,
    private readonly versus: boolean,
  ) {
    const { film, replay } = loaded;
    this.#colouring = new Colouring(film);
    this.#stage = replay && film.data.network.layouts.length > 0 ? new Stage(film, replay, this.#colouring) : null;
    this.#gantt =
      film.hasPackets && film.network.directed <= MOST_ROWS
        ? new Gantt(
            film,
            this.#colouring,
            (packet) => player.select({ what: "packet", thread: threadOf(film, packet) }),
            () => player.display.show(),
          )
        : null;
    this.#list = this.#stage && replay ? new NodeList(player, film, replay, this.#stage) : null;
    if (versus) this.root.append(element("h2", element("span", film.data.label), this.#count));
    if (this.#stage) this.#add(this.#stage);
    if (this.#list) this.root.append(this.#list.root);
    if (versus) this.root.append(this.#counts);
    if (this.#gantt) this.root.append(this.#gantt.root);
    if (film.data.network.layouts[0]?.on_demand)
      this.root.append(
        (this.#turn = wordButton(
          "",
          () => player.change({ layout: player.options.layout < 0 ? 0 : -1 }),
          "button.turn",
        )),
      );
  }

  refresh(): void {
    this.#stage?.refresh();
    this.#summary?.refresh();
    this.#gantt?.refresh();
    this.#table?.refresh();
  }

  describe(title: string, sentence: string): void {
    const { film } = this.loaded;
    this.#name = this.versus ? `${film.data.label}: ${sentenceAt(film, this.now).text}` : `${title}. ${sentence}`;
    this.#label();
  }

  /** The stage and the summary take turns: each bears the name when it is shown. */
  #label(): void {
    const { canvas } = this.picture;
    if (canvas.ariaLabel !== this.#name) canvas.ariaLabel = this.#name;
  }

  show(theme: Theme): void {
    const { player, now } = this;
    if (this.#gantt) {
      // The picture of a least time has bars of its own.
      const shown =
        player.options.gantt && !(player.options.pull > 0 && this.loaded.film.data.bound?.picture?.kind === "time");
      this.#gantt.root.hidden = !shown;
      if (shown) this.#gantt.draw(now, theme, player.options.colour);
    }
    this.#showTable(theme);
    const picture = this.picture;
    for (const other of [this.#stage, this.#summary]) if (other) other.root.hidden = other !== picture;
    if (this.#list) this.#list.root.hidden = picture !== this.#stage;
    if (this.#turn) say(this.#turn, picture === this.#stage ? "Back to the summary" : "Draw all the same");
    picture.draw(now, theme, player.options, player.journeys[this.index] ?? null, player.hurried);
    this.#label();
    if (!this.versus) return;
    const { film } = this.loaded;
    say(
      this.#count,
      countWords(film.inSteps, player.axis.fromFilm(film, now), player.axis.fromFilm(film, film.length)).join(""),
    );
    say(this.#counts, this.#words());
  }

  #showTable(theme: Theme): void {
    const {
      player,
      loaded: { film },
    } = this;
    const { table } = player.options;
    if (table > 0 && film.hasPackets && !film.everybody && !this.#table)
      this.root.append((this.#table = new ScheduleTable(player, film, this.#colouring)).root);
    if (!this.#table) return;
    this.#table.root.hidden = table === 0;
    if (table > 0) this.#table.show(this.now, theme, player.options);
  }

  settle(): void {
    this.#list?.update(this.now);
  }

  /** The stage, or the summary where that is chosen or there is no layout. */
  get picture(): Picture {
    if (this.#stage && this.player.options.layout >= 0) return this.#stage;
    if (!this.#summary) {
      const { player, loaded } = this;
      this.#summary = new Summary(
        loaded.film,
        loaded.replay,
        this.#colouring,
        (selection) => player.select(selection),
        () => player.display.show(),
      );
      this.#add(this.#summary);
    }
    return this.#summary;
  }

  /** The picture with the marks that it has now, for the legend. */
  get explained(): Explained {
    const { picture, now } = this;
    const { film, replay } = this.loaded;
    const nodes = replay ? range(Math.min(film.network.nodes, 128)) : [];
    return {
      picture,
      shown: {
        complete: nodes.some((v) => replay!.holding.due(v) > 0 && replay!.holding.got(v) === replay!.holding.due(v)),
        kept: nodes.some((v) => replay!.holding.kept(v) > 0),
        idle: now > 0 && film.use.at(now) < film.network.directed && now < film.length,
      },
    };
  }

  /** The film's name in a comparison. */
  get label(): string {
    return this.loaded.film.data.label;
  }

  get now(): number {
    return this.player.axis.toFilm(this.loaded.film, this.player.now);
  }

  #words(): string {
    const { film } = this.loaded;
    if (this.now <= 0) return "Nothing has been sent.";
    if (this.now >= film.length) return `Done: ${counted(film.packets.count, "packet")} in all.`;
    const busy = film.use.at(this.now);
    const links = film.network.directed;
    return (
      `${counted(busy, "packet")} on ${counted(links, "link")}` +
      `${busy === links ? ": none is idle." : `, ${grouped(links - busy)} idle.`}`
    );
  }

  #add(picture: Picture): void {
    // Headings come first, counts and links over time last.
    const heading = this.root.querySelector("h2");
    if (heading) heading.after(picture.root);
    else this.root.prepend(picture.root);
    const { canvas } = picture;
    canvas.addEventListener("click", (event) => this.#click(event as PointerEvent));
    canvas.addEventListener("pointermove", (event) => this.#point(event));
    canvas.addEventListener("pointerleave", () => this.#hover("", 0, 0));
  }

  /** The thing under a pointer that can rest is marked, unless packets are moving away below it. */
  #point(event: PointerEvent): void {
    const { picture } = this;
    if (event.pointerType === "touch") return;
    this.#hover(this.player.playing ? "" : picture.hover(event.offsetX, event.offsetY), event.offsetX, event.offsetY);
    picture.canvas.style.cursor = this.#hovered || picture.pick(event.offsetX, event.offsetY, false) ? "pointer" : "";
  }

  #hover(words: string, x: number, y: number): void {
    const { picture } = this;
    if (this.#tip.root.parentNode !== picture.root) picture.root.append(this.#tip.root);
    if (words === "") picture.unhover();
    this.#tip.show(words, x, y, picture.root.clientWidth);
    if (words === this.#hovered) return;
    this.#hovered = words;
    this.player.display.show();
  }

  #click(event: PointerEvent): void {
    const box = this.picture.canvas.getBoundingClientRect();
    this.player.select(
      this.picture.pick(event.clientX - box.left, event.clientY - box.top, event.pointerType === "touch"),
    );
  }
}
