// Packets that wait in front of a gate: a function of the film and the time, so that going back needs no undo.

import type { Film } from "../viewer/film";
import type { Gate, PulledScene } from "./pulled";

/** Below this distance of two packets a queue is a bar. */
export const NARROW = 2.4;
/** So often faster than a packet crosses, the queue moves up. */
const SHIFT = 2.5;

/** The packets that will still set out over a directed link, the next one first. */
export function waiting(film: Film, link: number, now: number): Int32Array {
  const all = film.onLink(link);
  const { start } = film.packets;
  let first = 0;
  while (now > 0 && first < all.length && start[all[first]!]! <= now) first++;
  return all.subarray(first);
}

/** The number of packets that have arrived over these links. */
export function crossed(film: Film, links: readonly number[], now: number): number {
  return links.reduce(
    (sum, link) => sum + film.onLink(link).filter((packet) => film.packets.end[packet]! <= now).length,
    0,
  );
}

interface Queue {
  packets: Int32Array;
  /** From one to the next. */
  each: number;
  place(index: number): { x: number; y: number };
}

/** One behind the other in front of the gate, with room for all packets of the film: they only move up. */
export function queueAt({ film, queued: radius }: PulledScene, { link, whole, head }: Gate, now: number): Queue {
  const room = Math.max(0, head * whole.length - radius);
  const each = Math.min(2 * radius + 2, room / Math.max(1, film.onLink(link).length - 1));
  const flying = film.carried(link, now);
  const { start, end } = film.packets;
  const behind =
    flying < 0 ? 0 : Math.max(0, 1 - (SHIFT * (now - start[flying]!)) / (end[flying]! - start[flying]! || 1));
  return {
    packets: waiting(film, link, now),
    each,
    place: (index) => whole.at(head - ((index + behind) * each) / whole.length),
  };
}

/** The waiting packet nearest to x, y, at most `reach` away, or -1. */
export function queuedAt(scene: PulledScene, now: number, x: number, y: number, reach: number): number {
  let [best, found] = [reach, -1];
  for (const gate of scene.gates) {
    const { packets, each, place } = queueAt(scene, gate, now);
    if (each >= NARROW)
      packets.forEach((packet, i) => {
        const at = place(i);
        const away = Math.hypot(at.x - x, at.y - y);
        if (away < best) [best, found] = [away, packet];
      });
  }
  return found;
}
