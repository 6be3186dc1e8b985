// The moment that is drawn, and how.

import type { Theme } from "../kit/theme";
import type { Colouring } from "./colouring";
import type { Holding } from "./holding";
import type { Journey } from "./journey";
import type { Options } from "./options";

export interface Frame {
  now: number;
  holding: Holding;
  colouring: Colouring;
  theme: Theme;
  options: Options;
  journey: Journey | null;
  /** Too fast to follow: packets stand at their links' middles. */
  hurried: boolean;
}
