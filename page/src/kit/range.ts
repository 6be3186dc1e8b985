/** 0, 1, .. count - 1. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Short names for what is used everywhere. */
export const { max, min, floor, round, hypot, abs, sign, ceil } = Math;
