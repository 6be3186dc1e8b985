// The theme: the style sheet's colours, read from it so that each is written once.

import { css, luminance, mix, parseColour, viridis, type Rgb } from "./colour";
import { range } from "./numbers";

const ROLES = [
  "background",
  "panel",
  "ink",
  "muted",
  "frame",
  "link",
  "empty",
  "progress",
  "select",
  "bound",
  "wrong",
  "complete",
] as const;
export type Role = (typeof ROLES)[number];

export interface Theme extends Record<Role, string> {
  readonly dark: boolean;
  readonly hues: readonly Rgb[];
  readonly font: string;
  readonly ground: Rgb;
  /** The smallest text of a drawing, 0: as it likes. */
  readonly least: number;
}

/** In a presentation nothing is smaller than 18 px of 1080: it is read from the last row. */
export const leastText = (): number =>
  document.documentElement.hasAttribute("data-present") ? 18 * Math.min(1, innerHeight / 1080) : 0;

/** Resolves the custom properties at `element`, system colours of forced-colours mode included. */
export function readTheme(element: HTMLElement): Theme {
  const probe = document.createElement("span");
  probe.style.setProperty("forced-color-adjust", "none");
  element.append(probe);
  const resolve = (name: string): Rgb => {
    probe.style.color = `var(--${name})`;
    return parseColour(getComputedStyle(probe).color);
  };
  const roles = Object.fromEntries(ROLES.map((role) => [role, css(resolve(role))])) as Record<Role, string>;
  const hues = range(8).map((i) => resolve(`hue-${i}`));
  const font = getComputedStyle(element).fontFamily;
  probe.remove();
  const ground = parseColour(roles.background);
  return { ...roles, dark: luminance(ground) < 0.18, hues, font, ground, least: leastText() };
}

/** The colour of number `index` of `count`: 8 hues; up to 16: two tones each; more: by the high bits. */
export function nominal(theme: Theme, index: number, count: number): Rgb {
  if (count <= 8) return theme.hues[index % 8]!;
  if (count > 16) return theme.hues[Math.min(7, Math.floor((index * 8) / count))]!;
  const hue = theme.hues[Math.floor(index / 2) % 8]!;
  if (index % 2 === 0) return hue;
  return theme.dark ? mix(hue, theme.ground, 0.38) : mix(hue, [255, 255, 255], 0.5);
}

/** The colour of an ordered value t of 0..1: more = farther from the background in both themes. */
export function ordinal(theme: Theme, t: number): Rgb {
  return viridis(theme.dark ? t : 1 - t);
}
