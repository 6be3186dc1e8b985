// "Everybody does the same": on networks that look alike from every node, one tap schedules the image of its hop at all
// nodes. A schedule of that kind is one node's, moved.

import { range } from "../kit/numbers";
import { Network } from "../viewer/network";
import type { BoardData } from "./document";
import { firstOf, messageOf, partOf, type Move, type Task } from "./rules";

export class Symmetry {
  /** By node to which node 0 is moved: the images of all directed links, and of all messages. */
  private constructor(
    private readonly task: Task,
    private readonly links: readonly Int32Array[],
    private readonly messages: readonly Int32Array[],
    private readonly relative: Network,
  ) {}

  /** null: the network does not look alike from every node, the collective has a root, or messages differ. */
  static of({ film }: BoardData, task: Task): Symmetry | null {
    const network = new Network(film.network);
    const { origin, target } = task.messages;
    if (task.messages.lengths || film.network.relative === "plain" || network.lacksSome || network.directed === 0)
      return null;
    const number = new Map(origin.map((from, message) => [`${from} ${target[message]}`, message]));
    const moved = (node: number, by: number): number => (node < 0 ? node : network.absolute(node, by));
    const links: Int32Array[] = [];
    const messages: Int32Array[] = [];
    for (const by of range(network.nodes)) {
      const images = range(network.directed).map((link) =>
        network.linkOf(moved(network.from[link]!, by), network.port[link]!),
      );
      if (images.some((image, link) => network.to[image] !== moved(network.to[link]!, by))) return null;
      const named = origin.map((from, message) => number.get(`${moved(from, by)} ${moved(target[message]!, by)}`));
      if (named.includes(undefined)) return null;
      links.push(Int32Array.from(images));
      messages.push(Int32Array.from(named as number[]));
    }
    return new Symmetry(task, links, messages, network);
  }

  /** The hop at every node, as each sees it from itself; the first is the hop itself. */
  images({ link, packet }: Move): Move[] {
    const here = messageOf(this.task, packet);
    return this.links.map((links, by) => ({
      link: links[link]!,
      packet: firstOf(this.task, this.messages[by]![here]!) + partOf(this.task, packet),
    }));
  }

  /** The hop of that kind that leaves node 0. */
  atZero(move: Move): Move {
    const { from } = this.task.links;
    return this.images(move).find(({ link }) => from[link] === 0)!;
  }

  /** The moves that leave node 0, if the others are their images; else null. */
  ofZero(moves: readonly Move[]): Move[] | null {
    const own = moves.filter(({ link }) => this.task.links.from[link] === 0);
    const key = ({ link, packet }: Move): string => `${link} ${packet}`;
    const all = new Set(own.flatMap((move) => this.images(move)).map(key));
    return all.size === moves.length && moves.every((move) => all.has(key(move))) ? own : null;
  }

  /** The way of a packet from its origin to its target, as its origin sees it; of what all get, from the origin. */
  way(packet: number): number {
    const message = messageOf(this.task, packet);
    const [origin, target] = [this.task.messages.origin[message]!, this.task.messages.target[message]!];
    if (origin < 0 || target < 0) return this.relative.relative(Math.max(origin, target), 0);
    return this.relative.relative(target, origin);
  }
}
