// The least that a position still needs, for hints and for a step that was wasted: distances, and hops that are left over links.

import type { Network } from "../viewer/network";
import { countOf, messageOf, type Position } from "./rules";

/** No schedule ends in fewer steps from here. */
export function leastLeft(position: Position, network: Network): number {
  const { farthest, hops } = left(position, network);
  const { task } = position;
  const atOnce = task.onePort ? task.links.members.size : network.directed;
  return Math.max(farthest, Math.ceil(hops / Math.max(1, atOnce)));
}

/** The hops that are still needed. */
export const hopsLeft = (position: Position, network: Network): number => left(position, network).hops;

function left(position: Position, network: Network): { farthest: number; hops: number } {
  const { task } = position;
  const { kind, target } = task.messages;
  let [farthest, hops] = [0, 0];
  for (let packet = 0; packet < countOf(task); packet++) {
    const goal = target[messageOf(task, packet)]!;
    for (const distance of needs(position, network, packet, goal)) {
      farthest = Math.max(farthest, distance);
      hops += kind === "moves" ? distance : 1;
    }
  }
  return { farthest, hops };
}

/** For every node that lacks the packet, how far the nearest one is that has it; of a sum, the farthest share that it lacks. */
function* needs(position: Position, network: Network, packet: number, goal: number): Iterable<number> {
  const { task } = position;
  for (const node of goal < 0 ? task.links.members : [goal]) {
    if (position.satisfied(node, packet)) continue;
    const distance = network.distanceTo(node);
    if (task.messages.kind !== "sums") {
      let nearest = Infinity;
      for (const other of task.links.members)
        if (position.has(other, packet)) nearest = Math.min(nearest, distance[other]!);
      yield nearest;
      continue;
    }
    // Each share is at its nearest node that has it.
    let farthest = 0;
    for (const share of task.links.members) {
      let nearest = Infinity;
      for (const other of task.links.members)
        if ((position.held(other, packet) >> BigInt(share)) & 1n) nearest = Math.min(nearest, distance[other]!);
      farthest = Math.max(farthest, nearest);
    }
    yield farthest;
  }
}
