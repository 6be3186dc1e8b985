// The texts of a board.

import { range } from "../kit/numbers";
import { counted } from "../kit/words";
import type { Bounds } from "./document";
import type { Game } from "./game";
import { countOf, messageOf, partOf, RULES, type Move, type Task, type Wrong } from "./rules";

/** The parts of a packet's name, empty where they say nothing: "from 3 for 5", "packet 2". */
function namesOf(task: Task, packet: number, sender: number): { ends: string; part: string } {
  const { kind, origin, target } = task.messages;
  const message = messageOf(task, packet);
  const part = task.packets > 1 ? `packet ${partOf(task, packet) + 1}` : "";
  const several = new Set(origin).size > 1;
  const goal = new Set(target).size > 1 ? `for ${target[message]}` : "";
  if (kind === "copies") return { ends: several ? `from ${origin[message]}` : "", part };
  if (kind === "sums") return { ends: goal, part };
  const start = several && origin[message] !== sender ? `from ${origin[message]}` : "";
  return { ends: [start, goal].filter(Boolean).join(" "), part };
}

const isSum = ({ messages }: Task): boolean => messages.kind === "sums";

/** "for 5", "from 3 for 5", "sum for 3", "packet 2", ..: short, for a button. Its sender needs no mention as its origin. */
export function label(task: Task, packet: number, sender = -1): string {
  const { ends, part } = namesOf(task, packet, sender);
  const first = isSum(task) ? `sum ${ends}`.trim() : ends;
  return [first, part].filter(Boolean).join(", ") || "message";
}

/** "the packet for node 5" */
export function packetWords(task: Task, packet: number, sender = -1): string {
  const { ends, part } = namesOf(task, packet, sender);
  if (isSum(task)) return `its ${label(task, packet, sender)}`;
  if (!ends) return part || "the message";
  return `the packet ${label(task, packet, sender)}`;
}

export const linkWords = ({ links }: Task, link: number): string => `link ${links.from[link]} to ${links.to[link]}`;

export function moveWords(task: Task, { link, packet }: Move): string {
  return `Node ${task.links.from[link]} sends ${packetWords(task, packet, task.links.from[link])} to node ${task.links.to[link]}.`;
}

export const wrongWords = ({ rule, words }: Wrong): [string, string] => [`${RULES[rule]}.`, ` The judge: ${words}.`];

/** The packets of a node, for a person who taps it. */
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
  `Tap a link near the node that is to send: ` +
  `${task.messages.kind === "sums" ? "it sends all that it has added up" : "its most useful packet appears there"}` +
  `. A link carries one packet in a step` +
  `${task.onePort ? ", and a node sends one and receives one" : ""}.`;

/** The progress when a step is over. */
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

/** The verdict on a finished schedule: only what is proved. */
export function verdict(game: Game, bounds: Bounds): string {
  const steps = game.steps.length;
  const [least, fewest] = [bounds.steps?.value ?? 0, bounds.packets.value];
  const did = `${counted(steps, "step")}, ${counted(game.sent, "packet")}: `;
  if (steps === 0) return "Nothing has to move here.";
  if (steps <= least && game.sent <= fewest) return `${did}both bounds met. No schedule can be better: that is proved.`;
  if (steps <= least)
    return (
      `${did}fewer steps are impossible, and that is proved. The bound for packets is ${fewest}: which ` +
      `of yours brought nothing new, or took a detour?`
    );
  if (game.sent <= fewest)
    return (
      `${did}fewer packets are impossible, and that is proved. The bound for steps is ${least}: where ` +
      `did a packet wait that could have gone?`
    );
  return (
    `${did}done, and correct. The bounds are ${counted(least, "step")} and ${counted(fewest, "packet")}` +
    `. A bound need not be within reach, but try.`
  );
}
