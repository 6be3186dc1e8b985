// The way of the packet that sets out last: the sender, the receiver and the time of each hop. For sums, the time at which
// each share sets out.

import type { Film } from "../viewer/film";

export interface Growth {
  /** The part of the message. */
  part: number;
  /** Steps after the packet has set out until a node has it; reversed: between its share's last send and the end; -1: never. */
  step: number[];
  /** The node that it comes from, or goes to, and the link between them; -1: none. */
  parent: number[];
  link: number[];
  /** The step in which the first of the packets is sent; reversed: the last of them. */
  first: number;
}

/** Whether a row brings the root's packet, or a sum with its share. */
const holds = ({ data, rows }: Film, row: number, root: number): boolean =>
  data.messages.kind !== "sums" || data.sets![rows.set[row]!]!.includes(root);

export function grownBy(film: Film, root: number, reversed: boolean): Growth {
  const { packets, rows, network, data } = film;
  const target = data.messages.kind === "sums" && data.messages.sums!.length > 1 ? data.messages.sums!.length : 1;
  const of = (row: number, part: number): boolean =>
    rows.part[row]! <= part && part < rows.part[row]! + rows.count[row]!;
  const trace = (part: number, sum: number): Growth => {
    const [step, parent, link] = [0, 1, 2].map(() => Array<number>(network.nodes).fill(-1)) as [
      number[],
      number[],
      number[],
    ];
    step[root] = 0;
    const order = reversed ? [...film.order].reverse() : [...film.order];
    let first = -1;
    for (const packet of order) {
      const [from, to] = reversed ? [film.to(packet), film.from(packet)] : [film.from(packet), film.to(packet)];
      for (let row = packets.first[packet]!; row < packets.first[packet + 1]!; row++) {
        if (
          !of(row, part) ||
          (target > 1 && rows.target[row] !== sum) ||
          step[to]! >= 0 ||
          step[from]! < 0 ||
          (!reversed && !holds(film, row, root))
        )
          continue;
        if (first < 0) first = packets.step[packet]!;
        [step[to], parent[to], link[to]] = [Math.abs(packets.step[packet]! - first) + 1, from, packets.link[packet]!];
      }
    }
    return { part, step, parent, link, first };
  };
  let found = trace(0, 0);
  for (let part = 0; part < Math.min(data.messages.parts, 64); part++)
    for (let sum = 0; sum < Math.min(target, 64); sum++) {
      const other = trace(part, sum);
      if (other.first >= 0 && (reversed ? other.first < found.first : other.first > found.first)) found = other;
    }
  const late = Math.max(...found.step) + 1;
  found.step = found.step.map((step) => (step < 0 ? late : step));
  return found;
}
