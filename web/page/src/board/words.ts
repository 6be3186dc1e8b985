// The texts of a board.

import { range } from "../kit/numbers";
import { counted } from "../kit/words";
import type { Bounds } from "./document";
import type { Game } from "./game";
import type { Network } from "../viewer/network";
import { hopsLeft } from "./least";
import { countOf, messageOf, partOf, RULES, type Move, type Position, type Task, type Wrong } from "./rules";

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

export const choiceWords = ({ links }: Task, link: number): string =>
  `Which packet shall node ${links.from[link]} send to node ${links.to[link]}? Choose one.`;

/** A hint in full, as advice: nothing has happened yet. */
export const adviceWords = (task: Task, move: Move): string => `Try: n${moveWords(task, move).slice(1)}`;

const arrow = ({ links }: Task, link: number): string => `link ${links.from[link]} \u2192 ${links.to[link]}`;

/** A question that leads to the hint: about its packet, if no other one of that node has as far to go, else about its link. */
export function questionWords(task: Task, network: Network, position: Position, { link, packet }: Move): string {
  const from = task.links.from[link]!;
  const { kind, target } = task.messages;
  const far = (one: number): number => {
    const goal = target[messageOf(task, one)]!;
    return position.has(from, one) && !position.satisfied(goal, one) ? network.distanceTo(goal)[from]! : 0;
  };
  const others = kind === "moves" ? range(countOf(task)).filter((one) => one !== packet && far(one) > 0) : [];
  if (others.length === 0 || others.some((one) => far(one) >= far(packet)))
    return `L${arrow(task, link).slice(1)} is idle: what could it carry?`;
  return `Which packet of node ${from} has farthest to go?`;
}

/** The way out of a step that the judge refuses. */
export function wayOut(task: Task, { move, rule }: Wrong): string {
  const { link, packet } = move;
  const [from, to] = [task.links.from[link]!, task.links.to[link]!];
  const off = (what: string, reason: string): string => `First take ${what} off ${arrow(task, link)}: ${reason}.`;
  const it = packetWords(task, packet, from);
  switch (rule) {
    case "busy":
      return `First take one of the two packets off ${arrow(task, link)}.`;
    case "port":
      return off(it, "a node has one port, sends one packet in a step and receives one");
    case "absent":
      return off(it, `node ${from} does not have it yet`);
    case "home":
      return off(it, `node ${to} is where it comes from`);
    case "twice":
      return off(it, `node ${to} has it, or gets it over another link`);
    case "counted":
      return off(it, `some of it is in node ${to}'s sum already`);
    case "complete":
      return off(it, `the sum of node ${to} is complete`);
  }
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
  `${task.messages.kind === "sums" ? "it sends all that it has added up" : "if it has several, choose one"}` +
  `. A link carries one packet in a step` +
  `${task.onePort ? ", and a node sends one and receives one" : ""}.`;

/** The progress when a step is over. */
export function soFar(game: Game): string {
  const { task, network } = game;
  const over = `Step ${game.steps.length} is over: `;
  if (task.messages.kind === "moves") {
    const all = hopsLeft(game.position(0), network);
    return `${over}${all - hopsLeft(game.position(), network)} of ${counted(all, "hop")} done.`;
  }
  const lacking = new Set([...game.position().lacking()].map(([node]) => node));
  const total = task.messages.target.some((target) => target < 0)
    ? task.links.members.size
    : new Set(task.messages.target).size;
  if (total === 1) return `${over}node ${[...lacking][0]} still waits.`;
  const sated = total - lacking.size;
  return `${over}${sated} of ${total} nodes ${sated === 1 ? "has all it needs" : "have all they need"}.`;
}

/** The verdict on a finished schedule: only what is proved. */
export function verdict(game: Game, bounds: Bounds): string {
  const steps = game.steps.length;
  const [least, fewest] = [bounds.steps?.value ?? 0, bounds.packets.value];
  const did = `${counted(steps, "step")}, ${counted(game.sent, "packet")}: `;
  if (steps === 0) return "Nothing has to move here.";
  if (steps <= least && game.sent <= fewest)
    return `${did}as few steps and as few packets as possible. Nobody will ever do better: that is proved.`;
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
