// What is said of an answer.

import { amount } from "../kit/numbers";
import { counted, grouped, listed, plain, timeWords } from "../kit/words";
import type { LabError } from "./protocol";

export type Report = Record<string, unknown>;

/** "in 8 steps, the fewest there can be" */
function length(report: Report): string {
  const time = amount(report.virtual_time_ns);
  if (time !== null) {
    const least = amount(report.time_lower_bound_ns);
    return `${timeWords(time)}${least === null ? "" : least >= time ? ", the least there can be" : `, at least ${timeWords(least)}`}`;
  }
  const steps = amount(report.steps) ?? 0;
  const least = amount(report.steps_lower_bound);
  return `${counted(steps, "step")}${least === null ? "" : least >= steps ? ", the fewest there can be" : `, at least ${grouped(least)}`}`;
}

/** The line that says what came of a run. */
export function resultWords(report: Report): string {
  const lost = amount(report.packets_lost) ?? 0;
  const blocks = amount(report.blocks_verified);
  return [
    `${plain(report.algorithm, 60)}: ${length(report)}`, counted(amount(report.transmissions) ?? 0, "packet"),
    lost > 0 && `${grouped(lost)} lost`, report.verified === false ? "not verified" : blocks !== null && `${counted(blocks, "block")} verified`,
  ].filter(Boolean).join("; ") + ".";
}

/** Both runs of a comparison, in one line. */
export const versusWords = (one: Report, other: Report): string =>
  `${plain(one.algorithm, 60)}: ${length(one)}. The second, ${plain(other.algorithm, 60)}: ${length(other)}.`;

const KINDS: Readonly<Record<string, string>> = {
  rule: "A rule was broken", deadlock: "Nobody can go on", verification: "The result is wrong", program: "Your program failed",
  memory: "There is not enough memory", stopped: "Stopped", page: "This page cannot do it", internal: "A mistake of dcube's",
};

/** An error's heading; of wrong input the message is enough. */
export const errorTitle = ({ kind }: LabError): string => KINDS[kind] ?? "";

/** Where it happened, as far as the message does not say it. */
export function placeWords({ message, rule, step, node, port }: LabError): string {
  const said = (word: string, value: unknown): boolean => new RegExp(`\\b${word} ${String(value)}\\b`).test(message);
  return [
    rule && !message.includes(rule) && `rule ${plain(rule, 60)}`,
    ...([["step", step], ["node", node], ["port", port]] as const).map(([word, value]) => typeof value === "number" && !said(word, value) && `${word} ${value}`),
  ].filter(Boolean).join(", ");
}

/** A report's value as people read it. */
export function valueWords(key: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (/utilisation|share/.test(key)) return `${Math.round(value * 1000) / 10} %`;
    if (/seconds/.test(key)) return timeWords(value * 1e9);
    if (/per_second/.test(key)) return grouped(Math.round(value));
    return grouped(Math.round(value * 1e4) / 1e4);
  }
  if (Array.isArray(value)) return listed(value.map((one) => valueWords(key, one)), 12);
  if (typeof value === "object") return Object.entries(value as Report).map(([name, one]) => `${plain(name, 40).replaceAll("_", " ")} ${valueWords(name, one)}`).join(", ");
  return plain(value, 400);
}

/** What a key of the report is called on the page. */
export const keyWords = (key: string): string => plain(key, 60).replace(/_ns_per_byte$/, ", ns a byte").replace(/_ns$/, ", ns").replaceAll("_", " ");

/** What a page does not need: what is said of a machine with threads and ranks. */
const DULL = /^(schema|threads|threads_asked|channel|channel_capacity|pin|repeat|warm_runs|cores|date|version|peak_memory_bytes|hops_per_second|link_bytes_per_second|limit_|share_of_limit|counters|ranks|hosts|cross_rank|communication_seconds|slowest_rank|cut_packet|largest_in_transit|prediction_is_exact)/;

export const isDull = (key: string): boolean => DULL.test(key);
