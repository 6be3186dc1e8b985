// Chance that is the same every time, on every machine.

/** From 0 to below 1. */
export type Chance = () => number;

export function chanceOf(seed: number): Chance {
  let state = Math.imul(seed + 1, 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state / 2 ** 32;
  };
}

export const below = (count: number, chance: Chance): number => Math.floor(chance() * count);

export const pick = <T>(list: readonly T[], chance: Chance): T | undefined => list[below(list.length, chance)];

export function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  const rest = [...list];
  const mixed: T[] = [];
  while (rest.length > 0) mixed.push(...rest.splice(below(rest.length, chance), 1));
  return mixed;
}
