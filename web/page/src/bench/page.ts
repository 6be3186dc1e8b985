// The whole page: title, warnings, choices, charts, table, sources; themes and presentation as in the viewer.

import type { Choices } from "../kit/address";
import { button, choice, element, icon } from "../kit/dom";
import { prefersStill } from "../kit/motion";
import { readTheme } from "../kit/theme";
import { counted, listed } from "../kit/words";
import { notices, source, sources } from "./about";
import { CHARTS } from "./charts";
import type { Benchmark, Cell } from "./document";
import { Figure, type Surroundings } from "./figure";
import { Samples } from "./samples";
import { dimensionOf, namesOf, scaleOf, type Variable } from "./series";
import { CellTable } from "./table";

const html = document.documentElement;
const CHOICES: readonly Variable[] = [
  "collective",
  "algorithm",
  "network",
  "message",
  "threads",
  "options",
  "ports",
  "links",
  "packets",
  "channel",
  "pin",
];
const MOST_OPTIONS = 200;

const THEME = "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18";
const PRESENT = "M3 4h18v12H3zM12 16v4M8 21h8";

export class Page {
  readonly root = element("div.bench");
  readonly figures = CHARTS.map((chart) => new Figure(chart));
  readonly samples = new Samples();
  readonly #table: CellTable;
  readonly #count = element("p.hidden", { role: "status", "aria-live": "polite" });
  /** The chosen value of a variable; not there: all. */
  readonly #chosen = new Map<Variable, string>();
  readonly #selects = new Map<Variable, HTMLSelectElement>();
  #width = 0;

  constructor(
    readonly benchmark: Benchmark,
    host: HTMLElement,
    private readonly changed: (choices: Choices) => void,
  ) {
    this.#table = new CellTable((cell) => {
      this.samples.choose(cell);
      this.samples.root.scrollIntoView({ behavior: prefersStill() ? "auto" : "smooth", block: "center" });
    });
    this.root.append(
      this.#top(),
      ...[notices(benchmark)].filter((part) => part !== null),
      this.#choices(),
      this.#count,
    );
    if (benchmark.cells.length === 0)
      this.root.append(element("p.none", "The document has no cells: nothing was measured."));
    else
      this.root.append(
        element("div.figures", ...this.figures.map((figure) => figure.root), this.samples.root),
        this.#table.root,
      );
    this.root.append(element("div.sources", ...sources(benchmark)));
    host.append(this.root);
    this.#keys();
    const media = matchMedia("(prefers-color-scheme: dark)");
    media.addEventListener("change", () => this.paint(media.matches ? "dark" : "light"));
  }

  /** Takes choices as an address gives them; what makes no sense here changes nothing. */
  choose(choices: Choices): void {
    if (choices.theme === "dark" || choices.theme === "light") html.dataset.theme = choices.theme;
    if (choices.present) html.toggleAttribute("data-present", choices.present === "1");
    for (const [name, select] of this.#selects) {
      const value = choices[name] ?? "";
      if ([...select.options].some((option) => option.value === value)) this.#set(name, value);
    }
    this.show();
  }

  /** The address's `theme` and `present`, and the choices that leave out cells. */
  #address(): Choices {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    return {
      ...(html.dataset.theme !== dark ? { theme: html.dataset.theme! } : {}),
      ...(html.hasAttribute("data-present") ? { present: "1" } : {}),
      ...Object.fromEntries(this.#chosen),
    };
  }

  paint(theme: string): void {
    html.dataset.theme = theme;
    this.redraw();
    this.changed(this.#address());
  }

  present(on = !html.hasAttribute("data-present")): void {
    html.toggleAttribute("data-present", on);
    this.redraw();
    this.changed(this.#address());
    if (on) this.figures[0]!.root.scrollIntoView();
  }

  show(): void {
    const around = this.#around();
    this.#count.textContent = `${counted(around.cells.length, "cell")} shown`;
    this.#table.show(around.cells);
    if (this.benchmark.cells.length === 0) return;
    for (const figure of this.figures) figure.show(around);
    this.samples.show(around);
  }

  redraw(): void {
    if (this.benchmark.cells.length === 0) return;
    const around = this.#around();
    for (const figure of this.figures) figure.redraw(around);
    this.samples.redraw(around);
  }

  /** From now on charts follow the width of the page. */
  watch(): void {
    this.#width = innerWidth;
    window.addEventListener("resize", () => {
      if (innerWidth === this.#width && !html.hasAttribute("data-present")) return; // a phone's bars come and go
      this.#width = innerWidth;
      this.redraw();
    });
  }

  #around(): Surroundings {
    const cells = this.benchmark.cells.filter((cell) => {
      const names = namesOf(cell);
      return [...this.#chosen].every(([name, value]) => names[name] === value);
    });
    const type = html.hasAttribute("data-present")
      ? Math.max(18, Math.min(innerWidth / 76, 30))
      : innerWidth < 520
        ? 12
        : 13.5;
    return {
      cells,
      scale: scaleOf(cells, this.benchmark.weak),
      theme: readTheme(html),
      type,
      source: source(this.benchmark),
    };
  }

  #set(name: Variable, value: string): void {
    this.#selects.get(name)!.value = value;
    if (value === "") this.#chosen.delete(name);
    else this.#chosen.set(name, value);
  }

  #top(): HTMLElement {
    const tools = element(
      "div.controls",
      button("presentation", "P", icon(PRESENT), () => this.present()),
      button("dark, light", "D", icon(THEME), () => paintOther(this)),
    );
    return element(
      "header.top",
      element("h1", titleOf(this.benchmark)),
      tools,
      element("p.subtitle", element("code", this.benchmark.command)),
      element("p.subtitle", source(this.benchmark)),
    );
  }

  #choices(): HTMLElement {
    const made = CHOICES.map((name) => {
      const options = [...new Set(ordered(this.benchmark.cells, name).map((cell) => namesOf(cell)[name]))];
      if (options.length < 2) return null;
      const select = choice(
        name,
        [["", "all"], ...options.slice(0, MOST_OPTIONS).map((value) => [value, value || "none"] as const)],
        "",
        (value) => {
          this.#set(name, value);
          this.show();
          this.changed(this.#address());
        },
      );
      this.#selects.set(name, select.select);
      return select;
    }).filter((one) => one !== null);
    const bar = element("div.choices", { role: "group", "aria-label": "which cells" }, ...made);
    bar.hidden = made.length === 0;
    return bar;
  }

  #keys(): void {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("select, input"))
        return;
      const present = html.hasAttribute("data-present");
      const acts: Record<string, () => void> = {
        p: () => this.present(),
        d: () => paintOther(this),
        ...(present
          ? {
              Escape: () => this.present(false),
              ArrowRight: () => this.#turn(1),
              ArrowLeft: () => this.#turn(-1),
              PageDown: () => this.#turn(1),
              PageUp: () => this.#turn(-1),
            }
          : {}),
      };
      const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  /** In a presentation every chart has a screen. */
  #turn(by: number): void {
    const screens = [...this.root.querySelectorAll<HTMLElement>(".figures > section")].filter(
      (section) => section.offsetHeight > 0,
    );
    const here = screens.findIndex((section) => section.getBoundingClientRect().bottom > innerHeight / 2);
    screens[Math.max(0, Math.min(screens.length - 1, (here < 0 ? screens.length : here) + by))]?.scrollIntoView();
  }
}

const paintOther = (page: Page): void => page.paint(html.dataset.theme === "dark" ? "light" : "dark");

/** By number where a name is one. */
function ordered(cells: readonly Cell[], name: Variable): Cell[] {
  const by: Partial<Record<Variable, (cell: Cell) => number>> = {
    network: (cell) => dimensionOf(cell) ?? cell.nodes,
    message: (cell) => cell.bytes ?? cell.size_bytes ?? 0,
    threads: (cell) => cell.threads,
    packets: (cell) => cell.packets ?? 0,
  };
  const value = by[name];
  return value ? [...cells].sort((a, b) => value(a) - value(b)) : [...cells];
}

function titleOf({ cells }: Benchmark): string {
  const collectives = [...new Set(cells.map(({ collective }) => collective))];
  const threads = [...new Set(cells.map((cell) => cell.threads))].sort((a, b) => a - b);
  const dimensions = cells.map(dimensionOf).filter((d) => d !== null);
  const [low, high] = [Math.min(...dimensions), Math.max(...dimensions)];
  const networks = [...new Set(cells.map(({ topology }) => topology))];
  const where =
    cells.length === 0
      ? ""
      : dimensions.length === cells.length
        ? ` on hypercubes of dimension ${low === high ? low : `${low} to ${high}`}`
        : ` on ${listed(networks, 3)}`;
  return `Benchmark${collectives.length > 0 ? ` of ${listed(collectives, 4)}` : ""}${where}${threads.length > 0 ? `, ${listed(threads, 8)} ${threads.length === 1 && threads[0] === 1 ? "thread" : "threads"}` : ""}`;
}
