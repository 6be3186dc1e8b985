// The way of one block through the film.

import type { Film } from "./film";
import type { Thread } from "./options";

export interface Journey {
  thread: Thread;
  /** The packets that carry it, in the order of time. */
  packets: number[];
}

export function carries(film: Film, row: number, { origin, target, part }: Thread): boolean {
  const { rows } = film;
  return (
    (origin < 0 || rows.origin[row] === origin) &&
    (target < 0 || rows.target[row] === target) &&
    (part < 0 || (rows.part[row]! <= part && part < rows.part[row]! + rows.count[row]!))
  );
}

export function journeyOf(film: Film, thread: Thread): Journey {
  const found: number[] = [];
  for (let packet = 0; packet < film.packets.count; packet++) {
    for (let row = film.packets.first[packet]!; row < film.packets.first[packet + 1]!; row++) {
      if (!carries(film, row, thread)) continue;
      found.push(packet);
      break;
    }
  }
  return { thread, packets: found };
}

/** The thread that a click on a packet follows: its first block, and the part where blocks have several. */
export function threadOf(film: Film, packet: number): Thread {
  const row = film.packets.first[packet]!;
  const { rows, data } = film;
  const several = data.messages.parts > 1;
  return { origin: rows.origin[row]!, target: rows.target[row]!, part: several ? rows.part[row]! : -1 };
}

/** Whether there is such a thing in the film. */
export function isThread(film: Film, { origin, target, part }: Thread): boolean {
  const { nodes } = film.network;
  const { kind, parts, sums } = film.data.messages;
  const targets = kind === "sums" ? sums!.length : nodes;
  return (
    origin < nodes &&
    target < targets &&
    part < parts &&
    (origin >= 0 || target >= 0) &&
    (kind === "moves" ? origin >= 0 && target >= 0 : kind === "copies" ? target < 0 : origin < 0)
  );
}

/** "the block from 0 to 15", "part 3 of node 0's message", "the sum for node 4". */
export function nameOf(film: Film, { origin, target, part }: Thread): string {
  const { kind, parts, sums } = film.data.messages;
  const piece = part >= 0 && parts > 1 ? `part ${part + 1} of ` : "";
  if (kind === "moves") return `${piece}the block from ${origin} to ${target}`;
  if (kind === "copies")
    return parts > 1 ? `packet ${part + 1} of node ${origin}'s message` : `the message of node ${origin}`;
  const goal = sums![target];
  return `${piece}the sum${goal === null || goal === undefined ? "" : ` for node ${goal}`}`;
}

/** The question to a person who wants to follow something. */
export function threadQuestion(film: Film): string {
  const { kind, parts, sums } = film.data.messages;
  if (kind === "moves") return "Follow the block from node, to node";
  if (kind === "copies" && !film.single) return "Follow the message of node";
  if (kind === "sums" && sums!.length > 1) return "Follow the sum for node";
  return parts > 1 ? `Follow part (1 to ${parts})` : "Follow the message (press Enter)";
}

/** The answer: numbers, with anything between them. */
export function threadFrom(film: Film, text: string): Thread {
  const { kind, origins, parts, sums } = film.data.messages;
  const [a, b] = [...(text.match(/\d+/g) ?? []).map(Number), -1, -1] as [number, number];
  const part = parts > 1 ? 0 : -1;
  if (kind === "moves") return { origin: a, target: b, part: -1 };
  if (kind === "copies" && !film.single) return { origin: a, target: -1, part };
  if (kind === "sums" && sums!.length > 1) return { origin: -1, target: a, part };
  const chosen = parts > 1 ? Math.max(0, a - 1) : -1;
  return kind === "copies"
    ? { origin: (origins as number[])[0]!, target: -1, part: chosen }
    : { origin: -1, target: 0, part: chosen };
}
