// What a board says.

import { range } from "../kit/numbers";
import { counted } from "../kit/words";
import type { Bounds } from "./document";
import type { Game } from "./game";
import { countOf, messageOf, RULES, type Move, type Task, type Wrong } from "./rules";

/** "for 5", "from 3 for 5", "packet 2", ..: short, for a button. What a node sends of its own needs no origin. */
export function label(task: Task, packet: number, sender = -1): string {
  const { kind, origin, target } = task.messages;
  const message = messageOf(task, packet);
  const part = task.packets > 1 ? `packet ${(packet % task.packets) + 1}` : "";
  const several = new Set(origin).size > 1;
  const ends =
    kind === "copies"
      ? several
        ? `from ${origin[message]}`
        : ""
      : kind === "sums"
        ? `sum${new Set(target).size > 1 ? ` for ${target[message]}` : ""}`
        : [
            several && origin[message] !== sender ? `from ${origin[message]}` : "",
            new Set(target).size > 1 ? `for ${target[message]}` : "",
          ]
            .filter(Boolean)
            .join(" ");
  return [ends, part].filter(Boolean).join(", ") || "message";
}

/** "the packet for node 5" */
export function packetWords(task: Task, packet: number, sender = -1): string {
  const text = label(task, packet, sender);
  if (task.messages.kind === "sums") return text === "sum" ? "its sum" : `its ${text}`;
  return text === "message" ? "the message" : text.startsWith("packet") ? text : `the packet ${text}`;
}

export const linkWords = ({ links }: Task, link: number): string => `link ${links.from[link]} to ${links.to[link]}`;

export function moveWords(task: Task, { link, packet }: Move): string {
  return `Node ${task.links.from[link]} sends ${packetWords(task, packet, task.links.from[link])} to node ${task.links.to[link]}.`;
}

export const wrongWords = ({ rule, words }: Wrong): [string, string] => [`${RULES[rule]}.`, ` The judge: ${words}.`];

/** What a node holds, for who taps it. */
export function nodeWords(game: Game, node: number): string {
  const { task } = game;
  const position = game.position();
  const all = range(countOf(task));
  const there = all.filter((packet) => position.has(node, packet));
  const lacks = all.filter((packet) => position.needs(node, packet) && !position.satisfied(node, packet)).length;
  const end =
    lacks > 0
      ? ` It still needs ${task.messages.kind === "sums" ? counted(lacks, "complete sum") : counted(lacks, "packet")}.`
      : "";
  const what =
    there.length === 0
      ? "nothing"
      : there.length > 6
        ? counted(there.length, "packet")
        : there.map((packet) => packetWords(task, packet)).join(", ");
  return `Node ${node} holds ${what}.${end}`;
}

export const start = (task: Task): string =>
  `Tap a link near the node that is to send: ${task.messages.kind === "sums" ? "it sends all that it has added up" : "its most useful packet appears there"}. A link carries one packet in a step${task.onePort ? ", and a node sends one and receives one" : ""}.`;

/** How far it is when a step is over. */
export function soFar(game: Game): string {
  const { task } = game;
  const lacking = new Set([...game.position().lacking()].map(([node]) => node));
  const total = task.messages.target.some((target) => target < 0)
    ? task.links.members.size
    : new Set(task.messages.target).size;
  const words = `Step ${game.steps.length} is over: `;
  if (total === 1) return `${words}node ${[...lacking][0]} still waits.`;
  const sated = total - lacking.size;
  return `${words}${sated} of ${total} nodes ${sated === 1 ? "has all it needs" : "have all they need"}.`;
}

/** What is to be said of a finished schedule: only what is proved. */
export function verdict(game: Game, bounds: Bounds): string {
  const steps = game.steps.length;
  const [least, fewest] = [bounds.steps?.value ?? 0, bounds.packets.value];
  const did = `${counted(steps, "step")}, ${counted(game.sent, "packet")}: `;
  if (steps === 0) return "Nothing has to move here.";
  if (steps <= least && game.sent <= fewest)
    return `${did}both bounds met. Nobody will ever do better: that is a proof.`;
  if (steps <= least)
    return `${did}fewer steps are impossible, and that is proved. The bound for packets is ${fewest}: which of yours told nothing new, or took a detour?`;
  if (game.sent <= fewest)
    return `${did}fewer packets are impossible, and that is proved. The bound for steps is ${least}: where did a packet wait that could have gone?`;
  return `${did}done, and correct. The bounds are ${counted(least, "step")} and ${counted(fewest, "packet")}. A bound need not be within reach, but try.`;
}
