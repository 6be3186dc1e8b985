/** 0, 1, .. count - 1. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** How many values of a sorted list are at most `value`. */
export function upperBound(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
