// The words about an answer.

import { amount } from "../kit/numbers";
import { counted, grouped, listed, plain, timeWords } from "../kit/words";
import { fieldOf, labelOf, wordOf } from "./fields";
import { UNITS } from "./keys";
import type { LabError } from "./protocol";

export type Report = Record<string, unknown>;

/** ", the fewest there can be": that is said of a run at its bound only. */
function beside(reached: number, least: number | null, most: string, words: (amount: number) => string): string {
  if (least === null) return "";
  if (reached === least) return `, ${most}`;
  return reached > least ? ` (lower bound ${words(least)})` : `, fewer than ${words(least)}, which cannot be`;
}

/** "in 8 steps, the fewest there can be" */
function length(report: Report): string {
  const time = amount(report.virtual_time_ns);
  if (time !== null) {
    const least = amount(report.time_lower_bound_ns);
    return `${timeWords(time)}${beside(time, least, "the least there can be", timeWords)}`;
  }
  const steps = amount(report.steps) ?? 0;
  const least = amount(report.steps_lower_bound);
  return `${counted(steps, "step")}${beside(steps, least, "the fewest there can be", grouped)}`;
}

/** The result of a run, in one line. */
export function resultWords(report: Report): string {
  const lost = amount(report.packets_lost) ?? 0;
  const blocks = amount(report.blocks_verified);
  return (
    [
      `${plain(report.algorithm, 60)}: ${length(report)}`,
      counted(amount(report.transmissions) ?? 0, "packet"),
      lost > 0 && `${grouped(lost)} lost`,
      report.verified === false ? "not verified" : blocks !== null && `${counted(blocks, "block")} verified`,
    ]
      .filter(Boolean)
      .join("; ") + "."
  );
}

/** Both runs of a comparison, in one line. */
export const versusWords = (one: Report, other: Report): string =>
  `${plain(one.algorithm, 60)}: ${length(one)}. The second, ${plain(other.algorithm, 60)}: ${length(other)}.`;

const KINDS: Readonly<Record<string, string>> = {
  rule: "A rule was broken",
  deadlock: "Deadlock",
  verification: "The result is wrong",
  impossible: "Refused",
  program: "Your program failed",
  memory: "There is not enough memory",
  stopped: "Stopped",
  page: "This page cannot do it",
  internal: "An error in dcube",
};

/** A key before a text about it: as the text's subject, or with a colon. */
const keyBefore = (key: string, run: string, subject?: boolean | null): string =>
  subject ? `${plain(wordOf(key), 60)}${run} ` : `${plain(labelOf(key), 60)}${run}: `;

/** The words before an error's text: its kind, or the field of wrong input; and the run, where it is the second. */
export function errorTitle({ kind, key, subject, run }: LabError): string {
  const where = run ? " in the second run" : "";
  const title = KINDS[kind];
  if (!title && key) return keyBefore(fieldOf(key), where, subject);
  return title || run ? `${title ?? "Wrong"}${where}: ` : "";
}

/** The error's text, after that title. */
export const errorWords = ({ message, why }: LabError): string =>
  plain(why ? why.map((piece) => (typeof piece === "string" ? piece : wordOf(piece.key))).join("") : message, 1000);

/** In one line, for a place where no form marks the field and the kind is plain. */
export const errorLine = (error: LabError): string =>
  `${error.key ? keyBefore(error.key, "", error.subject) : ""}${errorWords(error)}`;

/** A report's value as people read it. */
export function valueWords(key: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    const unit = UNITS.get(key) ?? "";
    if (unit === "s") return timeWords(value * 1e9);
    return grouped(unit.endsWith("/s") ? Math.round(value) : Math.round(value * 1e4) / 1e4);
  }
  if (Array.isArray(value))
    return listed(
      value.map((one) => valueWords(key, one)),
      12,
    );
  if (typeof value === "object")
    return Object.entries(value as Report)
      .map(([name, one]) => `${plain(name, 40).replaceAll("_", " ")} ${valueWords(name, one)}`)
      .join(", ");
  return plain(value, 400);
}

/** The page's name for a key of the report. Its value has no unit where that is ns. */
export const keyWords = (key: string): string =>
  plain(UNITS.get(key) === "ns" ? key.replace("_ns", ", ns") : key, 60).replaceAll("_", " ");
