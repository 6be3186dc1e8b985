// What shows one film: the stage, or the summary of a large network.

import type { Painter } from "../kit/painter";
import type { Theme } from "../kit/theme";
import type { Colouring } from "./colouring";
import type { Journey } from "./journey";
import type { Options, Selection } from "./options";
import type { Scene } from "./scene";

/** A mark and what it means. */
export type Entry = [(painter: Painter, theme: Theme) => void, string];

/** What of the state decides which marks there are. */
export interface Shown {
  complete: boolean;
  kept: boolean;
  idle: boolean;
}

export interface Picture {
  readonly root: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly colouring: Colouring;
  /** Where the nodes stand, if they are drawn one by one. */
  readonly scene: Scene | null;
  /** Whether it can be pulled into the picture of its bound. */
  readonly pulls: boolean;
  /** Forgets what is drawn: the theme has changed. */
  refresh(): void;
  draw(now: number, theme: Theme, options: Options, journey: Journey | null, hurried: boolean): void;
  /** What is under the pointer. */
  pick(x: number, y: number, touch: boolean): Selection | null;
  /** Marks what is under the pointer, and says in a line what it is; "": there is nothing to click. */
  hover(x: number, y: number): string;
  unhover(): void;
  /** What it shows now, in another place and size: a frame of a recording. */
  paint(context: CanvasRenderingContext2D, width: number, height: number): void;
  /** The picture as an SVG file. */
  svg(title: string, description: string): string;
  legend(options: Options, shown: Shown): Entry[];
}
