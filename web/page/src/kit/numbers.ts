/** A number, also one that a report has as text because it is exact: "5/2". Null for anything else. */
export function amount(value: unknown): number | null {
  const number =
    typeof value === "string"
      ? value
          .split("/")
          .map(Number)
          .reduce((above, below) => above / below)
      : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** 0, 1, .. count - 1. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** The number of values of a sorted list that are at most `value`. */
export function upperBound(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
