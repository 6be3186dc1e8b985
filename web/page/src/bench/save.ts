// A chart as a file: title, chart, legend and the origin of the figures in one SVG, with all colours and types in it,
// without style sheet, script or class.

import type { Theme } from "../kit/theme";

const NAMESPACE = "http://www.w3.org/2000/svg";

function make(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

export interface Saved {
  title: string;
  subtitle: string;
  /** The program, the machine, the date. */
  source: string;
  chart: SVGSVGElement;
  legend: readonly { swatch: SVGSVGElement; words: string }[];
  theme: Theme;
}

const WIDE = 0.56; // of a letter, in parts of its height, at most on average

/** The styles that browsers compute from a style sheet go into attributes. */
function cleaned(chart: SVGSVGElement, theme: Theme): SVGSVGElement {
  for (const one of [chart, ...chart.querySelectorAll<SVGElement>("*")]) {
    for (const name of ["style", "class", "aria-label", "aria-hidden", "aria-description", "role", "data-part"])
      one.removeAttribute(name);
    for (const name of ["fill", "stroke"])
      if (one.getAttribute(name) === "currentColor") one.setAttribute(name, theme.ink);
  }
  return chart;
}

/** Words in lines of at most `most` letters. */
function wrapped(text: string, most: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1)!.length + word.length >= most && lines.at(-1) !== "") lines.push("");
    const last = lines.length - 1;
    for (let rest = word; rest !== ""; rest = rest.slice(most))
      lines[last] += (lines[last] === "" ? "" : " ") + rest.slice(0, most);
  }
  return lines;
}

export function svgFile({ title, subtitle, source, chart, legend, theme }: Saved): string {
  const width = Number(chart.getAttribute("width"));
  const parts: SVGElement[] = [];
  let y = 16;
  const lines = (text: string, size: number, colour: string, weight = 400): void => {
    for (const line of text === "" ? [] : wrapped(text, (width - 40) / (size * WIDE))) {
      y += size * 1.35;
      parts.push(make("text", { x: 20, y, "font-size": size, "font-weight": weight, fill: colour }, line));
    }
  };
  lines(title, 20, theme.ink, 700);
  lines(subtitle, 14, theme.muted);
  y += 12;
  chart.setAttribute("y", String(y));
  parts.push(cleaned(chart, theme));
  y += Number(chart.getAttribute("height")) + 8;
  const column = 70 + Math.max(0, ...legend.map(({ words }) => words.length)) * 14 * WIDE;
  const columns = Math.max(1, Math.floor((width - 40) / column));
  legend.forEach(({ swatch, words }, i) => {
    const [left, top] = [20 + (i % columns) * column, y + Math.floor(i / columns) * 24];
    swatch.setAttribute("x", String(left));
    swatch.setAttribute("y", String(top));
    parts.push(
      cleaned(swatch, theme),
      make("text", { x: left + 58, y: top + 14, "font-size": 14, fill: theme.ink }, words),
    );
  });
  y += Math.ceil(legend.length / columns) * 24 + 6;
  lines(source, 12, theme.muted);
  const height = Math.ceil(y + 16);
  const file = make(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "Helvetica, Arial, sans-serif" },
    make("title", {}, title),
    make("desc", {}, subtitle),
    make("rect", { width, height, fill: theme.background }),
    ...parts,
  );
  return `${new XMLSerializer().serializeToString(file)}\n`;
}
