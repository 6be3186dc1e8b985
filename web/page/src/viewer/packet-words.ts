// Packets and the nodes' data, in words.

import { counted, grouped } from "../kit/words";
import type { Film } from "./film";
import type { Holding } from "./holding";
import { nameOf, threadOf } from "./journey";

/** "5", or "1000 to 2064". */
export function whenOf(film: Film, packet: number): string {
  const { packets, data } = film;
  if (film.inSteps) return grouped(packets.step[packet]!);
  const time = (ticks: number): string => grouped(Math.round((ticks / data.ticks_per_ns) * 10) / 10);
  return `${time(packets.start[packet]!)} to ${time(packets.end[packet]!)}`;
}

/** "the block from 0 to 15", "3 blocks, the first from 0 to 15". */
export function packetWords(film: Film, packet: number): string {
  const count = film.packets.first[packet + 1]! - film.packets.first[packet]!;
  const first = nameOf(film, threadOf(film, packet));
  return count > 1 ? `${first} and ${count - 1} more` : first;
}

/** "has 3 of 8 blocks"; "" for a node that gets nothing. */
export function hasWords({ data: { messages } }: Film, holding: Holding, node: number): string {
  const due = holding.due(node);
  if (messages.signals) return holding.got(node) === due ? "knows that all have begun" : "has not heard of all";
  const thing = messages.parts > 1 ? "part" : messages.kind === "sums" ? "sum" : "block";
  return due > 0 ? `has ${holding.got(node)} of ${counted(due, thing)}` : "";
}
