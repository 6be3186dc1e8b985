// The text beside the charts: doubts about the figures, and their origin.

import { element } from "../kit/dom";
import { counted, grouped, plain } from "../kit/words";
import type { Benchmark, Cell, Facts } from "./document";
import { causeOf, doubtsShare } from "./doubts";
import { labelOf } from "./series";
import { NARROW } from "./sheet";
import { bytes, percent } from "./words";

const LEVEL = { data: "data", instruction: "instructions", unified: "" } as Record<string, string>;

/** "L1 data 32 KiB, L2 1 MiB for 2 processors". */
function caches(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  return value
    .slice(0, 12)
    .map((cache: unknown) => {
      const { level, kind, bytes: size, shared_by: by } = (cache ?? {}) as Record<string, unknown>;
      const words = [
        `L${plain(level, 4)}`,
        LEVEL[String(kind)] ?? plain(kind, 20),
        typeof size === "number" ? bytes(size) : "",
        typeof by === "number" && by > 1 ? `for ${by} processors` : "",
      ];
      return words.filter(Boolean).join(" ");
    })
    .join(", ");
}

/** A value of the document as people read it. */
function words(key: string, value: unknown): string {
  if (value === null || value === undefined) return "not known";
  if (value === "") return "none";
  if (key === "caches") return caches(value) ?? "not known";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number")
    return key.endsWith("bytes")
      ? bytes(value)
      : key.endsWith("_share")
        ? percent(value)
        : key.endsWith("_hz")
          ? `${value / 1e9} GHz`
          : Number.isInteger(value)
            ? grouped(value)
            : String(Number(value.toPrecision(4)));
  if (Array.isArray(value))
    return value
      .slice(0, 64)
      .map((item) => words(key, item))
      .join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .slice(0, 20)
      .map(([name, item]) => `${plain(name, 40)}: ${words(key, item)}`)
      .join(", ");
  return plain(value, 600);
}

const UNITS = /_(bytes|hz|share)$/;

function list(title: string, facts: Facts): HTMLElement {
  const rows = facts.map(([key, value]) =>
    element("div", element("dt", key.replace(UNITS, "").replaceAll("_", " ")), element("dd", words(key, value))),
  );
  return element("section.figure.facts", element("h2", title), element("dl.report", ...rows));
}

export function sources({ program, host, settings, limits, left_out: left }: Benchmark): HTMLElement[] {
  return [
    list("Machine", host),
    list("Program", program),
    list("Settings", settings),
    ...(limits ? [list("Limits used for shares", limits)] : []),
    ...(left.length > 0
      ? [
          element(
            "section.figure.facts",
            element("h2", "Left out"),
            element(
              "ul",
              ...left.slice(0, 200).map(({ cell, reason }) => element("li", element("b", cell), `: ${reason}`)),
            ),
          ),
        ]
      : []),
  ];
}

/** One line below a saved chart. */
export function source({ program, host, date }: Benchmark): string {
  const of = (facts: Facts, key: string): string => {
    const found = facts.find(([name]) => name === key)?.[1];
    return found === null || found === undefined || found === "" ? "" : plain(found, 120);
  };
  const commit = of(program, "commit");
  return [
    `dcube ${of(program, "version")}${commit ? ` (${commit})` : ""}`,
    of(host, "cpu"),
    of(host, "processors") && `${of(host, "processors")} processors`,
    date,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** One kind of doubt, with its cells; they differ in their numbers. */
function doubtful(of: readonly (readonly [Cell, string])[]): HTMLElement {
  const texts = new Set(of.map(([, doubt]) => doubt));
  const rows = of
    .slice(0, 200)
    .map(([cell, doubt]) => element("li", texts.size > 1 ? `${labelOf(cell)}: ${doubt}` : labelOf(cell)));
  return element(
    "li",
    `${of[0]![1]}${texts.size > 1 ? ", and the like" : ""}: `,
    element("details", element("summary", counted(of.length, "cell")), element("ul", ...rows)),
  );
}

/** Warnings and doubts, or nothing where there are none. They are told here, and elsewhere only named. */
export function notices({ warnings, cells }: Benchmark): HTMLElement | null {
  const doubts = new Map<string, [Cell, string][]>();
  for (const cell of cells)
    for (const doubt of cell.doubts) {
      const cause = causeOf(doubt);
      doubts.set(cause, [...(doubts.get(cause) ?? []), [cell, doubt]]);
    }
  // Older documents have it as a warning, and as a doubt of each cell.
  if (warnings.some((warning) => warning.includes("busy"))) doubts.delete("busy");
  if (warnings.length + doubts.size === 0) return null;
  const items = [
    ...warnings.slice(0, 50).map((warning) => element("li", warning)),
    ...[...doubts.values()].slice(0, 50).map((of) => doubtful(of)),
  ];
  const doubted = cells.filter(doubtsShare).length;
  const counts = [
    warnings.length > 0 ? counted(warnings.length, "warning") : "",
    doubted > 0 ? `${doubted} of ${counted(cells.length, "cell")} doubtful` : "",
  ].filter(Boolean);
  const details = element(
    "details.notices",
    element("summary", element("b", "Before you believe these figures"), `: ${counts.join(", ")}`),
    element("ul", ...items),
  );
  details.open = innerWidth >= NARROW;
  return details;
}
