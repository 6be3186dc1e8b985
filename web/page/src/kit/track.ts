// Lines that things move along: one or two pieces (two: it leaves the drawing and comes in elsewhere).

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Points x, y, x, y, .. of one piece. */
export type Points = number[];

export class Track {
  /** Length up to each point, over all pieces. */
  readonly #reached: number[][] = [];
  readonly length: number;

  constructor(readonly pieces: readonly Points[]) {
    let length = 0;
    for (const points of pieces) {
      const reached = [length];
      for (let i = 2; i < points.length; i += 2) {
        length += Math.hypot(points[i]! - points[i - 2]!, points[i + 1]! - points[i - 1]!);
        reached.push(length);
      }
      this.#reached.push(reached);
    }
    this.length = length;
  }

  /** The place at `share` of the length. */
  at(share: number): { x: number; y: number } {
    const length = Math.min(1, Math.max(0, share)) * this.length;
    const piece = this.#pieceAt(length);
    const [x, y] = this.#place(piece, length);
    return { x, y };
  }

  /** The stretch between two shares, within the piece of the second: a tail never jumps. */
  between(from: number, to: number): Points {
    const end = Math.min(1, to) * this.length;
    const piece = this.#pieceAt(end);
    const reached = this.#reached[piece]!;
    const start = Math.max(reached[0]!, from * this.length);
    const points: Points = [...this.#place(piece, start)];
    for (let i = 0; i < reached.length; i++) {
      if (reached[i]! > start && reached[i]! < end)
        points.push(this.pieces[piece]![2 * i]!, this.pieces[piece]![2 * i + 1]!);
    }
    points.push(...this.#place(piece, end));
    return points;
  }

  /** The nearest distance of a point to the track. */
  distance(x: number, y: number): number {
    let best = Infinity;
    for (const points of this.pieces) {
      for (let i = 0; i + 3 < points.length; i += 2) {
        best = Math.min(best, toSegment(x, y, points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!));
      }
    }
    return best;
  }

  #pieceAt(length: number): number {
    let piece = 0;
    while (piece + 1 < this.pieces.length && length >= this.#reached[piece + 1]![0]!) piece++;
    return piece;
  }

  #place(piece: number, length: number): [number, number] {
    const reached = this.#reached[piece]!;
    const points = this.pieces[piece]!;
    let i = 0;
    while (i + 2 < reached.length && reached[i + 1]! < length) i++;
    if (reached.length < 2) return [points[0]!, points[1]!];
    const span = reached[i + 1]! - reached[i]!;
    const share = span > 0 ? Math.min(1, Math.max(0, (length - reached[i]!) / span)) : 0;
    const j = 2 * i;
    return [
      points[j]! + (points[j + 2]! - points[j]!) * share,
      points[j + 1]! + (points[j + 3]! - points[j + 1]!) * share,
    ];
  }
}

function toSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const t = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** The same lines the other way round. */
export function reversed(pieces: readonly Points[]): Points[] {
  return pieces
    .map((points) => {
      const back: Points = [];
      for (let i = points.length - 2; i >= 0; i -= 2) back.push(points[i]!, points[i + 1]!);
      return back;
    })
    .reverse();
}

/** The line moved `by` to its right, seen along it. */
export function shifted(points: Points, by: number): Points {
  const moved: Points = [];
  const last = points.length - 2;
  for (let i = 0; i <= last; i += 2) {
    const [a, b] = [Math.max(0, i - 2), Math.min(last, i + 2)];
    const [dx, dy] = [points[b]! - points[a]!, points[b + 1]! - points[a + 1]!];
    const length = Math.hypot(dx, dy) || 1;
    moved.push(points[i]! - (dy / length) * by, points[i + 1]! + (dx / length) * by);
  }
  return moved;
}

const within = (r: Rect, x: number, y: number): boolean => x > r.left && x < r.right && y > r.top && y < r.bottom;

/** The line without its beginning inside `box`. */
export function outside(points: Points, box: Rect): Points {
  let i = 0;
  while (i + 2 < points.length && within(box, points[i + 2]!, points[i + 3]!)) i += 2;
  if (i + 3 >= points.length || !within(box, points[i]!, points[i + 1]!)) return points.slice(i);
  let [low, high] = [0, 1];
  const at = (t: number): [number, number] => [
    points[i]! + (points[i + 2]! - points[i]!) * t,
    points[i + 1]! + (points[i + 3]! - points[i + 1]!) * t,
  ];
  for (let n = 0; n < 20; n++) {
    const middle = (low + high) / 2;
    if (within(box, ...at(middle))) low = middle;
    else high = middle;
  }
  return [...at(high), ...points.slice(i + 2)];
}
