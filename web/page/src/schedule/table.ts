// The schedule as a table. A hop has a packet, a step and a port: two of them are the table's sides, the third stands in
// its cells. Pointing at a cell lights its packet in the film, a click follows it.

import { css, readable, type Rgb } from "../kit/colour";
import { choice, element, say } from "../kit/dom";
import { ARROWS } from "../kit/letters";
import { range } from "../kit/numbers";
import type { Choices } from "../kit/address";
import { nominal, readTheme, type Theme } from "../kit/theme";
import { counted } from "../kit/words";
import { Colouring } from "../viewer/colouring";
import type { Film } from "../viewer/film";
import { threadOf } from "../viewer/journey";
import { namesIn, PLAIN, type Options } from "../viewer/options";
import type { Player } from "../viewer/player";
import { growthOf, patternsOf, type Patterns } from "./patterns";
import { MOST_HOPS, scheduleOf, type Hop, type Schedule } from "./schedule";
import { Words } from "./words";
import { Slider } from "./slider";

/** The sides of the table: `options.table` less 1. */
const SIDES = ["ports and steps", "packets and steps", "packets and ports"] as const;

/** A row or a column: the ports, steps or packets that it is of, and what stands there. */
interface Heading {
  of: string[];
  words: string;
}

interface Cell {
  hops: Hop[];
  row: number;
  column: number;
  buttons: HTMLButtonElement[];
  place: HTMLTableCellElement;
}

/** A cube's table, made of the smaller cube's: the places, and their contents. */
function grown(ports: number, steps: number): [string, string][] {
  const half = steps / 2;
  const when = (from: number, to: number): string => (from === to ? `step ${from}` : `steps ${from} to ${to}`);
  return [
    ["early", `${when(1, half)}: the ${ports - 1}-cube's own table, with a 0 in front`],
    ["late", `${when(half + 1, steps)}: the same table again, with a 1 in front`],
    ["bridge", `port ${ports - 1}, the bridge: it brings across what the second half needs`],
  ];
}

/** The table of a lesson's figure as it is printed. */
export function printedTable(player: Player, { table = "1", rows, names = "" }: Choices): HTMLElement {
  const { film } = player;
  const made = new ScheduleTable(player, film, new Colouring(film));
  const options = { ...PLAIN, table: Number(table), stepRows: rows === "steps", names: namesIn(names) };
  made.show(film.length, readTheme(document.documentElement), options);
  return made.root;
}

export class ScheduleTable {
  readonly root = element("section.schedule", { "aria-label": "the schedule as a table" });
  readonly #sides: ReturnType<typeof choice>;
  readonly #turn = new Slider("", (turn) => this.player.change({ turn }));
  readonly #words = element("p");
  readonly #said = element("p.turned", { role: "status" });
  readonly #key = element("p.phases");
  readonly #frame = element("div.grid");
  #schedule: Schedule | null = null;
  #patterns: Patterns | null = null;
  #growth = false;
  #cells: Cell[] = [];
  #heads: HTMLElement[] = [];
  #built = "";
  /** Whether steps are the rows. */
  #turned = false;
  /** Whether a lesson has names for them. */
  #named = false;
  #painted = "";
  #time = "";
  #node = NaN;

  constructor(
    private readonly player: Player,
    private readonly film: Film,
    private readonly colouring: Colouring,
  ) {
    this.#sides = choice(
      "Table of",
      SIDES.map((words, i): [string, string] => [String(i + 1), words]),
      "1",
      (value) => player.change({ table: Number(value) }),
    );
    this.root.append(
      element("div.head", this.#sides, this.#turn.root),
      element("div.pane", this.#frame, element("div.words", this.#key, this.#said, this.#words)),
    );
    this.#frame.addEventListener("keydown", (event) => this.#move(event));
    this.#frame.addEventListener("pointerleave", () => player.light(null));
    this.#frame.addEventListener("focusout", () => player.light(null));
  }

  refresh(): void {
    this.#painted = "";
  }

  show(now: number, theme: Theme, options: Options): void {
    const { selection } = options;
    const node = selection?.what === "node" ? selection.node : -1;
    if (node !== this.#node) this.#read(node);
    const schedule = this.#schedule;
    this.#sides.hidden = !schedule?.symmetric;
    this.#sides.select.value = String(options.table);
    if (!schedule) {
      say(this.#words, `No table: nothing is sent over these links, or more than ${MOST_HOPS} packets are.`);
      return;
    }
    const sides = schedule.symmetric ? options.table : 1;
    const built = [node, sides, options.stepRows, ...options.names].join();
    if (this.#built !== built) {
      this.#built = built;
      this.#build(schedule, sides, options);
      this.#painted = this.#time = "";
    }
    const painted = [options.colour, options.turn, theme.dark, theme.background, JSON.stringify(selection)].join();
    if (painted !== this.#painted) {
      this.#painted = painted;
      this.#paint(schedule, sides, theme, options);
    }
    this.#mark(now, sides);
  }

  #read(node: number): void {
    this.#node = node;
    this.#schedule = scheduleOf(this.film, node);
    this.#growth = this.#schedule !== null && growthOf(this.film, this.#schedule);
    this.#patterns = this.#schedule && !this.#growth ? patternsOf(this.film, this.#schedule) : null;
    this.#frame.replaceChildren();
    this.#built = "";
    this.#turn.root.hidden = !this.#patterns;
    if (this.#patterns) this.#turn.named(this.#patterns.label, this.#patterns.marks.length);
  }

  #build(schedule: Schedule, sides: number, { stepRows, names }: Options): void {
    const words = new Words(this.film, schedule, names);
    this.#turned = stepRows && sides === 1;
    this.#named = names.length > 0;
    const [rows, columns] = this.#headings(schedule, sides, words);
    const grid = rows.map(() => columns.map((): Hop[] => []));
    for (const hop of schedule.hops) {
      const keys = [hop.name, `port ${hop.port}`, `step ${hop.step}`];
      const place = (headings: readonly Heading[]): number =>
        headings.findIndex(({ of }) => of.some((one) => keys.includes(one)));
      grid[place(rows)]![place(columns)]!.push(hop);
    }
    const heads = (headings: readonly Heading[], scope: string): HTMLElement[] =>
      headings.map((one) => element("th", { scope }, one.words));
    const [left, above] = [heads(rows, "row"), heads(columns, "col")];
    this.#heads = this.#turned ? left : above;
    const body = element("tbody");
    this.#cells = [];
    grid.forEach((line, row) => {
      const tr = element("tr", left[row]!);
      line.forEach((inCell, column) => {
        const place = element("td");
        const buttons = inCell.map((hop) => this.#button(hop, sides, words));
        if (inCell.length > 0) this.#cells.push({ hops: inCell, row, column, buttons, place });
        place.append(...buttons);
        if (sides === 1 && this.#growth) place.classList.add(this.#part(inCell[0]!, schedule));
        tr.append(place);
      });
      if (sides === 2) this.#rests(tr, line);
      body.append(tr);
    });
    const corner = `${sides === 1 ? "port" : "packet"} \\ ${sides === 3 ? "port" : "step"}`;
    const head = element("tr", element("th.corner", this.#turned ? "" : corner), ...above);
    this.#frame.replaceChildren(element("table", element("thead", head), body));
    const first = this.#cells[0]?.buttons[0];
    if (first) first.tabIndex = 0;
    say(this.#words, this.#about(schedule, sides, rows.length * columns.length, grid));
  }

  /** The part of a table that has grown out of the smaller cube's. */
  #part({ port, step }: Hop, { ports, steps }: Schedule): string {
    if (port === ports.at(-1)) return "bridge";
    return step <= steps / 2 ? "early" : "late";
  }

  #headings(schedule: Schedule, sides: number, words: Words): [Heading[], Heading[]] {
    const turned = this.#turned;
    const ports = schedule.ports.map((port) => ({
      of: [`port ${port}`],
      words: turned ? words.wholePort(port) : words.port(port),
    }));
    const steps = range(schedule.steps).map((i) => ({
      of: [`step ${i + 1}`],
      words: `${turned ? "step " : ""}${i + 1}`,
    }));
    const packets = this.#rowsOfPackets(schedule, sides).map((of) => ({
      of,
      words: of.map((name) => words.packet(name)).join(" / "),
    }));
    if (turned) return [steps, ports];
    return [sides === 1 ? ports : packets, sides === 3 ? ports : steps];
  }

  /** Between its first hop and its last a packet that is not sent rests. */
  #rests(row: HTMLTableRowElement, line: readonly Hop[][]): void {
    const of = new Map<string, number[]>();
    line.forEach((hops, column) => hops.forEach(({ name }) => of.set(name, [...(of.get(name) ?? []), column])));
    for (const columns of of.values()) {
      for (let column = columns[0]! + 1; column < columns.at(-1)!; column++) {
        const place = row.cells[column + 1]!;
        if (columns.includes(column)) continue;
        place.classList.add("rest");
        if (line[column]!.length === 0 && !place.textContent) place.append("\u00b7");
      }
    }
  }

  #rowsOfPackets({ names }: Schedule, sides: number): string[][] {
    const rows =
      sides === 2 && this.#patterns?.rows
        ? this.#patterns.marks.map((mark) => mark.filter((name) => names.includes(name)))
        : [];
    return rows.length > 0 ? rows : names.map((name) => [name]);
  }

  #button(hop: Hop, sides: number, words: Words): HTMLButtonElement {
    const text = sides === 1 ? words.sent(hop) : sides === 2 ? words.port(hop.port) : String(hop.step);
    const whole = `${text}: packet ${hop.name} over port ${hop.port} in step ${hop.step}`;
    const made = element("button", { type: "button", tabindex: "-1", "aria-label": whole, title: whole }, text);
    const thread = threadOf(this.film, hop.packet);
    made.addEventListener("pointerenter", () => this.player.light(thread));
    made.addEventListener("focus", () => this.player.light(thread));
    made.addEventListener("click", () => this.player.select({ what: "packet", thread }));
    return made;
  }

  #paint(schedule: Schedule, sides: number, theme: Theme, options: Options): void {
    const mark = this.#patterns?.marks[options.turn - 1];
    this.#turn.set(this.#patterns ? Math.min(options.turn, this.#patterns.marks.length) : 0);
    say(this.#said, mark ? this.#patterns!.words(options.turn - 1) : "");
    const followed = options.selection?.what === "packet" ? JSON.stringify(options.selection.thread) : "";
    for (const { hops, buttons } of this.#cells) {
      hops.forEach((hop, i) => {
        const button = buttons[i]!;
        const colour = this.#colourOf(hop, sides, schedule, theme, options);
        button.style.setProperty("--colour", css(colour));
        button.style.setProperty("--on", readable(colour));
        button.classList.toggle("marked", mark?.includes(hop.name) ?? false);
        button.classList.toggle("faint", mark !== undefined && !mark.includes(hop.name));
        button.ariaPressed = String(JSON.stringify(threadOf(this.film, hop.packet)) === followed);
      });
    }
    this.#paintKey(schedule, theme, options, sides);
  }

  #colourOf(hop: Hop, sides: number, { symmetric, steps }: Schedule, theme: Theme, { colour }: Options): Rgb {
    if (sides === 3) return nominal(theme, steps > 16 ? (hop.step - 1) % 16 : hop.step - 1, Math.min(16, steps));
    // Node 0's packets have one origin.
    return this.colouring.packet(hop.packet, symmetric && colour === "origin" ? "target" : colour, theme);
  }

  /** The meaning of the colours of the places, or of the phases. */
  #paintKey({ hops, ports, steps }: Schedule, theme: Theme, { colour }: Options, sides: number): void {
    const entry = (words: string, place: string, ground = ""): HTMLElement => {
      const dot = element("i", { class: place });
      dot.style.background = ground;
      return element("span", dot, words);
    };
    const byPhase = colour === "phase" && sides !== 3;
    const colourOf = (phase: number): string => {
      const hop = byPhase ? hops.find(({ packet }) => this.colouring.phaseOf(packet) === phase) : null;
      return hop ? css(this.colouring.packet(hop.packet, "phase", theme)) : "";
    };
    // The phases of such a table are its places.
    const growth = sides === 1 && this.#growth;
    this.root.classList.toggle("by-phase", byPhase);
    if (growth)
      this.#key.replaceChildren(
        ...grown(ports.length, steps).map(([place, words], i) => entry(words, place, colourOf([0, 2, 1][i]!))),
      );
    else
      this.#key.replaceChildren(
        ...this.film.data.phases.flatMap(({ name }, i) => (colourOf(i) ? [entry(name, "", colourOf(i))] : [])),
      );
  }

  /** Marks the hops under way; where colours are steps, those that come are not coloured yet. */
  #mark(now: number, sides: number): void {
    const { start, end } = this.film.packets;
    const under = (packet: number): boolean => now > 0 && start[packet]! <= now && now < end[packet]!;
    const time = this.#cells
      .map(({ hops }) => hops.map(({ packet }) => (start[packet]! < now ? (under(packet) ? 2 : 1) : 0)).join(""))
      .join();
    if (time === this.#time) return;
    this.#time = time;
    const current = new Set<number>();
    for (const { hops, buttons, row, column, place } of this.#cells) {
      hops.forEach(({ packet }, i) => buttons[i]!.classList.toggle("later", sides === 3 && now <= start[packet]!));
      const on = hops.some(({ packet }) => under(packet));
      place.classList.toggle("now", on);
      if (on) current.add(this.#turned ? row : column);
    }
    this.#heads.forEach((head, step) => head.classList.toggle("now", sides !== 3 && current.has(step)));
    const seen =
      sides === 3
        ? this.#cells.find(({ place }) => place.classList.contains("now"))?.place
        : this.#heads.find((head) => head.classList.contains("now"));
    if (seen) this.#reveal(seen, sides === 3 || this.#turned);
  }

  /** Moves the table, and nothing else, so that the column, or the row, of the hops under way is in view. */
  #reveal(part: HTMLElement, down: boolean): void {
    const [outer, inner] = [this.#frame.getBoundingClientRect(), part.getBoundingClientRect()];
    if (
      down
        ? inner.bottom > outer.bottom || inner.top < outer.top + 30
        : inner.right > outer.right || inner.left < outer.left + 80
    ) {
      this.#frame.scrollBy({
        left: down ? 0 : inner.left - outer.left - 120,
        top: down ? inner.top - outer.top - 80 : 0,
        behavior: "instant",
      });
    }
  }

  /** The table's meaning, and the patterns that hold in it. */
  #about(schedule: Schedule, sides: number, places: number, grid: readonly (readonly Hop[][])[]): string {
    const { symmetric, node, inwards, hops, ports, steps } = schedule;
    const missing = ports.length * steps - hops.length;
    const full =
      missing === 0
        ? `All ${places} cells are taken: no link ${symmetric ? "" : "here "}ever rests.`
        : `${counted(missing, "cell")} of ${places} ${missing === 1 ? "is" : "are"} empty.`;
    if (!symmetric) return `Packets that ${inwards ? "come to" : "leave"} node ${node}, port by port. ${full}`;
    if (sides === 1) {
      const name =
        this.film.data.network.relative === "xor" ? "the bits that it has to change" : "the way that it has to go";
      const named = this.#named ? "this is what node 0 sends" : `a packet is named by ${name}`;
      return `Every node does the same, seen from itself: ${named}. ${full}`;
    }
    if (sides === 2) {
      const rests = this.#frame.querySelectorAll(".rest").length;
      const once = missing === 0 ? " In every column each port once: no link ever rests." : "";
      return (
        `Each cell is the port that a packet takes in that step.${once} ` +
        `${rests === 0 ? "No packet rests on its way." : `On their way packets rest for ${counted(rests, "step")} altogether.`}`
      );
    }
    const alone =
      grid.every((row) => new Set(row.flat().map(({ step }) => step)).size === row.flat().length) &&
      ports.every(
        (_, column) =>
          new Set(grid.flatMap((row) => row[column]!.map(({ step }) => step))).size ===
          grid.flatMap((row) => row[column]!).length,
      );
    return (
      `A packet is a job, a port a machine: the number and the colour of a hop are its step.` +
      `${alone ? ` No colour occurs twice in a row or a column, and ${counted(steps, "colour")} are enough.` : ""}`
    );
  }

  /** Arrow keys go from cell to cell; the player does not hear of them. */
  #move(event: KeyboardEvent): void {
    const way = ARROWS[event.key];
    const here = this.#cells.findIndex(({ buttons }) => buttons.includes(event.target as HTMLButtonElement));
    if (!way || here < 0 || event.shiftKey) return;
    event.preventDefault();
    const { row, column, buttons } = this.#cells[here]!;
    const ahead = this.#cells.filter((cell) =>
      way[1] === 0
        ? cell.row === row && (cell.column - column) * way[0] > 0
        : cell.column === column && (cell.row - row) * way[1] > 0,
    );
    const next = ahead.sort(
      (a, b) =>
        Math.abs(a.row - row) + Math.abs(a.column - column) - Math.abs(b.row - row) - Math.abs(b.column - column),
    )[0];
    const place = buttons.indexOf(event.target as HTMLButtonElement) + way[0];
    const button = (way[0] !== 0 && buttons[place]) || next?.buttons[way[0] < 0 ? next.buttons.length - 1 : 0];
    if (!button) return;
    for (const cell of this.#cells) for (const other of cell.buttons) other.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  }
}
