// The page of a benchmark: title, warnings, choices, charts, table, sources.

import type { Choices } from "../kit/address";
import { choice, element } from "../kit/dom";
import { prefersStill } from "../kit/motion";
import { counted, listed } from "../kit/words";
import { notices, source, sources } from "./about";
import { CHARTS } from "./charts";
import type { Benchmark, Cell } from "./document";
import { Figure } from "./figure";
import type { Frame, Surroundings } from "./frame";
import { SpeedMap } from "./map";
import { Ratios } from "./ratios";
import { Rounds } from "./rounds";
import { Samples } from "./samples";
import { dimensionOf, namesOf, scaleOf, type Variable } from "./series";
import { Sheet } from "./sheet";
import { Steps } from "./steps";
import { CellTable } from "./table";

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

export class Page extends Sheet {
  readonly samples = new Samples();
  /** In the order of the page: the one that decides first. */
  readonly #frames: readonly Frame[];
  readonly #table: CellTable;
  readonly #count = element("p.hidden", { role: "status", "aria-live": "polite" });
  /** The chosen value of a variable; not there: all. */
  readonly #chosen = new Map<Variable, string>();
  readonly #selects = new Map<Variable, HTMLSelectElement>();

  constructor(
    readonly benchmark: Benchmark,
    host: HTMLElement,
    changed: (choices: Choices) => void,
  ) {
    super(changed);
    const [first, ...others] = CHARTS.map((chart) => new Figure(chart));
    this.#frames = [
      first!,
      new SpeedMap(),
      new Steps(),
      ...others,
      ...(benchmark.rivals.length > 0
        ? [
            new Ratios<Surroundings>(benchmark.rivals, "Against each other", {
              more: "slower than what it is compared with",
              less: "faster",
            }),
          ]
        : []),
      new Rounds(benchmark.moments),
      this.samples,
    ];
    this.#table = new CellTable((cell) => {
      this.samples.choose(cell);
      this.samples.root.scrollIntoView({ behavior: prefersStill() ? "auto" : "smooth", block: "center" });
    });
    this.root.append(
      this.top(titleOf(benchmark), element("code", benchmark.command), source(benchmark)),
      ...[notices(benchmark)].filter((part) => part !== null),
      this.#choices(),
      this.#count,
    );
    if (benchmark.cells.length === 0)
      this.root.append(element("p.none", "The document has no cells: nothing was measured."));
    else this.root.append(element("div.figures", ...this.#frames.map(({ root }) => root)), this.#table.root);
    this.root.append(element("div.sources", ...sources(benchmark)));
    host.append(this.root);
  }

  /** Takes choices as an address gives them; what makes no sense here changes nothing. */
  override choose(choices: Choices): void {
    for (const [name, select] of this.#selects) {
      const value = choices[name] ?? "";
      if ([...select.options].some((option) => option.value === value)) this.#set(name, value);
    }
    super.choose(choices);
  }

  /** With the choices that leave out cells. */
  protected override address(): Choices {
    return { ...super.address(), ...Object.fromEntries(this.#chosen) };
  }

  show(): void {
    const around = this.#around();
    this.#count.textContent = `${counted(around.cells.length, "cell")} shown`;
    this.#table.show(around.cells);
    if (this.benchmark.cells.length === 0) return;
    for (const frame of this.#frames) frame.show(around);
  }

  redraw(): void {
    if (this.benchmark.cells.length === 0) return;
    const around = this.#around();
    for (const frame of this.#frames) frame.redraw(around);
  }

  #around(): Surroundings {
    const cells = this.benchmark.cells.filter((cell) => {
      const names = namesOf(cell);
      return [...this.#chosen].every(([name, value]) => names[name] === value);
    });
    return { ...this.look(source(this.benchmark)), cells, scale: scaleOf(cells, this.benchmark.weak) };
  }

  #set(name: Variable, value: string): void {
    this.#selects.get(name)!.value = value;
    if (value === "") this.#chosen.delete(name);
    else this.#chosen.set(name, value);
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
          this.note();
        },
      );
      this.#selects.set(name, select.select);
      return select;
    }).filter((one) => one !== null);
    const bar = element("div.choices", { role: "group", "aria-label": "which cells" }, ...made);
    bar.hidden = made.length === 0;
    return bar;
  }
}

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
  return (
    `Benchmark${collectives.length > 0 ? ` of ${listed(collectives, 4)}` : ""}${where}` +
    `${threads.length > 0 ? `, ${listed(threads, 8)} ${threads.length === 1 && threads[0] === 1 ? "thread" : "threads"}` : ""}`
  );
}
