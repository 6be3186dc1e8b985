// The board of the day: the same for everybody, by the date. Its bound is computed, as that of any board.

import type { Request } from "./request";

const BOARDS: readonly (readonly [collective: string, topology: string])[] = [
  ["broadcast", "hypercube:3"],
  ["all-gather", "hypercube:3"],
  ["scatter", "torus:3x3"],
  ["all-to-all", "hypercube:3"],
  ["broadcast", "petersen"],
  ["reduce", "mesh:3x3"],
  ["all-to-all", "torus:3x3"],
  ["gather", "hypercube:4"],
  ["all-to-all", "ring:5"],
  ["broadcast", "torus:4x4"],
  ["all-gather", "torus:3x3"],
  ["reduce-scatter", "hypercube:3"],
  ["scatter", "hypercube:4"],
  ["all-to-all", "complete:5"],
];
const DAY_MS = 86_400_000;

export function boardOf(day: Date): Request {
  const [collective, topology] = BOARDS[Math.floor(day.getTime() / DAY_MS) % BOARDS.length]!;
  return { what: "board", collective, topology };
}
