// Packets on crossing links would meet at the crossing at the same moment. Links start a little earlier or later so
// that, with all of them in use, as few packets as possible cover each other, a box or a node's number. The picture at
// rest counts most.

import { eased } from "../kit/motion";
import { range } from "../kit/numbers";
import type { Rect, Track } from "../kit/track";

const OFFSETS = [0, 0.02, -0.02, 0.04, -0.04, 0.06, -0.06];
/** The moment of a step in which the picture stands still: the packets are at .62 of their links. */
export const REST = 0.516;
const MOMENTS = [REST, ...range(15).map((i) => (i + 3) / 20)];
const REST_WEIGHT = 12;
const ROUNDS = 3;
const MOST_LINKS = 192;

type Place = { x: number; y: number };

/** A packet's place on its lane at `share` of its step. */
export function travelled(share: number, late: number): number {
  return eased(Math.min(1, Math.max(0, (share - 0.08 - late) / 0.8)));
}

/** By how much of a step each lane starts later. `reach` is a packet's radius. */
export function staggered(lanes: readonly Track[], obstacles: readonly Rect[], reach: number): Float32Array {
  const late = new Float32Array(lanes.length);
  if (lanes.length > MOST_LINKS) return late;
  // places[link / 2][offset][way][moment]
  const places = range(lanes.length / 2).map((i) =>
    OFFSETS.map((offset) =>
      [0, 1].map((way) => MOMENTS.map((moment) => lanes[2 * i + way]!.at(travelled(moment, offset)))),
    ),
  );
  const own = places.map((choices) =>
    choices.map(
      (ways, i) => 20 * Math.abs(OFFSETS[i]!) + ways.reduce((sum, way) => sum + covered(way[0]!, obstacles, reach), 0),
    ),
  );
  const chosen = places.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    places.forEach((choices, i) => {
      let best = Infinity;
      choices.forEach((ways, offset) => {
        let cost = own[i]![offset]!;
        for (let j = 0; j < places.length && cost < best; j++)
          if (j !== i) cost += meeting(ways, places[j]![chosen[j]!]!, reach);
        if (cost < best) [best, chosen[i]] = [cost, offset];
      });
    });
  }
  chosen.forEach((offset, i) => late.fill(OFFSETS[offset]!, 2 * i, 2 * i + 2));
  return late;
}

/** The cost of a packet at rest over boxes or numbers. */
function covered({ x, y }: Place, obstacles: readonly Rect[], reach: number): number {
  const over = ({ left, top, right, bottom }: Rect): boolean =>
    x > left - reach * 0.7 && x < right + reach * 0.7 && y > top - reach * 0.7 && y < bottom + reach * 0.7;
  return obstacles.filter(over).length * (REST_WEIGHT / 2);
}

function meeting(ways: readonly Place[][], others: readonly Place[][], reach: number): number {
  const near = (2 * reach + 2) ** 2;
  let cost = 0;
  for (const a of ways) {
    for (const b of others) {
      for (let i = 0; i < MOMENTS.length; i++) {
        if ((a[i]!.x - b[i]!.x) ** 2 + (a[i]!.y - b[i]!.y) ** 2 < near) cost += i === 0 ? REST_WEIGHT : 1;
      }
    }
  }
  return cost;
}
