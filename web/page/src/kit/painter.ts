// The drawing functions of a picture: on the screen by canvas.ts, into a file by svg.ts. Points are x, y, x, y, ..

export interface Stroke {
  colour: string;
  width: number;
  dash?: readonly number[] | undefined;
  round?: boolean;
}

export interface Look {
  fill?: string;
  stroke?: string;
  width?: number;
}

export interface Type {
  size: number;
  colour: string;
  weight?: number;
  align?: "left" | "center" | "right";
  /** It runs upwards. */
  upwards?: boolean;
  /** Drawn under the text, so that it can be read on lines. */
  halo?: string;
}

export interface Painter {
  /** All that is drawn until the next call is this opaque. */
  opacity(value: number): void;
  line(points: ArrayLike<number>, stroke: Stroke): void;
  /** A line that grows from nothing to its colour. */
  fading(points: ArrayLike<number>, stroke: Stroke): void;
  rect(x: number, y: number, width: number, height: number, radius: number, look: Look): void;
  disc(x: number, y: number, radius: number, look: Look): void;
  /** A disc with a text on it; where there are `many`, a little sharpness may be given for speed. */
  token(x: number, y: number, radius: number, look: Look, text: string, type: Type, many: boolean): void;
  /** `y` is the text's middle. */
  text(x: number, y: number, text: string, type: Type): void;
}
