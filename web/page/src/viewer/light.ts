// Links that a word of a lesson lights: all others are faint as long as it does.

import type { Film } from "./film";
import type { Options } from "./options";

/** Whether a directed link is lit; null: nothing is, and all look as always. */
export function litBy(film: Film, { light }: Options): ((link: number) => boolean) | null {
  if (light === null || light === "ends" || light === "new") return null;
  if (light === "bound") {
    const binding = new Set((film.data.bound?.links ?? []).map((link) => link >> 1));
    return (link) => binding.has(link >> 1);
  }
  return (link) => film.network.dimension[link] === light;
}

/** Packets whose receivers have all that is in them already. */
const superfluous = new WeakMap<Film, ReadonlySet<number>>();

/** Whether the packet brings its receiver nothing new; only copies can come twice. */
export function bringsNothing(film: Film, packet: number): boolean {
  if (film.data.messages.kind !== "copies") return false;
  let found = superfluous.get(film);
  if (!found) superfluous.set(film, (found = repeated(film)));
  return found.has(packet);
}

function repeated(film: Film): Set<number> {
  const found = new Set<number>();
  const known = new Set<string>();
  const { packets, rows } = film;
  for (const packet of film.order) {
    const to = film.to(packet);
    let brings = false;
    for (let row = packets.first[packet]!; row < packets.first[packet + 1]!; row++)
      for (let i = 0; i < rows.count[row]!; i++) {
        const origin = rows.origin[row]!;
        const piece = `${to} ${origin} ${rows.part[row]! + i}`;
        if (to !== origin && !known.has(piece)) brings = true;
        known.add(piece);
      }
    if (!brings) found.add(packet);
  }
  return found;
}

export const FAINT = 0.22;
