// The rules of a board. A position has the packets of each node after so many steps; a move sends one packet over one
// link in the step that comes. Allowed are the moves that the judge accepts (judge/), and mistakes are described in its
// words. Nothing here knows of the page.

/** A network, as the rules need it. */
export interface Links {
  readonly nodes: number;
  readonly members: ReadonlySet<number>;
  /** The ends of every directed link. */
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  readonly port: ArrayLike<number>;
}

/** Messages that are in one place, messages of which all nodes need a copy, sums of all nodes' shares. */
export type Kind = "moves" | "copies" | "sums";

/** The ends of messages, in the order of their numbers; -1: from no node (sums), to all (copies). */
export interface Messages {
  readonly kind: Kind;
  readonly origin: readonly number[];
  readonly target: readonly number[];
  /** The packets of each, where they differ. */
  readonly lengths?: readonly number[] | null;
}

export interface Task {
  readonly links: Links;
  readonly messages: Messages;
  /** Packets of a message, of the longest one, and bytes of a packet. */
  readonly packets: number;
  readonly bytes: number;
  readonly onePort: boolean;
}

/** Packets are numbered one after the other, message by message. */
export interface Move {
  readonly link: number;
  readonly packet: number;
}

export const RULES = {
  busy: "The link is busy",
  port: "One port",
  absent: "Not there yet",
  home: "It comes from there",
  twice: "Delivered twice",
  counted: "A share counted twice",
  complete: "Complete already",
} as const;

/** The first move that breaks a rule, and the judge's words. */
export interface Wrong {
  readonly move: Move;
  readonly rule: keyof typeof RULES;
  readonly words: string;
}

/** The first packet of each message, and the message of each packet. */
interface Numbers {
  readonly first: readonly number[];
  readonly message: readonly number[];
}

const numbers = new WeakMap<Messages, Numbers>();

function numbersOf({ messages, packets }: Task): Numbers {
  const known = numbers.get(messages);
  if (known) return known;
  const [first, message]: [number[], number[]] = [[], []];
  messages.origin.forEach((_, one) => {
    first.push(message.length);
    for (let packet = 0; packet < (messages.lengths?.[one] ?? packets); packet++) message.push(one);
  });
  numbers.set(messages, { first, message });
  return { first, message };
}

export const countOf = (task: Task): number => numbersOf(task).message.length;
export const messageOf = (task: Task, packet: number): number => numbersOf(task).message[packet]!;
export const firstOf = (task: Task, message: number): number => numbersOf(task).first[message]!;
/** The packet's number within its message. */
export const partOf = (task: Task, packet: number): number => packet - firstOf(task, messageOf(task, packet));

/** "the message from node 0 to node 3", "the sum for node 0" */
function described({ messages: { origin, target } }: Task, message: number): string {
  const [from, to] = [origin[message]!, target[message]!];
  const what = from < 0 ? "the sum" : `the message from node ${from}`;
  return to < 0 ? what : `${what}${from < 0 ? " for" : " to"} node ${to}`;
}

/** "byte 64 of the message from node 0": the first of the packet. */
function bytesOf(task: Task, packet: number): string {
  return `byte ${partOf(task, packet) * task.bytes} of ${described(task, messageOf(task, packet))}`;
}

/** The order of a trace. */
export const sorted = ({ links }: Task, moves: readonly Move[]): Move[] =>
  [...moves].sort((a, b) => links.from[a.link]! - links.from[b.link]! || links.port[a.link]! - links.port[b.link]!);

const lowest = (set: bigint): number => {
  let node = 0;
  for (let rest = set; (rest & 1n) === 0n; rest >>= 1n) node++;
  return node;
};

export const bit = (node: number): bigint => 1n << BigInt(node);

/** The nodes' packets after `steps` steps. Sums: the nodes whose shares are in it; else 1n where it is. */
export class Position {
  readonly #held: bigint[];

  private constructor(
    readonly task: Task,
    readonly steps: number,
    held: bigint[],
  ) {
    this.#held = held;
  }

  static first(task: Task): Position {
    const held = new Array<bigint>(countOf(task) * task.links.nodes).fill(0n);
    const { origin, kind } = task.messages;
    for (let packet = 0; packet < countOf(task); packet++) {
      const from = origin[messageOf(task, packet)]!;
      if (kind !== "sums") held[packet * task.links.nodes + from] = 1n;
      else for (const node of task.links.members) held[packet * task.links.nodes + node] = bit(node);
    }
    return new Position(task, 0, held);
  }

  /** The part of the packet that `node` has: 0n nothing; for sums the nodes whose shares it has. */
  held(node: number, packet: number): bigint {
    return this.#held[packet * this.task.links.nodes + node]!;
  }

  has(node: number, packet: number): boolean {
    return this.held(node, packet) !== 0n;
  }

  /** Whether the node needs the packet in the end. */
  needs(node: number, packet: number): boolean {
    const target = this.task.messages.target[messageOf(this.task, packet)]!;
    return target < 0 ? this.task.links.members.has(node) : node === target;
  }

  /** A complete sum. */
  get everybody(): bigint {
    let all = 0n;
    for (const node of this.task.links.members) all |= bit(node);
    return all;
  }

  satisfied(node: number, packet: number): boolean {
    return this.task.messages.kind === "sums" ? this.held(node, packet) === this.everybody : this.has(node, packet);
  }

  /** Node and packet of every need that is left. */
  *lacking(): Iterable<[number, number]> {
    for (let packet = 0; packet < countOf(this.task); packet++) {
      const target = this.task.messages.target[messageOf(this.task, packet)]!;
      for (const node of target < 0 ? this.task.links.members : [target])
        if (!this.satisfied(node, packet)) yield [node, packet];
    }
  }

  get complete(): boolean {
    for (const _ of this.lacking()) return false;
    return true;
  }

  /** The position after a step with these moves, or the mistake in them. */
  after(moves: readonly Move[]): Position | Wrong {
    const step = new Step(this, this.#held.slice());
    for (const move of sorted(this.task, moves)) {
      const wrong = step.play(move);
      if (wrong) return wrong;
    }
    return new Position(this.task, this.steps + 1, step.held);
  }
}

/** One step while it is judged. */
class Step {
  readonly #used = new Set<number>();
  readonly #sent = new Set<number>();
  readonly #received = new Set<number>();
  /** Sums: the shares that came in this step, by place. */
  readonly #came = new Map<number, bigint[]>();
  readonly #task: Task;

  constructor(
    private readonly before: Position,
    readonly held: bigint[],
  ) {
    this.#task = before.task;
  }

  play(move: Move): Wrong | null {
    const {
      links,
      messages: { kind },
    } = this.#task;
    const [from, to] = [links.from[move.link]!, links.to[move.link]!];
    return (
      this.#free(move, from, to) ?? (kind === "sums" ? this.#addUp(move, from, to) : this.#deliver(move, from, to))
    );
  }

  get #number(): number {
    return this.before.steps + 1;
  }

  #free(move: Move, from: number, to: number): Wrong | null {
    if (this.#used.has(move.link))
      return {
        move,
        rule: "busy",
        words: `a second packet from node ${from} over port ${this.#task.links.port[move.link]!} in step ${this.#number}`,
      };
    this.#used.add(move.link);
    if (!this.#task.onePort) return null;
    const second = (how: string, node: number): Wrong => ({
      move,
      rule: "port",
      words: `node ${node}, which has one port, ${how} a second packet in step ${this.#number}`,
    });
    if (this.#sent.has(from)) return second("sends", from);
    this.#sent.add(from);
    if (this.#received.has(to)) return second("receives", to);
    this.#received.add(to);
    return null;
  }

  #deliver(move: Move, from: number, to: number): Wrong | null {
    const { packet } = move;
    const bytes = bytesOf(this.#task, packet);
    const origin = this.#task.messages.origin[messageOf(this.#task, packet)]!;
    if (from !== origin && !this.before.has(from, packet))
      return {
        move,
        rule: "absent",
        words: `node ${from} sends ${bytes} in step ${this.#number} but does not have it yet`,
      };
    if (to === origin) return { move, rule: "home", words: `${bytes} is delivered to node ${to}, where it comes from` };
    const place = packet * this.#task.links.nodes + to;
    if (this.held[place]) return { move, rule: "twice", words: `${bytes} is delivered to node ${to} twice` };
    this.held[place] = 1n;
    return null;
  }

  /** A node sends all that it held when the step began; the receiver adds it to all that it has. */
  #addUp(move: Move, from: number, to: number): Wrong | null {
    const { packet } = move;
    const bytes = bytesOf(this.#task, packet);
    const all = this.before.everybody;
    const [sent, has] = [this.before.held(from, packet), this.before.held(to, packet)];
    const place = packet * this.#task.links.nodes + to;
    const came = this.#came.get(place) ?? [];
    if (has === all)
      return { move, rule: "complete", words: `${bytes} is delivered to node ${to}, which has it complete` };
    const twice = (sent === all ? 0n : sent & has) || (came.map((one) => sent & one).find(Boolean) ?? 0n);
    if (twice)
      return {
        move,
        rule: "counted",
        words: `contribution counted twice: node ${lowest(twice)}'s, in ${bytes} at node ${to}`,
      };
    this.#came.set(place, [...came, sent]);
    this.held[place] = this.held[place]! | sent;
    return null;
  }
}

export const isWrong = (result: Position | Wrong): result is Wrong => !(result instanceof Position);

/** The reason why a schedule that ends here does not achieve the collective; "" if it does. */
export function missing(position: Position): string {
  const { task } = position;
  // The judge looks node by node where all need something.
  const [first] = [...position.lacking()].sort(([a, p], [b, q]) => a - b || p - q);
  if (!first) return "";
  const [node, packet] = first;
  if (task.messages.kind !== "sums") return `node ${node} never received ${bytesOf(task, packet)}`;
  return (
    `at the end node ${node} lacks node ${lowest(position.everybody & ~position.held(node, packet))}'s ` +
    `contribution to ${bytesOf(task, packet)}`
  );
}

/** The trace's lines; a piece of a sum is all that its sender holds. `ports`: whether lines name the port. */
export function traceLines(task: Task, steps: readonly (readonly Move[])[], ports = true): string[] {
  const { links, messages, bytes } = task;
  return steps.flatMap((moves, i) =>
    sorted(task, moves).map(({ link, packet }) => {
      const message = messageOf(task, packet);
      const end = (node: number): number | null => (node < 0 ? null : node);
      const piece = {
        origin: end(messages.origin[message]!),
        target: end(messages.target[message]!),
        offset: partOf(task, packet) * bytes,
        length: bytes,
      };
      return JSON.stringify({
        step: i + 1,
        from: links.from[link],
        to: links.to[link],
        ...(ports ? { port: links.port[link] } : {}),
        bytes,
        pieces: [piece],
      });
    }),
  );
}
