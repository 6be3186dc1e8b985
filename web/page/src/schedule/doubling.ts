// From one cube's drawing to the next one's: a copy of the cube moves out of it along the new dimension, and links appear
// between twins; or the other way round. Only the picture moves; the film that is shown is the new one at once.

import { prepared } from "../kit/canvas";
import { element } from "../kit/dom";
import { eased, prefersStill } from "../kit/motion";
import type { Theme } from "../kit/theme";
import type { Scene } from "../viewer/scene";

const MS = 1100;

const isCube = ({ film }: Scene): boolean => {
  const { nodes, directed, data } = film.network;
  return data.relative === "xor" && directed === nodes * Math.log2(nodes);
};

/** Moves on `stage` from one scene to the other, if both are cubes, one larger than the other. */
export function doubling(from: Scene, to: Scene, stage: HTMLElement, theme: Theme): void {
  const [small, large] = from.film.network.nodes < to.film.network.nodes ? [from, to] : [to, from];
  const grows = large === to;
  if (prefersStill() || !isCube(from) || !isCube(to) || small.film.network.nodes === large.film.network.nodes) return;
  const canvas = element("canvas.doubling", { "aria-hidden": "true" });
  stage.append(canvas);
  stage.classList.add("doubles");
  const begin = performance.now();
  const frame = (now: number): void => {
    const t = Math.min(1, (now - begin) / MS);
    if (t >= 1 || !stage.isConnected) {
      canvas.remove();
      stage.classList.remove("doubles");
      return;
    }
    draw(prepared(canvas, stage.clientWidth, stage.clientHeight), small, large, eased(grows ? t : 1 - t), theme);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** `t` = 0: all copies lie on each other, 1: the larger cube. */
function draw(context: CanvasRenderingContext2D, small: Scene, large: Scene, t: number, theme: Theme): void {
  const { nodes, from, to, directed } = large.film.network;
  const few = small.film.network.nodes;
  const between = (a: number, b: number): number => a + (b - a) * t;
  const place = (v: number): [number, number] => {
    const twin = v % few;
    return [between(small.fitted.x[twin]!, large.fitted.x[v]!), between(small.fitted.y[twin]!, large.fitted.y[v]!)];
  };
  for (let link = 0; link < directed; link += 2) {
    const isNew = from[link]! % few === to[link]! % few;
    context.strokeStyle = isNew ? theme.select : theme.link;
    context.lineWidth = isNew ? 2.5 : 1.5;
    context.globalAlpha = isNew ? t : 1;
    context.beginPath();
    context.moveTo(...place(from[link]!));
    context.lineTo(...place(to[link]!));
    context.stroke();
  }
  context.globalAlpha = 1;
  const wide = between(small.sizes.boxWidth, large.sizes.boxWidth);
  const high = between(small.sizes.boxHeight, large.sizes.boxHeight);
  // The copies come first: at the beginning they lie below the cube that they leave.
  for (let v = nodes - 1; v >= 0; v--) {
    const [x, y] = place(v);
    context.fillStyle = theme.background;
    context.strokeStyle = v < few ? theme.frame : theme.select;
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(x - wide / 2, y - high / 2, wide, high, 5);
    context.fill();
    context.stroke();
    if (v >= few && t < 0.35) continue;
    context.fillStyle = theme.ink;
    context.font = `650 ${large.sizes.label}px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(String(v), x, y);
  }
}
