// What waits in front of a gate: a function of the film and the time, so that going back needs no undo.

import type { Film } from "../viewer/film";

/** The packets that will still set out over a directed link, the next one first. */
export function waiting(film: Film, link: number, now: number): Int32Array {
  const all = film.onLink(link);
  const { start } = film.packets;
  let first = 0;
  while (now > 0 && first < all.length && start[all[first]!]! <= now) first++;
  return all.subarray(first);
}

/** How many packets have arrived over these links. */
export function crossed(film: Film, links: readonly number[], now: number): number {
  return links.reduce((sum, link) => sum + film.onLink(link).filter((packet) => film.packets.end[packet]! <= now).length, 0);
}
