// A board's schedule as a film: the packets of the steps so far, and of the one that is being made.

import { range } from "../kit/numbers";
import type { FilmData } from "../viewer/document";
import { Film, type Packets, type Rows } from "../viewer/film";
import type { Holding } from "../viewer/holding";
import type { Network } from "../viewer/network";
import { firstHolding } from "../viewer/replay";
import { bit, messageOf, partOf, type Move, type Position, type Task } from "./rules";

/** A step with its moves, and the nodes' packets before it. */
export interface Played {
  readonly before: Position;
  readonly moves: readonly Move[];
}

/** The nodes whose shares are in it, as stretches. */
const stretches = (set: bigint, nodes: number): number[] =>
  range(nodes)
    .filter((node) => set & bit(node))
    .flatMap((node) => [node, node]);

export function filmOf(data: FilmData, network: Network, task: Task, steps: readonly Played[]): Film {
  const { kind, origin, target } = task.messages;
  const all = steps.flatMap(({ before, moves }, i) => moves.map((move) => ({ ...move, before, step: i + 1 })));
  const column = (value: (move: (typeof all)[number], row: number) => number): Int32Array =>
    Int32Array.from(all, value);
  const message = ({ packet }: Move): number => messageOf(task, packet);
  const rows: Rows = {
    step: column(({ step }) => step),
    from: column(({ link }) => network.from[link]!),
    port: column(({ link }) => network.port[link]!),
    part: column(({ packet }) => partOf(task, packet)),
    count: column(() => 1),
    set: column((_, row) => row),
    origin: column((move) => origin[message(move)]!),
    target: column((move) => (kind === "sums" ? message(move) : target[message(move)]!)),
  };
  const packets: Packets = {
    count: all.length,
    first: Int32Array.from(range(all.length + 1)),
    step: rows.step,
    link: column(({ link }) => link),
    start: Float64Array.from(all, ({ step }) => step - 1),
    end: Float64Array.from(all, ({ step }) => step),
  };
  const sets =
    kind === "sums"
      ? all.map(({ link, packet, before }) => stretches(before.held(network.from[link]!, packet), network.nodes))
      : [];
  // The judge lets nodes send copies of packets that only one node needs.
  const messages = { ...data.messages, copied: true };
  return new Film(
    { ...data, steps: steps.length, messages, sets, one_port: task.onePort },
    network,
    rows,
    packets,
    null,
  );
}

/** The nodes' packets when so many packets of the film have arrived. */
export function holdingOf(film: Film, arrived: number): Holding {
  const holding = firstHolding(film);
  for (let packet = 0; packet < arrived; packet++) holding.arrive(packet);
  return holding;
}
