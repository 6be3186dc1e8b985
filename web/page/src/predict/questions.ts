// Questions about the next step of a film, made of the film: they are endless, and the same for the same number.

import { chanceOf, pick, shuffled, type Chance } from "../kit/chance";
import { range } from "../kit/numbers";
import { counted, listed } from "../kit/words";
import type { Film } from "../viewer/film";
import { packetWords } from "../viewer/packet-words";

export interface Option {
  readonly words: string;
  readonly right: boolean;
  /** Its thing in the picture, where it can be tapped. */
  readonly node?: number;
}

export interface Question {
  readonly step: number;
  /** Two questions of one kind do not follow one another. */
  readonly kind: string;
  readonly words: string;
  readonly options: readonly Option[];
  /** One sentence, for right and wrong answers. */
  readonly why: string;
  /** The directed link that the reason speaks of; -1: none. */
  readonly link: number;
}

export const LEVELS = 3;
const MOST_OPTIONS = 4;
const TRIES = 8;

/** The packets that cross links in one step. */
class Moment {
  readonly packets: number[] = [];

  constructor(
    readonly film: Film,
    readonly step: number,
    readonly chance: Chance,
  ) {
    for (let packet = 0; packet < film.packets.count; packet++)
      if (film.packets.step[packet] === step) this.packets.push(packet);
  }

  words(packet: number): string {
    return packetWords(this.film, packet);
  }

  get busy(): Set<number> {
    return new Set(this.packets.map((packet) => this.film.packets.link[packet]!));
  }
}

type Maker = (at: Moment) => Omit<Question, "step" | "kind"> | null;

const nodeWords = (nodes: readonly number[]): string =>
  nodes.length === 1 ? `node ${nodes[0]}` : `nodes ${listed(nodes)}`;

/** The neighbours of a node are the answers. */
function neighbours({ film }: Moment, from: number, right: readonly number[]): Option[] | null {
  const near = film.network.leaving(from).map((link) => film.network.to[link]!);
  if (new Set(right).size === near.length || near.length > 8) return null;
  return near.map((node) => ({ words: `node ${node}`, node, right: right.includes(node) }));
}

/** The receivers of a node's packets. */
const receiver: Maker = (at) => {
  const { film, packets, chance, step } = at;
  const packet = pick(packets, chance);
  if (packet === undefined) return null;
  const from = film.from(packet);
  const to = packets.filter((other) => film.from(other) === from).map((other) => film.to(other));
  const options = neighbours(at, from, to);
  return (
    options && {
      words: `Node ${from} sends in step ${step}. Tap a node that receives from it.`,
      link: film.packets.link[packet]!,
      options,
      why: `In step ${step} node ${from} sends to ${nodeWords(to)}.`,
    }
  );
};

const number = (right: number, chance: Chance, words: (value: number) => string, most: number): Option[] => {
  const near = [right - 1, right + 1, right * 2, Math.ceil(right / 2), right + 3].filter(
    (value, i, all) => value >= 0 && value <= most && value !== right && all.indexOf(value) === i,
  );
  return [right, ...shuffled(near, chance).slice(0, MOST_OPTIONS - 1)]
    .sort((a, b) => a - b)
    .map((value) => ({ words: words(value), right: value === right }));
};

const busyLinks: Maker = ({ film, packets, chance, step }) => ({
  words: `How many packets are on their way in step ${step}?`,
  link: -1,
  options: number(packets.length, chance, String, film.network.directed),
  why: `${counted(packets.length, "packet")}, on ${film.network.directed} links in both directions.`,
});

/** Whether a packet's journey ends in this step. */
const arrivesNow: Maker = (at) => {
  const { film, packets, chance, step } = at;
  if (film.data.messages.kind !== "moves") return null;
  const packet = pick(packets, chance);
  if (packet === undefined || film.packets.first[packet + 1]! - film.packets.first[packet]! > 1) return null;
  const [words, from, to] = [at.words(packet), film.from(packet), film.to(packet)];
  const ends = film.rows.target[film.packets.first[packet]!] === to;
  return {
    words: `Node ${from} sends ${words} in step ${step}. Does it reach its target in this step?`,
    link: film.packets.link[packet]!,
    options: [
      { words: "It arrives", right: ends },
      { words: "It has farther to go", right: !ends },
    ],
    why: `In step ${step} it reaches node ${to}${ends ? ", its target" : ", which is not its target"}.`,
  };
};

/** The node that a packet comes from: of one that is at home there the name would tell it. */
const sender: Maker = (at) => {
  const { film, packets, chance, step } = at;
  const passedOn = packets.filter((packet) => film.rows.origin[film.packets.first[packet]!] !== film.from(packet));
  const packet = pick(passedOn, chance);
  if (packet === undefined) return null;
  const [to, words] = [film.to(packet), at.words(packet)];
  const from = packets
    .filter((other) => film.to(other) === to && at.words(other) === words)
    .map((other) => film.from(other));
  const options = neighbours(at, to, from);
  return (
    options && {
      words: `Node ${to} gets ${words} in step ${step}. From which node? Tap it.`,
      link: film.packets.link[packet]!,
      options,
      why: `In step ${step} ${words} comes to node ${to} from ${nodeWords(from)}.`,
    }
  );
};

/** How many packets come to a node. */
const arrivals: Maker = ({ film, packets, chance, step }) => {
  const node = pick([...film.network.members], chance);
  if (node === undefined) return null;
  const links = film.network.leaving(node).length;
  const right = packets.filter((packet) => film.to(packet) === node).length;
  return {
    words: `How many packets arrive at node ${node} in step ${step}?`,
    link: -1,
    options: number(right, chance, String, links),
    why: `${counted(right, "packet")}, over ${counted(links, "link")}.`,
  };
};

/** The packet that crosses a link; wrong answers are other packets of the same sender or the same step. */
const onLink: Maker = (at) => {
  const { film, packets, chance, step } = at;
  const packet = pick(packets, chance);
  if (packet === undefined) return null;
  const [from, to, right] = [film.from(packet), film.to(packet), at.words(packet)];
  const every = range(film.packets.count);
  const others = [
    ...shuffled(
      packets.filter((other) => film.from(other) === from),
      chance,
    ),
    ...shuffled(
      every.filter((other) => film.from(other) === from || film.to(other) === to),
      chance,
    ).slice(0, 12),
    ...shuffled(packets, chance).slice(0, 12),
  ];
  const wrong = [...new Set(others.map((other) => at.words(other)))]
    .filter((words) => words !== right)
    .slice(0, MOST_OPTIONS - 1);
  if (wrong.length === 0) return null;
  return {
    words: `What crosses the link from node ${from} to node ${to} in step ${step}?`,
    link: film.packets.link[packet]!,
    options: shuffled([{ words: right, right: true }, ...wrong.map((words) => ({ words, right: false }))], chance),
    why: `The link from ${from} to ${to} carries ${right} in step ${step}.`,
  };
};

/** A link of a node that rests while others work. */
const idleLink: Maker = (at) => {
  const { film, chance, step, busy } = at;
  const nodes = [...film.network.members].filter((node) => {
    const links = film.network.leaving(node);
    const idle = links.filter((link) => !busy.has(link)).length;
    return idle > 0 && idle < links.length && links.length <= 8;
  });
  const node = pick(nodes, chance);
  if (node === undefined) return null;
  const links = film.network.leaving(node);
  const idle = links.filter((link) => !busy.has(link));
  const ends = idle.map((link) => film.network.to[link]!);
  return {
    words: `Node ${node} does not use all its links in step ${step}. Tap a node to which it sends nothing.`,
    link: idle[0]!,
    options: links.map((link) => ({
      words: `node ${film.network.to[link]}`,
      node: film.network.to[link]!,
      right: !busy.has(link),
    })),
    why: `In step ${step} node ${node} sends nothing to ${nodeWords(ends)}.`,
  };
};

/** The next node of a packet. */
const nextHop: Maker = (at) => {
  const { film, packets, chance, step } = at;
  const packet = pick(packets, chance);
  if (packet === undefined) return null;
  const words = at.words(packet);
  const from = film.from(packet);
  const to = packets
    .filter((other) => film.from(other) === from && at.words(other) === words)
    .map((other) => film.to(other));
  const options = neighbours(at, from, to);
  return (
    options && {
      words: `Node ${from} has ${words}. Where does it go in step ${step}? Tap the node.`,
      link: film.packets.link[packet]!,
      options,
      why: `In step ${step} ${words} goes from node ${from} to ${nodeWords(to)}.`,
    }
  );
};

/** By level; a question that nothing on the page answers. */
const BY_LEVEL: readonly (readonly Maker[])[] = [
  [nextHop, sender, arrivesNow, receiver],
  [onLink, arrivals, sender, receiver],
  [onLink, idleLink, nextHop, busyLinks],
];

/** Question `seed` of a level about a step, of another kind than `last`; if none of that level can be asked, an easier one.
    `kind` tells two kinds apart. */
export function questionFor(film: Film, step: number, level: number, seed: number, last = ""): Question {
  const chance = chanceOf(seed * 31 + level * 7 + step);
  const at = new Moment(film, step, chance);
  const others = (makers: readonly Maker[]): Maker[] => shuffled(makers, chance).filter(({ name }) => name !== last);
  for (const maker of [...others(BY_LEVEL[level - 1]!), ...others(BY_LEVEL.flat())])
    for (let i = 0; i < TRIES; i++) {
      const made = maker(at);
      if (made && made.options.some(({ right }) => right) && made.options.some(({ right }) => !right))
        return { step, kind: maker.name, ...made };
    }
  return { step, kind: busyLinks.name, ...busyLinks(at)! };
}
