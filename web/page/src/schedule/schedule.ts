// A film's schedule as a list of hops: packet, port and step. Where all nodes do the same, seen from
// themselves, node 0's packets stand for all nodes', and a packet is named by the way from its origin to its target.

import type { Film } from "../viewer/film";

export interface Hop {
  packet: number;
  /** The packet's name in the table. */
  name: string;
  step: number;
  port: number;
}

export interface Schedule {
  hops: Hop[];
  /** Names of the packets, in the order of their numbers. */
  names: string[];
  /** Numbers of the ports that there are, in their order. */
  ports: number[];
  steps: number;
  /** All nodes do the same: the hops are those of node 0's packets, wherever they are. */
  symmetric: boolean;
  /** Otherwise the hops are over the links of this node, */
  node: number;
  /** leading to it, or leaving it. */
  inwards: boolean;
}

/** A table of more hops could not be read. */
export const MOST_HOPS = 1100;

/** Null: there are no packets, or too many. `chosen` is the node that is asked for; -1: the film's root. */
export function scheduleOf(film: Film, chosen: number): Schedule | null {
  if (!film.hasPackets || film.packets.count === 0) return null;
  const made = symmetric(film) ?? ofNode(film, chosen);
  return made.hops.length > 0 && made.hops.length <= MOST_HOPS ? made : null;
}

function collected(
  film: Film,
  hops: Hop[],
  order: Map<string, number>,
  rest: Pick<Schedule, "symmetric" | "node" | "inwards">,
): Schedule {
  const names = [...order.keys()].sort((a, b) => order.get(a)! - order.get(b)!);
  const node = rest.symmetric ? 0 : rest.node;
  const ports = film.network.leaving(node).map((link) => film.network.port[link]!);
  return { hops, names, ports, steps: film.data.steps, ...rest };
}

/** The schedule of node 0's packets, if every other node's are the same ones, moved. */
function symmetric(film: Film): Schedule | null {
  const { rows, packets, network, data } = film;
  const { kind, pairs, parts } = data.messages;
  const single = rows.step.length === packets.count && !rows.count.some((count) => count !== 1);
  if (kind !== "moves" || pairs !== "all" || data.network.relative === "plain" || !single || !data.verdict.accepted)
    return null;
  const hops: Hop[] = [];
  const order = new Map<string, number>();
  const own = new Set<number>();
  // A hop as one number; links and steps make each of them different.
  const key = (packet: number): number => {
    const way = network.relative(rows.target[packet]!, rows.origin[packet]!) * parts + rows.part[packet]!;
    return (way * network.ports + network.port[packets.link[packet]!]!) * (data.steps + 1) + packets.step[packet]!;
  };
  for (let packet = 0; packet < packets.count; packet++) {
    if (rows.origin[packet] !== 0) continue;
    const [way, part] = [rows.target[packet]!, rows.part[packet]!];
    const name = wayWords(film, way) + (parts > 1 ? `.${part + 1}` : "");
    order.set(name, way * parts + part);
    own.add(key(packet));
    hops.push({ packet, name, step: packets.step[packet]!, port: network.port[packets.link[packet]!]! });
    if (hops.length > MOST_HOPS) return null;
  }
  if (packets.count !== hops.length * network.members.size) return null;
  for (let packet = 0; packet < packets.count; packet++) if (!own.has(key(packet))) return null;
  return collected(film, hops, order, { symmetric: true, node: 0, inwards: false });
}

function ofNode(film: Film, chosen: number): Schedule {
  const { network, packets, data } = film;
  const { kind, pairs, origins, sums } = data.messages;
  const to =
    typeof pairs === "object" && "to" in pairs
      ? pairs.to
      : kind === "sums" && sums!.length === 1
        ? (sums![0] ?? -1)
        : -1;
  const from = typeof pairs === "object" && "from" in pairs ? pairs.from : Array.isArray(origins) ? origins[0]! : -1;
  const root = Math.max(to, from);
  const node = chosen >= 0 ? chosen : root >= 0 ? root : Math.min(...network.members);
  const inwards = chosen < 0 && to >= 0;
  const hops: Hop[] = [];
  const order = new Map<string, number>();
  for (const leaving of network.leaving(node)) {
    for (const packet of film.onLink(inwards ? leaving ^ 1 : leaving)) {
      const row = packets.first[packet]!;
      const more = packets.first[packet + 1]! - row - 1;
      const name = nameOf(film, row) + (more > 0 ? ` +${more}` : "");
      order.set(name, order.get(name) ?? order.size);
      hops.push({ packet, name, step: packets.step[packet]!, port: network.port[leaving]! });
    }
  }
  return collected(film, hops, order, { symmetric: false, node, inwards });
}

/** A table's name for the packet with this row. */
function nameOf(film: Film, row: number): string {
  const { kind, pairs, origins, parts, signals } = film.data.messages;
  if (signals) return "signal";
  const [origin, target, part] = [film.rows.origin[row]!, film.rows.target[row]!, film.rows.part[row]!];
  const piece = parts > 1 ? String(part + 1) : "";
  if (kind === "sums")
    return `\u03a3${piece || (film.data.messages.sums!.length > 1 ? nodeWords(film, film.data.messages.sums![target] ?? target) : "")}`;
  if (kind === "copies")
    return origins === "all" ? nodeWords(film, origin) + (piece && `.${piece}`) : piece || nodeWords(film, origin);
  const dot = piece && `.${piece}`;
  if (typeof pairs === "object" && "from" in pairs) return nodeWords(film, target) + dot;
  if (typeof pairs === "object" && "to" in pairs) return nodeWords(film, origin) + dot;
  return `${origin}\u2192${target}${dot}`;
}

/** A node's number, in binary on cubes. */
export function nodeWords(film: Film, node: number): string {
  const { nodes } = film.network;
  const cube = film.data.network.relative === "xor" && nodes <= 256 && (nodes & (nodes - 1)) === 0;
  return cube ? node.toString(2).padStart(Math.log2(nodes), "0") : String(node);
}

/** The way from an origin to a target: the bits that change, or how far along each ring. */
export function wayWords(film: Film, way: number): string {
  const { relative } = film.data.network;
  if (typeof relative !== "object") return nodeWords(film, way);
  const steps: string[] = [];
  for (const size of [...relative.digits].reverse()) {
    const digit = way % size;
    way = Math.floor(way / size);
    steps.unshift(digit === 0 ? "0" : 2 * digit <= size ? `+${digit}` : `\u2212${size - digit}`);
  }
  return steps.join(",");
}
