// The links between nodes. Directed link 2i is u -> v of link i, 2i + 1 is v -> u.

import { Unreadable } from "../kit/columns";
import type { Network as NetworkData } from "./document";

export class Network {
  readonly nodes: number;
  readonly directed: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly port: Int32Array;
  readonly dimension: Int32Array;
  readonly ports: number;
  readonly switches: ReadonlySet<number>;
  readonly members: Set<number>;
  readonly #byPort: Int32Array;
  #distances: (Uint8Array | undefined)[] = [];
  readonly diameter: number;
  readonly #sizes: readonly number[];

  constructor(readonly data: NetworkData) {
    const count = data.links.length / 5;
    this.#sizes = typeof data.relative === "object" ? [...data.relative.digits].reverse() : [];
    this.nodes = data.nodes;
    this.directed = 2 * count;
    this.from = new Int32Array(2 * count);
    this.to = new Int32Array(2 * count);
    this.port = new Int32Array(2 * count);
    this.dimension = new Int32Array(2 * count);
    let ports = 0;
    for (let i = 0; i < count; i++) {
      const [there, back] = [2 * i, 2 * i + 1];
      this.from[there] = this.to[back] = data.links[5 * i]!;
      this.to[there] = this.from[back] = data.links[5 * i + 1]!;
      this.port[there] = data.links[5 * i + 2]!;
      this.port[back] = data.links[5 * i + 3]!;
      this.dimension[there] = this.dimension[back] = data.links[5 * i + 4]!;
      ports = Math.max(ports, this.port[there]! + 1, this.port[back]! + 1);
    }
    this.switches = new Set(data.switches);
    this.members = new Set(this.from);
    for (const node of this.switches) this.members.delete(node);
    if (ports * data.nodes > 2 ** 24) throw new Unreadable("the network has too many ports");
    this.ports = ports;
    this.#byPort = new Int32Array(data.nodes * ports).fill(-1);
    for (let link = 0; link < 2 * count; link++) this.#byPort[this.from[link]! * ports + this.port[link]!] = link;
    this.diameter = this.distanceTo(this.from[0] ?? 0).reduce((a, b) => (b < 255 ? Math.max(a, b) : a), 1);
  }

  /** The directed link that leaves `node` by `port`, or -1. */
  linkOf(node: number, port: number): number {
    return port >= 0 && port < this.ports ? this.#byPort[node * this.ports + port]! : -1;
  }

  /** Whether the network lacks the node: it has no links, and others have. */
  lacks(node: number): boolean {
    return this.directed > 0 && !this.members.has(node) && !this.switches.has(node);
  }

  get lacksSome(): boolean {
    return this.directed > 0 && this.members.size + this.switches.size < this.nodes;
  }

  /** The directed links that leave `node`. */
  leaving(node: number): number[] {
    const links: number[] = [];
    for (let port = 0; port < this.ports; port++) {
      const link = this.linkOf(node, port);
      if (link >= 0) links.push(link);
    }
    return links;
  }

  /** The node that `value` means when `sender` writes it; the first digit is the most significant. */
  absolute(value: number, sender: number): number {
    const { relative } = this.data;
    if (relative === "xor") return value >= 0 ? value ^ sender : -1;
    if (relative === "plain") return value;
    let [node, weight, rest, digits] = [0, 1, value, sender];
    for (const size of this.#sizes) {
      node += (((rest % size) + (digits % size)) % size) * weight;
      weight *= size;
      rest = Math.floor(rest / size);
      digits = Math.floor(digits / size);
    }
    return value >= 0 ? node : -1;
  }

  /** The number that `sender` writes for `node`: the inverse of `absolute`. */
  relative(node: number, sender: number): number {
    const { relative } = this.data;
    if (relative === "xor") return node ^ sender;
    if (relative === "plain") return node;
    let [value, weight] = [0, 1];
    for (const size of this.#sizes) {
      value += (((node % size) - (sender % size) + size) % size) * weight;
      weight *= size;
      node = Math.floor(node / size);
      sender = Math.floor(sender / size);
    }
    return value;
  }

  /** Links from every node to `target`. */
  distanceTo(target: number): Uint8Array {
    const known = this.#distances[target];
    if (known) return known;
    const distance = new Uint8Array(this.nodes).fill(255);
    const queue = new Int32Array(this.nodes);
    distance[target] = 0;
    queue[0] = target;
    for (let head = 0, tail = 1; head < tail; head++) {
      const node = queue[head]!;
      for (let port = 0; port < this.ports; port++) {
        const link = this.#byPort[node * this.ports + port]!;
        if (link < 0 || distance[this.to[link]!]! !== 255) continue;
        distance[this.to[link]!] = Math.min(254, distance[node]! + 1);
        queue[tail++] = this.to[link]!;
      }
    }
    // 2^22 bytes of distances at most are kept.
    if (this.#distances.length === 0 || this.nodes <= 2048) this.#distances[target] = distance;
    return distance;
  }
}
