// A painter into the text of an SVG file, without script, font or filter. Equal drawings give equal bytes.

import type { Look, Painter, Stroke, Type } from "./painter";

type Attributes = Record<string, string | number | undefined>;

const number = (value: number): string => String(Math.round(value * 10) / 10);
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** `<name key="value">content</name>`; undefined attributes are left out. */
function tag(name: string, attributes: Attributes, content = ""): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? number(value) : escape(value!)}"`)
    .join("");
  return content === "" ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

export class SvgPainter implements Painter {
  readonly #parts: string[] = [];
  #alpha = 1;
  #gradients = 0;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly ground: string,
    /** Drawings of one page differ in it. */
    private readonly name = "fade",
  ) {}

  opacity(value: number): void {
    this.#alpha = value;
  }

  line(points: ArrayLike<number>, { colour, width, round: rounded, dash }: Stroke): void {
    this.add("path", {
      d: path(points),
      fill: "none",
      stroke: colour,
      "stroke-width": width,
      "stroke-linejoin": "round",
      "stroke-linecap": rounded ? "round" : undefined,
      "stroke-dasharray": dash?.map(number).join(" "),
    });
  }

  fading(points: ArrayLike<number>, stroke: Stroke): void {
    const last = points.length - 2;
    if (last < 2) return;
    const id = `${this.name}${this.#gradients++}`;
    const stops = ["0", "1"].map((at) => tag("stop", { offset: at, "stop-color": stroke.colour, "stop-opacity": at }));
    this.#parts.push(
      tag(
        "linearGradient",
        {
          id,
          gradientUnits: "userSpaceOnUse",
          x1: points[0],
          y1: points[1],
          x2: points[last],
          y2: points[last + 1],
        },
        stops.join(""),
      ),
    );
    this.line(points, { ...stroke, colour: `url(#${id})` });
  }

  rect(x: number, y: number, width: number, height: number, radius: number, look: Look): void {
    this.add("rect", { x, y, width, height, rx: radius || undefined, ...looks(look) });
  }

  disc(x: number, y: number, radius: number, look: Look): void {
    this.add("circle", { cx: x, cy: y, r: radius, ...looks(look) });
  }

  token(x: number, y: number, radius: number, look: Look, text: string, type: Type): void {
    this.disc(x, y, radius, look);
    if (text) this.text(x, y, text, type);
  }

  text(x: number, y: number, text: string, { size, weight, align, colour, halo, upwards }: Type): void {
    this.add(
      "text",
      {
        ...(upwards
          ? { transform: `translate(${number(x + size * 0.36)} ${number(y)}) rotate(-90)` }
          : { x, y: y + size * 0.36 }),
        "font-size": size,
        "font-weight": weight,
        fill: colour,
        stroke: halo,
        "text-anchor": align === "left" ? undefined : align === "right" ? "end" : "middle",
        ...(halo
          ? { "stroke-width": Math.max(3, size * 0.3), "stroke-linejoin": "round", "paint-order": "stroke" }
          : {}),
      },
      escape(text),
    );
  }

  /** The whole file. */
  file(title: string, description: string): string {
    const { width, height } = this;
    return tag(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width,
        height,
        viewBox: `0 0 ${number(width)} ${number(height)}`,
        "font-family": "Helvetica, Arial, sans-serif",
      },
      [
        "",
        tag("title", {}, escape(title)),
        tag("desc", {}, escape(description)),
        tag("rect", { width: "100%", height: "100%", fill: this.ground }),
        ...this.#parts,
        "",
      ].join("\n"),
    );
  }

  /** One element more. */
  add(name: string, attributes: Attributes, content?: string): void {
    this.#parts.push(tag(name, this.#alpha < 1 ? { ...attributes, opacity: this.#alpha } : attributes, content));
  }
}

const looks = ({ fill, stroke, width }: Look): Attributes => ({
  fill: fill ?? "none",
  stroke,
  "stroke-width": stroke && (width ?? 1),
});

/** Lines of many points are curves: they go smoothly by the middles between them. */
function path(points: ArrayLike<number>): string {
  const at = (...values: number[]): string => values.map(number).join(" ");
  const last = points.length - 2;
  let text = `M${at(points[0]!, points[1]!)}`;
  for (let i = 2; i < last; i += 2) {
    text += `Q${at(points[i]!, points[i + 1]!, (points[i]! + points[i + 2]!) / 2, (points[i + 1]! + points[i + 3]!) / 2)}`;
  }
  return `${text}L${at(points[last]!, points[last + 1]!)}`;
}
