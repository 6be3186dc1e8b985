// A painter on a canvas.

import { css, parseColour } from "./colour";
import type { Look, Painter, Stroke, Type } from "./painter";

const stamps = new Map<string, HTMLCanvasElement>();

export class CanvasPainter implements Painter {
  #set = "";
  #density = 0;

  constructor(
    readonly context: CanvasRenderingContext2D,
    private readonly font: string,
  ) {}

  opacity(value: number): void {
    this.context.globalAlpha = value;
  }

  line(points: ArrayLike<number>, stroke: Stroke): void {
    this.#trace(points);
    this.#stroke(stroke.colour, stroke);
  }

  fading(points: ArrayLike<number>, stroke: Stroke): void {
    const last = points.length - 2;
    if (last < 2) return;
    const gradient = this.context.createLinearGradient(points[0]!, points[1]!, points[last]!, points[last + 1]!);
    // "transparent" is black without opacity, and would grey the middle.
    gradient.addColorStop(0, css(parseColour(stroke.colour), 0));
    gradient.addColorStop(1, stroke.colour);
    this.#trace(points);
    this.#stroke(gradient, stroke);
  }

  rect(x: number, y: number, width: number, height: number, radius: number, look: Look): void {
    this.context.beginPath();
    if (radius > 0) this.context.roundRect(x, y, width, height, radius);
    else this.context.rect(x, y, width, height);
    this.#paint(look);
  }

  disc(x: number, y: number, radius: number, look: Look): void {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.#paint(look);
  }

  token(x: number, y: number, radius: number, look: Look, text: string, type: Type, many: boolean): void {
    if (many) {
      this.#stamp(x, y, radius, look, text, type);
      return;
    }
    this.disc(x, y, radius, look);
    if (text) this.text(x, y, text, type);
  }

  /** Draws a token once and then copies it, at whole pixels: text on hundreds of discs per frame would take too long. */
  #stamp(x: number, y: number, radius: number, look: Look, text: string, type: Type): void {
    const density = (this.#density ||= this.context.getTransform().a);
    const key = [density, radius, look.fill, look.stroke, text, this.font].join();
    const half = Math.ceil((radius + 1) * density);
    let stamp = stamps.get(key);
    if (!stamp) {
      if (stamps.size > 4000) stamps.clear();
      stamp = document.createElement("canvas");
      stamp.width = stamp.height = 2 * half;
      const context = stamp.getContext("2d")!;
      context.setTransform(density, 0, 0, density, half, half);
      new CanvasPainter(context, this.font).token(0, 0, radius, look, text, type, false);
      stamps.set(key, stamp);
    }
    const [left, top] = [Math.round(x * density) - half, Math.round(y * density) - half];
    this.context.drawImage(stamp, left / density, top / density, (2 * half) / density, (2 * half) / density);
  }

  /** A text's width. */
  width(text: string, type: Type): number {
    this.#choose(type);
    return this.context.measureText(text).width;
  }

  #choose(type: Type): void {
    const font = `${type.weight ?? 400} ${type.size}px ${this.font}`;
    // Setting a font costs much even if it is the same.
    if (font !== this.#set) this.context.font = this.#set = font;
  }

  text(x: number, y: number, text: string, type: Type): void {
    const { context } = this;
    if (type.upwards) {
      context.save();
      context.translate(x, y);
      context.rotate(-Math.PI / 2);
      this.text(0, 0, text, { ...type, upwards: false });
      context.restore();
      return;
    }
    this.#choose(type);
    context.textAlign = type.align ?? "center";
    context.textBaseline = "alphabetic";
    // Figures and capitals stand on the line and are .72 of the size high: the middle baseline would sit too high.
    const base = y + type.size * 0.36;
    if (type.halo) {
      context.lineJoin = "round";
      context.lineWidth = Math.max(3, type.size * 0.3);
      context.strokeStyle = type.halo;
      context.strokeText(text, x, base);
    }
    context.fillStyle = type.colour;
    context.fillText(text, x, base);
  }

  /** Lines of many points are curves: they go smoothly by the middles between them. */
  #trace(points: ArrayLike<number>): void {
    const { context } = this;
    const last = points.length - 2;
    context.beginPath();
    context.moveTo(points[0]!, points[1]!);
    for (let i = 2; i < last; i += 2) {
      const [x, y] = [points[i]!, points[i + 1]!];
      context.quadraticCurveTo(x, y, (x + points[i + 2]!) / 2, (y + points[i + 3]!) / 2);
    }
    context.lineTo(points[last]!, points[last + 1]!);
  }

  #stroke(style: string | CanvasGradient, stroke: Stroke): void {
    const { context } = this;
    context.strokeStyle = style;
    context.lineWidth = stroke.width;
    context.lineCap = stroke.round ? "round" : "butt";
    context.lineJoin = "round";
    if (stroke.dash) context.setLineDash(stroke.dash as number[]);
    context.stroke();
    if (stroke.dash) context.setLineDash([]);
  }

  #paint(look: Look): void {
    const { context } = this;
    if (look.fill) {
      context.fillStyle = look.fill;
      context.fill();
    }
    if (look.stroke) {
      context.strokeStyle = look.stroke;
      context.lineWidth = look.width ?? 1;
      context.stroke();
    }
  }
}

/** Sizes the canvas to its box in the page, sharp on dense screens, and clears it. */
export function prepared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const density = Math.min(3, window.devicePixelRatio || 1);
  const [w, h] = [Math.max(1, Math.round(width * density)), Math.max(1, Math.round(height * density))];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.globalAlpha = 1;
  context.clearRect(0, 0, width, height);
  return context;
}
