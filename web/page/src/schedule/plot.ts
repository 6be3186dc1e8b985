// A lesson's plot: a slider moves a line along the sizes, reads the times off and names the fastest.

import { element, say } from "../kit/dom";
import { counted, grouped, listed } from "../kit/words";
import { Slider } from "./slider";

const SVG = "http://www.w3.org/2000/svg";

function mark(svg: Element, name: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  svg.append(made);
  return made;
}

/** Numbers as the table has them, with thin spaces. */
const numberOf = (cell: Element): number => Number(cell.textContent!.replace(/[^\d.]/g, ""));

function readings(names: readonly string[], values: readonly number[], unit: string): string {
  const order = names.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const read = names.map((name, i) => `${name} ${grouped(values[i]!)} ${unit}`);
  const [best, next] = [values[order[0]!]!, values[order[1]!]!];
  const win =
    names.length < 2
      ? ""
      : best === next
        ? ` ${names.length === 2 ? "Both" : listed(order.filter((i) => values[i] === best).map((i) => names[i]!))} take the same time.`
        : ` ${names[order[0]!]} wins by ${grouped(Math.round((next - best) * 100) / 100)} ${unit}, ` +
          `${Math.round(((next - best) / next) * 1000) / 10}\u202f%.`;
  return `${listed(read)}.${win}`;
}

export function plot(figure: HTMLElement): void {
  const svg = figure.querySelector("svg")!;
  const names = [...figure.querySelectorAll("thead th")].slice(1).map((head) => head.textContent!.split(",")[0]!);
  const rows = [...figure.querySelectorAll("tbody tr")].map(({ children }) => [...children].map(numberOf));
  // The lines have a point for each size.
  const lines = [...svg.querySelectorAll("polyline")].map((line) =>
    line
      .getAttribute("points")!
      .split(" ")
      .map((point) => point.split(",")),
  );
  const cursor = mark(svg, "path", {
    class: "read",
    stroke: "currentColor",
    "stroke-width": "1.4",
    "stroke-dasharray": "3 3",
  });
  const dots = lines.map(() => mark(svg, "circle", { class: "read", r: "4.5", fill: "currentColor" }));
  const frame = svg
    .querySelector(".axes path")!
    .getAttribute("d")!
    .replace(/^M\S+ /, "");
  const words = element("output");
  const slider = new Slider("Message", (at) => put(at));
  const put = (at: number): void => {
    const [size, ...values] = rows[at]!;
    cursor.setAttribute("d", `M${lines[0]![at]![0]} ${frame}`);
    dots.forEach((dot, i) => {
      dot.setAttribute("cx", lines[i]![at]![0]!);
      dot.setAttribute("cy", lines[i]![at]![1]!);
    });
    slider.set(at, size! >= 1024 && size! % 1024 === 0 ? `${grouped(size! / 1024)} KiB` : counted(size!, "byte"));
    say(words, readings(names, values, figure.dataset.unit ?? ""));
  };
  slider.named("Message", rows.length - 1);
  svg.after(element("div.parameters", slider.root, words));
  put(Math.floor(rows.length / 4));
}
