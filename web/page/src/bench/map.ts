// The speed-up of every network and size at one number of threads, as a map, with the line where it is 1.

import * as Plot from "@observablehq/plot";
import { css, mix, readable, type Rgb } from "../kit/colour";
import { choice } from "../kit/dom";
import type { Theme } from "../kit/theme";
import { breakEvenSays } from "./conclusions";
import type { Cell } from "./document";
import { causesOf, doubtsTimes } from "./doubts";
import { Frame, type Content, type Entry, type Room, type Surroundings } from "./frame";
import { block, sealed, swatch, tipOf } from "./plot";
import { dimensionOf, labelOf, namesOf, VARIABLES, type Names } from "./series";
import { figures } from "./words";

const MOST = { rows: 32, columns: 32 };

/** Cells that differ in network and size only. */
interface Sheet {
  label: string;
  threads: number;
  rows: string[];
  columns: string[];
  /** By row and column. */
  cells: Map<string, Cell>;
}

const keyOf = (row: string, column: string): string => `${row}\n${column}`;

function ordered(cells: readonly Cell[], name: "network" | "message", place: (cell: Cell) => number): string[] {
  const sorted = [...cells].sort((a, b) => place(a) - place(b));
  return [...new Set(sorted.map((cell) => namesOf(cell)[name]))];
}

/** All that have several rows and columns; those of most threads first. */
function sheetsOf(cells: readonly Cell[], weak: boolean): Sheet[] {
  if (weak) return [];
  const found = new Map<string, { names: Names; cells: Cell[] }>();
  const base = Math.min(...cells.map(({ threads }) => threads));
  for (const cell of cells) {
    if (cell.speed_up === null || cell.speed_up <= 0 || cell.threads === base) continue;
    const names = { ...namesOf(cell), network: "", message: "" };
    const key = JSON.stringify(names);
    const sheet = found.get(key) ?? { names, cells: [] };
    sheet.cells.push(cell);
    found.set(key, sheet);
  }
  const all = [...found.values()];
  const different = VARIABLES.filter((one) => all.some(({ names }) => names[one] !== all[0]!.names[one]));
  return all
    .map(({ names, cells: some }) => ({
      label: different
        .map((one) => names[one])
        .filter(Boolean)
        .join(", "),
      threads: some[0]!.threads,
      rows: ordered(some, "network", (cell) => dimensionOf(cell) ?? cell.nodes).slice(0, MOST.rows),
      columns: ordered(some, "message", (cell) => cell.bytes ?? cell.size_bytes ?? 0).slice(0, MOST.columns),
      cells: new Map(some.map((cell) => [keyOf(namesOf(cell).network, namesOf(cell).message), cell])),
    }))
    .filter(({ rows, columns }) => rows.length > 1 && columns.length > 1)
    .sort((a, b) => b.threads - a.threads);
}

/** Orange below 1, blue above, the ground at 1; full at a third and at the most of all. */
function colourOf(value: number, most: number, theme: Theme): Rgb {
  const share = value < 1 ? Math.log(value) / Math.log(1 / 3) : Math.log(value) / Math.log(Math.max(2, most));
  return mix(theme.ground, theme.hues[value < 1 ? 5 : 0]!, Math.min(1, share) * 0.86);
}

export class SpeedMap extends Frame {
  #sheets: Sheet[] = [];
  #sheet: Sheet | null = null;

  constructor() {
    super("map", "Where threads pay");
  }

  override show(around: Surroundings): void {
    this.around = around;
    this.#sheets = sheetsOf(around.cells, around.scale.weak);
    this.#sheet = this.#sheets.find(({ label }) => label === this.#sheet?.label) ?? this.#sheets[0] ?? null;
    const sheets = this.#sheets;
    const select =
      sheets.length > 1 &&
      choice(
        "of",
        sheets.map(({ label }) => [label, label]),
        this.#sheet!.label,
        (label) => {
          this.#sheet = sheets.find((one) => one.label === label)!;
          this.draw();
        },
      );
    this.tools.replaceChildren(...(select ? [select] : []));
    this.draw();
  }

  protected content(): Content | string {
    const sheet = this.#sheet;
    if (!sheet) return "";
    const cells = [...sheet.cells.values()];
    const value = (row: string, column: string): string => {
      const cell = sheet.cells.get(keyOf(row, column));
      return cell ? `${figures(cell.speed_up!)}${doubtsTimes(cell) ? " ?" : ""}` : "";
    };
    return {
      says: breakEvenSays(cells),
      about: `${sheet.label ? `${sheet.label}; ` : ""}speed-up over one thread, by network and size.`,
      legend: this.#legend(cells),
      columns: ["network", ...sheet.columns],
      rows: sheet.rows.map((row) => [row, ...sheet.columns.map((column) => value(row, column))]),
      height: 74 + Math.max(30, Math.min(44, 330 / sheet.rows.length)) * sheet.rows.length,
    };
  }

  #legend(cells: readonly Cell[]): Entry[] {
    const { theme } = this.around!;
    return [
      { swatch: block(css(colourOf(0.4, 2, theme)), theme), words: "slower than one thread" },
      { swatch: block(css(colourOf(2, 2, theme)), theme), words: "faster" },
      { swatch: swatch({ colour: theme.ink, symbol: "none" }, theme), words: "speed-up 1 lies here" },
      ...(cells.some(doubtsTimes)
        ? [{ swatch: block("none", theme, theme.muted, "4 3"), words: "dashed, “?”: doubtful" }]
        : []),
    ];
  }

  protected picture({ width, height, type, theme, pointed }: Room): SVGSVGElement {
    const { rows, columns, cells } = this.#sheet!;
    const most = Math.max(...[...cells.values()].map((cell) => cell.speed_up!));
    const tiles = rows.flatMap((row, y) =>
      columns.flatMap((column, x) => {
        const cell = cells.get(keyOf(row, column));
        return cell ? [{ x, y, value: cell.speed_up!, cell, ...this.#look(cell, most, theme) }] : [];
      }),
    );
    type Tile = (typeof tiles)[number];
    const isAbove = (x: number, y: number): boolean | null => {
      const cell = cells.get(keyOf(rows[y] ?? "", columns[x] ?? ""));
      return cell ? cell.speed_up! >= 1 : null;
    };
    const differ = (x: number, y: number, u: number, v: number): boolean => {
      const [one, other] = [isAbove(x, y), isAbove(u, v)];
      return one !== null && other !== null && one !== other;
    };
    const left = Math.min(width * 0.4, Math.max(...rows.map((row) => row.length)) * type * 0.58 + 18);
    const wide = (width - left - 10) / columns.length;
    const room = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length)) * type * 0.6 + 6;
    const every = Math.max(1, Math.ceil(room(columns) / wide));
    const middle = (i: number): number => i + 0.5;
    const inset = { inset: 1 };
    const edge = { stroke: theme.ink, strokeWidth: (3.2 * type) / 13.5, strokeLinecap: "round" as const };
    const axis = { fontSize: type, fill: theme.ink, tickSize: 0, labelArrow: "none" as const };
    return sealed(
      Plot.plot({
        width,
        height,
        marginLeft: left,
        marginRight: 10,
        marginTop: 10,
        marginBottom: type * 4,
        x: { domain: [0, columns.length] },
        y: { domain: [0, rows.length] },
        marks: [
          Plot.rect(tiles, {
            x1: "x",
            x2: ({ x }: Tile) => x + 1,
            y1: "y",
            y2: ({ y }: Tile) => y + 1,
            fill: "fill",
            ...inset,
          }),
          Plot.rect(
            tiles.filter(({ doubted }) => doubted),
            {
              x1: "x",
              x2: ({ x }: Tile) => x + 1,
              y1: "y",
              y2: ({ y }: Tile) => y + 1,
              fill: "none",
              stroke: theme.muted,
              strokeWidth: 1.4,
              strokeDasharray: "4 3",
              inset: 3,
            },
          ),
          Plot.ruleX(
            tiles.filter(({ x, y }) => differ(x, y, x + 1, y)),
            { x: ({ x }: Tile) => x + 1, y1: "y", y2: ({ y }: Tile) => y + 1, ...edge },
          ),
          Plot.ruleY(
            tiles.filter(({ x, y }) => differ(x, y, x, y + 1)),
            { y: ({ y }: Tile) => y + 1, x1: "x", x2: ({ x }: Tile) => x + 1, ...edge },
          ),
          ...(room(tiles.map(({ text }) => text)) <= wide
            ? [
                Plot.text(tiles, {
                  x: ({ x }: Tile) => middle(x),
                  y: ({ y }: Tile) => middle(y),
                  text: "text",
                  fill: "ink",
                  fontSize: type,
                }),
              ]
            : []),
          Plot.axisY(
            rows.map((_, i) => middle(i)),
            {
              ...axis,
              label: null,
              tickFormat: (at: number) => cutTo(rows[Math.floor(at)] ?? "", left / (type * 0.58)),
            },
          ),
          Plot.axisX(
            columns.map((_, i) => middle(i)).filter((_, i) => i % every === 0),
            {
              ...axis,
              label: "size of a message",
              labelAnchor: "center",
              labelOffset: type * 2.8,
              tickFormat: (at: number) => columns[Math.floor(at)] ?? "",
            },
          ),
          ...tipOf(tiles, { x: ({ x }) => middle(x), y: ({ y }) => middle(y) }, { pointed, type, theme }),
        ],
      }),
      theme,
    );
  }

  #look(
    cell: Cell,
    most: number,
    theme: Theme,
  ): { fill: string; ink: string; doubted: boolean; text: string; words: string } {
    const fill = colourOf(cell.speed_up!, most, theme);
    const doubted = doubtsTimes(cell);
    const interval = cell.speed_up_interval?.map(figures).join(" and ");
    return {
      fill: css(fill),
      ink: readable(fill),
      doubted,
      text: `${figures(Number(cell.speed_up!.toPrecision(2)))}${doubted ? " ?" : ""}`,
      words: [
        labelOf(cell),
        `speed-up ${figures(cell.speed_up!)}`,
        interval ? `95 % between ${interval}` : "",
        doubted ? `doubtful: ${causesOf(cell).join(", ")}` : "",
      ]
        .filter(Boolean)
        .join("\n"),
    };
  }
}

/** At most so many letters. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(1, Math.floor(most) - 1))}…`;
