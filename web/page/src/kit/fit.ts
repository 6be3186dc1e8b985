// Fits a drawing of points into a box on the screen.

import type { Points } from "./track";

export interface Variant {
  /** The largest ratio between the scales of the axes. */
  stretch: number;
  x: number[];
  y: number[];
  /** Left, top, right, bottom of all that is drawn. */
  box: [number, number, number, number];
  /** Links that are no straight line; two lines: the link leaves the drawing and comes in elsewhere. */
  bends: Record<string, Points[]>;
  /** Link, x, y of the outer end, node that it leads to. */
  stubs: [number, number, number, number][];
  /** Lines of links that are missing. */
  lost?: Points[];
}

export interface Margin {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Fitted {
  variant: Variant;
  /** Places on the screen. */
  x: number[];
  y: number[];
  /** Distance of the nearest two points. */
  nearest: number;
  place(x: number, y: number): [number, number];
}

function nearest(x: readonly number[], y: readonly number[]): number {
  let best = Infinity;
  for (let i = 0; i < x.length; i++) {
    for (let j = i + 1; j < x.length; j++) best = Math.min(best, (x[i]! - x[j]!) ** 2 + (y[i]! - y[j]!) ** 2);
  }
  return Math.sqrt(best);
}

function fitVariant(variant: Variant, width: number, height: number, margin: Margin): Fitted {
  const [left, top, right, bottom] = variant.box;
  const [spanX, spanY] = [right - left, bottom - top];
  const [roomX, roomY] = [
    Math.max(10, width - margin.left - margin.right),
    Math.max(10, height - margin.top - margin.bottom),
  ];
  // One node, or a row of them, has no extent in some direction, and stands in its middle.
  const common = Math.min(roomX / Math.max(1e-9, spanX), roomY / Math.max(1e-9, spanY));
  const scaleX = Math.min(roomX / Math.max(1e-9, spanX), common * variant.stretch);
  const scaleY = Math.min(roomY / Math.max(1e-9, spanY), common * variant.stretch);
  const startX = margin.left + (roomX - spanX * scaleX) / 2;
  const startY = margin.top + (roomY - spanY * scaleY) / 2;
  const place = (x: number, y: number): [number, number] => [startX + (x - left) * scaleX, startY + (y - top) * scaleY];
  const x = variant.x.map((_, i) => place(variant.x[i]!, 0)[0]);
  const y = variant.y.map((_, i) => place(0, variant.y[i]!)[1]);
  return { variant, x, y, nearest: x.length > 1 ? nearest(x, y) : Math.min(roomX, roomY), place };
}

/** The variant whose nearest points end up farthest apart; `margin` is asked with the distance found so far. */
export function fitBest(
  variants: readonly Variant[],
  width: number,
  height: number,
  margin: (nearest: number, variant: Variant) => Margin,
): Fitted {
  let best: Fitted | undefined;
  for (const variant of variants) {
    let fitted = fitVariant(variant, width, height, { left: 20, top: 20, right: 20, bottom: 20 });
    // The marks around a point grow with the distances, which shrink with the margin: three rounds settle it.
    for (let round = 0; round < 3; round++)
      fitted = fitVariant(variant, width, height, margin(fitted.nearest, variant));
    if (!best || fitted.nearest > best.nearest) best = fitted;
  }
  return best!;
}

/** The layout whose nearest points end up farthest apart. */
export function roomiest(
  layouts: readonly { readonly variants: readonly Variant[] }[],
  width: number,
  height: number,
): number {
  const rooms = layouts.map(
    ({ variants }) => fitBest(variants, width, height, () => ({ left: 24, top: 20, right: 20, bottom: 20 })).nearest,
  );
  return rooms.indexOf(Math.max(...rooms));
}
