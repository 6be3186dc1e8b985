// Links that a word of a lesson lights: all others are faint as long as it does.

import type { Film } from "./film";
import type { Options } from "./options";

/** Whether a directed link is lit; null: nothing is, and all look as always. */
export function litBy(film: Film, { light }: Options): ((link: number) => boolean) | null {
  if (light === null || light === "ends") return null;
  if (light === "bound") {
    const binding = new Set((film.data.bound?.links ?? []).map((link) => link >> 1));
    return (link) => binding.has(link >> 1);
  }
  return (link) => film.network.dimension[link] === light;
}

export const FAINT = 0.22;
