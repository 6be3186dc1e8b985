// All cells as a table that can be sorted by any column. Columns of which no cell has a value are left out.

import { element } from "../kit/dom";
import { counted, grouped } from "../kit/words";
import type { Cell } from "./document";
import { causesOf } from "./doubts";
import { dimensionOf, namesOf, VARIABLES, type Variable } from "./series";
import { figures, giga, percent, seconds } from "./words";

interface Column {
  name: string;
  text(cell: Cell): string;
  /** The value to sort by; null comes last. */
  by(cell: Cell): number | string | null;
}

const HEADINGS: Record<Variable, string> = {
  collective: "collective",
  algorithm: "algorithm",
  network: "network",
  message: "message",
  threads: "threads",
  root: "root",
  sum: "sum",
  options: "options",
  ports: "ports",
  links: "links",
  packets: "packets",
  channel: "channel",
  pin: "pinning",
};

const BY: Partial<Record<Variable, (cell: Cell) => number | string | null>> = {
  network: (cell) => dimensionOf(cell) ?? cell.nodes,
  message: (cell) => cell.bytes ?? cell.size_bytes,
  threads: (cell) => cell.threads,
  root: (cell) => cell.root,
  packets: (cell) => cell.packets,
};

const variable = (name: Variable): Column => ({
  name: HEADINGS[name],
  text: (cell) => (name === "threads" ? grouped(cell.threads) : namesOf(cell)[name]),
  by: BY[name] ?? ((cell) => namesOf(cell)[name]),
});

const number = (name: string, by: (cell: Cell) => number | null, words: (value: number) => string): Column => ({
  name,
  by,
  text: (cell) => {
    const value = by(cell);
    return value === null ? "" : words(value);
  },
});

const interval = ({ interval_seconds: two }: Cell): string => (two ? `${seconds(two[0])} to ${seconds(two[1])}` : "");

/** What decides stands beside a cell's name. */
const DECIDING: readonly Column[] = [
  number(
    "speed-up",
    (cell) => cell.speed_up,
    (value) => `${figures(value)}×`,
  ),
  number("of the limit", (cell) => cell.share_of_limit, percent),
  { name: "doubts", text: (cell) => causesOf(cell).join(", "), by: (cell) => cell.doubts.length || null },
  number("median", (cell) => cell.median_seconds, seconds),
];

const FIGURES: readonly Column[] = [
  number("steps", (cell) => cell.steps, grouped),
  number("runs", (cell) => cell.count, grouped),
  number("left out", (cell) => cell.disturbed || null, grouped),
  {
    name: "95 % interval",
    text: interval,
    by: (cell) =>
      cell.interval_seconds ? (cell.interval_seconds[1] - cell.interval_seconds[0]) / cell.median_seconds : null,
  },
  number("least", (cell) => cell.minimum_seconds, seconds),
  number("p99", (cell) => cell.p99_seconds, seconds),
  number("MAD", (cell) => cell.mad_seconds, seconds),
  number("ns per hop", (cell) => cell.ns_per_hop, figures),
  number(
    "hops/s",
    (cell) => cell.hops_per_second,
    (value) => `${figures(value / 1e6)} M`,
  ),
  number("link GB/s", (cell) => cell.link_bytes_per_second, giga),
  number("algbw GB/s", (cell) => cell.algbw_bytes_per_second, giga),
  number("busbw GB/s", (cell) => cell.busbw_bytes_per_second, giga),
  number("efficiency", (cell) => cell.efficiency, percent),
  { name: "limit that binds", text: (cell) => cell.limit_binds ?? "", by: (cell) => cell.limit_binds },
  number("cycles per hop", (cell) => cell.counters?.cycles ?? null, figures),
  number("instructions per hop", (cell) => cell.counters?.instructions ?? null, figures),
  number("cache misses per hop", (cell) => cell.counters?.cache_misses ?? null, figures),
  { name: "a step", text: (cell) => cell.step?.sentence ?? "", by: (cell) => cell.step?.sentence ?? null },
];

const MOST_ROWS = 1000;

/**
 * The columns worth showing: what distinguishes the cells, what decides, all other figures, and what they have in common.
 */
function columnsOf(cells: readonly Cell[]): Column[] {
  const named: readonly Variable[] = ["collective", "algorithm", "network", "message", "threads"];
  const differs = (column: Column): boolean => cells.some((cell) => column.text(cell) !== column.text(cells[0]!));
  const isKnown = (column: Column): boolean => cells.some((cell) => column.text(cell) !== "");
  const variables = VARIABLES.map((name) => ({ name, column: variable(name) }));
  const different = variables.filter(({ column }) => differs(column)).map(({ column }) => column);
  const common = variables
    .filter(({ name, column }) => named.includes(name) && !differs(column) && isKnown(column))
    .map(({ column }) => column);
  const [first, last] = different.length > 0 ? [different, common] : [common, []];
  return [...first, ...DECIDING.filter(isKnown), ...FIGURES.filter(isKnown), ...last];
}

function compare(a: number | string | null, b: number | string | null): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

export class CellTable {
  readonly root: HTMLElement;
  readonly #area = element("div.numbers", { tabindex: "0", role: "region", "aria-label": "Table of all cells" });
  readonly #about = element("p.about");
  #cells: readonly Cell[] = [];
  #sorted: { name: string; down: boolean } | null = null;

  constructor(private readonly chosen: (cell: Cell) => void) {
    this.root = element(
      "section.figure.wide",
      { "aria-labelledby": "cells-title", id: "cells" },
      element("div.heading", element("h2", { id: "cells-title" }, "All cells")),
      this.#about,
      this.#area,
    );
  }

  show(cells: readonly Cell[]): void {
    this.#cells = cells;
    this.#draw();
  }

  #sort(name: string): void {
    this.#sorted = { name, down: this.#sorted?.name === name && !this.#sorted.down };
    this.#draw();
    const again = [...this.#area.querySelectorAll<HTMLButtonElement>("thead button")].find(
      ({ textContent }) => textContent === name,
    );
    again?.focus();
  }

  #order(columns: readonly Column[]): Cell[] {
    const cells = [...this.#cells];
    const column = columns.find(({ name }) => name === this.#sorted?.name);
    if (!column) return cells;
    const turn = this.#sorted!.down ? -1 : 1;
    return cells.sort((a, b) => {
      const [first, second] = [column.by(a), column.by(b)];
      if (first === null || second === null) return Number(first === null) - Number(second === null);
      return compare(first, second) * turn;
    });
  }

  #draw(): void {
    const columns = columnsOf(this.#cells);
    const more = this.#cells.length - MOST_ROWS;
    this.#about.textContent =
      `${counted(this.#cells.length, "cell")}. A heading sorts by its column; the first name of a row ` +
      `shows its samples.${more > 0 ? ` The first ${grouped(MOST_ROWS)} of this order are shown.` : ""}`;
    const head = columns.map(({ name }) => {
      const button = element("button.sort", { type: "button" }, name);
      button.addEventListener("click", () => this.#sort(name));
      const sorted = this.#sorted?.name === name ? (this.#sorted.down ? "descending" : "ascending") : "none";
      return element("th", { scope: "col", "aria-sort": sorted }, button);
    });
    const rows = this.#order(columns)
      .slice(0, MOST_ROWS)
      .map((cell) => this.#row(cell, columns));
    this.#area.replaceChildren(
      element("table.cells", element("thead", element("tr", ...head)), element("tbody", ...rows)),
    );
  }

  #row(cell: Cell, columns: readonly Column[]): HTMLTableRowElement {
    const [first, ...others] = columns;
    const name = element("button.sort", { type: "button", title: "show its samples" }, first!.text(cell) || "cell");
    name.addEventListener("click", () => this.chosen(cell));
    const row = element(
      "tr",
      element("th", { scope: "row" }, name),
      ...others.map((column) => element(classOf(column, cell), column.text(cell))),
    );
    row.classList.toggle("doubted", cell.doubts.length > 0);
    return row;
  }
}

const classOf = (column: Column, cell: Cell): "td" | "td.number" | "td.long" =>
  column.name === "doubts"
    ? "td"
    : column.name === "a step"
      ? "td.long"
      : typeof column.by(cell) === "number"
        ? "td.number"
        : "td";
