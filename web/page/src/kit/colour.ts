// Colours as numbers: mixing, contrast and the ramp for ordered values.

export type Rgb = readonly [number, number, number];

/** Reads what browsers compute (`rgb(..)`, `rgba(..)`) and `#rrggbb`. */
export function parseColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  if (hex) return [1, 2, 3].map((i) => parseInt(hex[i]!, 16)) as unknown as Rgb;
  const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [];
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
}

export function css([r, g, b]: Rgb, alpha = 1): string {
  const whole = `${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)}`;
  return alpha >= 1 ? `rgb(${whole})` : `rgba(${whole}, ${alpha})`;
}

/** A mix: `share` of b, the rest a. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [0, 1, 2].map((i) => a[i]! + (b[i]! - a[i]!) * share) as unknown as Rgb;
}

/** Relative luminance as in WCAG. */
export function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((v) => {
    const c = v / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever is read better on `ground`: at least 4.5 : 1 on either side of .18. */
export function readable(ground: Rgb): string {
  return luminance(ground) > 0.18 ? "#000000" : "#ffffff";
}

// viridis without its first fifth, which is too near to the purple of bounds.
const VIRIDIS: readonly Rgb[] = [
  [65, 68, 135],
  [57, 86, 140],
  [49, 104, 142],
  [42, 120, 142],
  [35, 136, 142],
  [31, 152, 139],
  [34, 168, 132],
  [53, 183, 121],
  [84, 197, 104],
  [122, 209, 81],
  [165, 219, 54],
  [210, 226, 27],
  [253, 231, 37],
];

/** The ramp at t of 0..1, dark to bright. */
export function viridis(t: number): Rgb {
  const at = Math.min(1, Math.max(0, t)) * (VIRIDIS.length - 1);
  const low = Math.min(VIRIDIS.length - 2, Math.floor(at));
  return mix(VIRIDIS[low]!, VIRIDIS[low + 1]!, at - low);
}
