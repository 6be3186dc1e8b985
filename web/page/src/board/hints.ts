// Hints: the rest of a schedule from where the board is, and a packet of it for the step that is being made. Schedules
// are found by many quick tries, in which the farthest and the rarest packets go first; one that is as short as the lower
// bound is a best one. Sums are broadcasts run backwards, and on cubes a best total exchange is known by a formula.

import { chanceOf, pick, shuffled, type Chance } from "../kit/chance";
import { range } from "../kit/numbers";
import type { Network } from "../viewer/network";
import { countOf, isWrong, messageOf, Position, type Move, type Task } from "./rules";

export interface Hint {
  /** null: this step needs nothing more. */
  readonly move: Move | null;
  /** Steps of the schedule in all, and whether none can be shorter. */
  readonly steps: number;
  readonly best: boolean;
}

/** Tries are counted in packets looked at, so that a hint is the same on every machine. */
const WORK = 1_000_000;
const MOST_TRIES = 400;

/** The facts of a task that need no try. */
class Ground {
  readonly distance: Uint8Array[];
  readonly leaving: number[][];

  constructor(
    readonly task: Task,
    readonly network: Network,
  ) {
    const nodes = range(network.nodes);
    this.distance = nodes.map((node) => network.distanceTo(node));
    this.leaving = nodes.map((node) => network.leaving(node));
  }

  target(packet: number): number {
    return this.task.messages.target[messageOf(this.task, packet)]!;
  }
}

/** One try: a schedule made step by step, with chance where nothing else decides. */
class Try {
  readonly steps: Move[][] = [];
  work = 0;
  #has: Uint8Array;
  /** Blocks that have left a node, and sums that have been passed on. */
  #gone: Uint8Array;
  #used = new Set<number>();
  #sent = new Set<number>();
  #received = new Set<number>();
  /** Packets on their way in this step: no second one is needed there. */
  #came = new Set<number>();
  /** Sums: the neighbour to which a node passes a packet's sum. */
  #parent: Int32Array;
  readonly #nodes: number;
  /** The packets of one message may go a longer way where the short ones are taken. */
  readonly #detours: boolean;

  constructor(
    private readonly ground: Ground,
    position: Position,
    past: readonly (readonly Move[])[],
    private readonly chance: Chance,
  ) {
    const { task } = ground;
    this.#nodes = task.links.nodes;
    const count = countOf(task);
    this.#has = Uint8Array.from({ length: count * this.#nodes }, (_, place) =>
      position.has(place % this.#nodes, Math.floor(place / this.#nodes)) ? 1 : 0,
    );
    this.#gone = new Uint8Array(count * this.#nodes);
    this.#parent = new Int32Array(count * this.#nodes).fill(-1);
    for (const moves of past)
      for (const { link, packet } of moves) this.#left(packet, task.links.from[link]!, task.links.to[link]!);
    this.#detours = task.messages.origin.length === 1 && chance() < 0.7;
    if (task.messages.kind === "sums") this.#chooseParents();
  }

  /** The whole rest, or null if it takes more than `most` steps or cannot be found. `first` moves are made already. */
  run(first: readonly Move[], most: number): Move[][] | null {
    for (let step = 0; step < most; step++) {
      for (const marks of [this.#used, this.#sent, this.#received, this.#came]) marks.clear();
      const moves: Move[] = [];
      const put = (link: number, packet: number): void => {
        const { from, to } = this.ground.task.links;
        this.#used.add(link);
        this.#sent.add(from[link]!);
        this.#received.add(to[link]!);
        this.#came.add(this.#place(packet, to[link]!));
        moves.push({ link, packet });
      };
      if (step === 0) for (const { link, packet } of first) put(link, packet);
      const { kind } = this.ground.task.messages;
      if (kind === "copies") this.#copy(put);
      else if (kind === "moves") this.#move(put);
      else this.#add(put, step === 0 ? first : []);
      if (moves.length === 0) return null;
      this.steps.push(moves);
      for (const place of this.#came) this.#has[place] = 1;
      for (const { link, packet } of moves)
        this.#left(packet, this.ground.task.links.from[link]!, this.ground.task.links.to[link]!);
      if (this.#done()) return this.steps;
    }
    return null;
  }

  #free(link: number): boolean {
    const { links, onePort } = this.ground.task;
    return (
      !this.#used.has(link) && !(onePort && (this.#sent.has(links.from[link]!) || this.#received.has(links.to[link]!)))
    );
  }

  #place(packet: number, node: number): number {
    return packet * this.#nodes + node;
  }

  #left(packet: number, from: number, to: number): void {
    this.#gone[this.#place(packet, from)] = 1;
    this.#gone[this.#place(packet, to)] = 0;
  }

  #done(): boolean {
    const { task } = this.ground;
    for (let packet = 0; packet < countOf(task); packet++) {
      const target = this.ground.target(packet);
      if (task.messages.kind === "sums") {
        for (const node of task.links.members)
          if (node !== target && !this.#gone[this.#place(packet, node)]) return false;
      } else if (target >= 0) {
        if (!this.#has[this.#place(packet, target)]) return false;
      } else for (const node of task.links.members) if (!this.#has[this.#place(packet, node)]) return false;
    }
    return true;
  }

  /** Copies: over every link the packet that the fewest nodes have. */
  #copy(put: (link: number, packet: number) => void): void {
    const { task } = this.ground;
    const count = countOf(task);
    const holders = new Int32Array(count);
    for (let packet = 0; packet < count; packet++)
      for (let node = 0; node < this.#nodes; node++) if (this.#has[this.#place(packet, node)]) holders[packet]!++;
    for (const link of shuffled(range(this.ground.network.directed), this.chance)) {
      if (!this.#free(link)) continue;
      const [from, to] = [task.links.from[link]!, task.links.to[link]!];
      let [best, found] = [Infinity, -1];
      this.work += count;
      for (let packet = 0; packet < count; packet++) {
        const place = this.#place(packet, to);
        if (!this.#has[this.#place(packet, from)] || this.#has[place] || this.#came.has(place)) continue;
        const rare = holders[packet]! + this.chance();
        if (rare < best) [best, found] = [rare, packet];
      }
      if (found < 0) continue;
      put(link, found);
      holders[found]!++;
    }
  }

  /** Blocks: those that have farthest to go first, over links that bring them nearer. */
  #move(put: (link: number, packet: number) => void): void {
    const { task, distance, leaving } = this.ground;
    const moving = new Set([...this.#came].map((place) => Math.floor(place / this.#nodes)));
    const waiting: { packet: number; node: number; far: number }[] = [];
    for (let packet = 0; packet < countOf(task); packet++) {
      const target = this.ground.target(packet);
      if (this.#has[this.#place(packet, target)] || moving.has(packet)) continue;
      for (let node = 0; node < this.#nodes; node++) {
        const place = this.#place(packet, node);
        if (this.#has[place] && !this.#gone[place])
          waiting.push({ packet, node, far: distance[target]![node]! + this.chance() * 0.9 });
      }
    }
    this.work += waiting.length * 4;
    for (const { packet, node } of waiting.sort((a, b) => b.far - a.far)) {
      const to = this.ground.target(packet);
      const free = leaving[node]!.filter((link) => this.#free(link));
      const nearer = free.filter((link) => distance[to]![task.links.to[link]!]! < distance[to]![node]!);
      const ways = nearer.length === 0 && this.#detours ? free : nearer;
      const link = pick(ways, this.chance);
      if (link !== undefined) put(link, packet);
    }
  }

  /** Sums: a node passes its sum on when all expected shares have come. */
  #add(put: (link: number, packet: number) => void, first: readonly Move[]): void {
    const { task, distance } = this.ground;
    const now = new Set(first.map(({ link, packet }) => this.#place(packet, task.links.from[link]!)));
    const ready: { packet: number; node: number; far: number }[] = [];
    for (let packet = 0; packet < countOf(task); packet++) {
      const waitsFor = new Set<number>();
      for (const node of task.links.members)
        if (!this.#gone[this.#place(packet, node)]) waitsFor.add(this.#parent[this.#place(packet, node)]!);
      const target = this.ground.target(packet);
      for (const node of task.links.members) {
        const place = this.#place(packet, node);
        if (node === target || this.#gone[place] || waitsFor.has(node) || now.has(place)) continue;
        ready.push({ packet, node, far: distance[target]![node]! + this.chance() * 0.9 });
      }
    }
    this.work += ready.length * 6;
    for (const { packet, node } of ready.sort((a, b) => b.far - a.far)) {
      const to = this.#parent[this.#place(packet, node)]!;
      const link = this.ground.leaving[node]!.find((one) => task.links.to[one] === to && this.#free(one));
      if (link !== undefined) put(link, packet);
    }
  }

  /** Every node that still has something to pass on chooses a neighbour that is nearer to the sum's target. */
  #chooseParents(): void {
    const { task, distance, leaving } = this.ground;
    for (let packet = 0; packet < countOf(task); packet++) {
      const target = this.ground.target(packet);
      for (const node of task.links.members) {
        const nearer = leaving[node]!.map((link) => task.links.to[link]!).filter(
          (to) =>
            distance[target]![to]! < distance[target]![node]! &&
            (to === target || !this.#gone[this.#place(packet, to)]),
        );
        this.#parent[this.#place(packet, node)] = pick(nearer, this.chance) ?? -1;
      }
    }
  }
}

/** Total exchange on a cube: a target and its opposite need every port once, and the pairs pass the ports one after the other. */
function staircase(ground: Ground): Move[][] | null {
  const { task, network } = ground;
  const d = Math.log2(network.nodes);
  const { messages, packets, onePort } = task;
  const isCube =
    Number.isInteger(d) &&
    network.ports === d &&
    network.directed === network.nodes * d &&
    range(network.directed).every((link) => (network.from[link]! ^ network.to[link]!) === 1 << network.port[link]!);
  if (
    !isCube ||
    d === 0 ||
    messages.kind !== "moves" ||
    packets > 1 ||
    onePort ||
    messages.origin.length !== network.nodes ** 2
  )
    return null;
  const length = network.nodes / 2;
  const steps: Move[][] = Array.from({ length }, () => []);
  for (let origin = 0; origin < network.nodes; origin++) {
    for (let mask = 1; mask < network.nodes; mask++) {
      const pair = (mask >= length ? ~mask : mask) & (length - 1);
      const hops = range(d)
        .filter((port) => mask & (1 << port))
        .map((port) => ({ port, step: (pair + port) % length }));
      let node = origin;
      for (const { port, step } of hops.sort((a, b) => a.step - b.step)) {
        steps[step]!.push({ link: network.linkOf(node, port), packet: origin * network.nodes + (origin ^ mask) });
        node ^= 1 << port;
      }
    }
  }
  return steps;
}

/** Whether the judge would accept these steps. */
function isPossible(from: Position, steps: readonly (readonly Move[])[]): boolean {
  let position = from;
  for (const moves of steps) {
    const next = position.after(moves);
    if (isWrong(next)) return false;
    position = next;
  }
  return position.complete;
}

const same = (a: Move, b: Move): boolean => a.link === b.link && a.packet === b.packet;

export class Hints {
  readonly #ground: Ground;
  #plan: Move[][] | null = null;
  #known: (Move[][] | null)[] | undefined;

  constructor(
    private readonly task: Task,
    network: Network,
  ) {
    this.#ground = new Ground(task, network);
  }

  /** For the step with these moves after `past`; `bound`: steps that no schedule is shorter than. null: none was found. */
  next(position: Position, past: readonly (readonly Move[])[], moves: readonly Move[], bound: number): Hint | null {
    if (position.complete || isWrong(position.after(moves))) return null;
    if (!this.#fits(past, moves)) this.#plan = this.#found(position, past, moves, bound);
    if (!this.#plan) return null;
    const move = this.#plan[past.length]!.find((one) => !moves.some((made) => same(one, made))) ?? null;
    return { move, steps: this.#plan.length, best: this.#plan.length <= bound };
  }

  /** Whether the plan that was followed so far still is: its past steps are these, and the moves are among its next ones. */
  #fits(past: readonly (readonly Move[])[], moves: readonly Move[]): boolean {
    const plan = this.#plan;
    if (!plan || past.length >= plan.length) return false;
    const whole = past.every(
      (made, i) => made.length === plan[i]!.length && made.every((one) => plan[i]!.some((other) => same(one, other))),
    );
    return whole && moves.every((made) => plan[past.length]!.some((one) => same(one, made)));
  }

  /** A schedule that is known from its start, if this is on its way, or else the best of many tries. */
  #found(
    position: Position,
    past: readonly (readonly Move[])[],
    moves: readonly Move[],
    bound: number,
  ): Move[][] | null {
    this.#known ??= [staircase(this.#ground), this.#backwards(bound)];
    for (const known of this.#known) {
      this.#plan = known;
      if (this.#fits(past, moves)) return known;
    }
    return search(this.#ground, position, past, moves, bound);
  }

  /** A sum is a broadcast run backwards, where copies are added up. */
  #backwards(bound: number): Move[][] | null {
    const { messages } = this.task;
    if (messages.kind !== "sums") return null;
    const task: Task = { ...this.task, messages: { kind: "copies", origin: messages.target, target: messages.origin } };
    const steps = search(new Ground(task, this.#ground.network), Position.first(task), [], [], bound);
    return steps?.reverse().map((moves) => moves.map(({ link, packet }) => ({ link: link ^ 1, packet }))) ?? null;
  }
}

/** The best of many tries, with the past before it. */
function search(
  ground: Ground,
  position: Position,
  past: readonly (readonly Move[])[],
  moves: readonly Move[],
  bound: number,
): Move[][] | null {
  const before = past.map((step) => [...step]);
  let best: Move[][] | null = null;
  let work = 0;
  for (let seed = 1; seed <= MOST_TRIES && work < WORK; seed++) {
    const one = new Try(ground, position, past, chanceOf(seed));
    const rest = one.run(moves, best ? best.length - before.length - 1 : 8 * ground.task.links.nodes);
    work += one.work + ground.task.links.nodes * 4;
    if (rest && isPossible(position, rest)) best = [...before, ...rest];
    if (best && best.length <= bound) break;
  }
  return best;
}
