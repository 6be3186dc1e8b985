// The picture of one film: the stage, or the summary of a large network.

import type { Painter } from "../kit/painter";
import type { Theme } from "../kit/theme";
import type { Colouring } from "./colouring";
import type { Journey } from "./journey";
import type { Options, Selection } from "./options";
import type { Scene } from "./scene";

/** A mark and its meaning. */
export type Entry = [(painter: Painter, theme: Theme) => void, string];

/** The part of the state that decides which marks there are. */
export interface Shown {
  complete: boolean;
  kept: boolean;
  idle: boolean;
}

export interface Picture {
  readonly root: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly colouring: Colouring;
  /** The places of the nodes, if they are drawn one by one. */
  readonly scene: Scene | null;
  /** Whether it can be pulled into the picture of its bound. */
  readonly pulls: boolean;
  /** Forgets the drawing: the theme has changed. */
  refresh(): void;
  draw(now: number, theme: Theme, options: Options, journey: Journey | null, hurried: boolean): void;
  /** The thing under the pointer. */
  pick(x: number, y: number, touch: boolean): Selection | null;
  /** Marks the thing under the pointer, and names it in a line; "": there is nothing to click. */
  hover(x: number, y: number): string;
  unhover(): void;
  /** The picture of the moment, in another place and size: a frame of a recording. */
  paint(context: CanvasRenderingContext2D, width: number, height: number): void;
  /** The picture as an SVG file. */
  svg(title: string, description: string): string;
  legend(options: Options, shown: Shown): Entry[];
}
