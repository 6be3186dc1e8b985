// The boxes of the nodes: number, cells, kept blocks, complete, root, selected.

import { css, mix, readable, type Rgb } from "../kit/colour";
import type { Painter } from "../kit/painter";
import { nominal, type Theme } from "../kit/theme";
import type { Colouring } from "./colouring";
import type { Film } from "./film";
import type { Holding } from "./holding";
import { CopiesHolding } from "./holding-copies";
import { MovesHolding } from "./holding-moves";
import { SumsHolding } from "./holding-sums";
import type { Options } from "./options";
import type { Scene } from "./scene";

/** The node that a one-root collective starts from or ends at, or -1. */
export function rootOf(film: Film): number {
  const { pairs, origins, sums, kind } = film.data.messages;
  if (kind === "moves" && typeof pairs === "object" && !Array.isArray(pairs))
    return "from" in pairs ? pairs.from : pairs.to;
  if (kind === "copies" && Array.isArray(origins) && origins.length === 1) return origins[0]!;
  if (kind === "sums" && sums!.length === 1) return sums![0] ?? -1;
  return -1;
}

export function drawBoxes(
  painter: Painter,
  scene: Scene,
  holding: Holding,
  colouring: Colouring,
  theme: Theme,
  options: Options,
): void {
  const root = rootOf(scene.film);
  for (let node = 0; node < scene.film.network.nodes; node++) {
    if (scene.film.network.lacks(node)) {
      drawGhost(painter, scene, theme, node);
      continue;
    }
    if (scene.film.network.switches.has(node)) {
      drawSwitch(painter, scene, theme, node);
      continue;
    }
    drawBox(painter, scene, holding, theme, options, node, node === root);
    if (options.bits) drawInBox(painter, scene, theme, node, bitsOf(scene.film.network.nodes, node));
    if (options.bare) continue;
    if (options.values.length > 0 && holding instanceof SumsHolding)
      drawInBox(
        painter,
        scene,
        theme,
        node,
        String(sumOf(options.values, (member) => holding.includes(node, holding.shown(node), 0, member))),
      );
    else if (options.show >= 0 && !(holding instanceof SumsHolding))
      drawShown(painter, scene, holding, theme, options.show, node);
    else drawCells(painter, scene, holding, colouring, theme, options, node);
  }
}

/** "101": a node's number in the digits of the largest one. */
const bitsOf = (nodes: number, node: number): string => node.toString(2).padStart((nodes - 1).toString(2).length, "0");

/** The sum of the values of those nodes whose shares are in it. */
export const sumOf = (values: readonly number[], has: (member: number) => boolean): number =>
  values.reduce((sum, value, member) => sum + (has(member) ? value : 0), 0);

/** A few letters in the middle of a node's box, as large as it has room for them. */
function drawInBox(painter: Painter, scene: Scene, theme: Theme, node: number, text: string): void {
  const { left, top, right, bottom } = scene.box(node);
  const size = Math.min((bottom - top) * 0.62, (right - left - 6) / (Math.max(2, text.length) * 0.72));
  if (size < theme.least) return;
  painter.text((left + right) / 2, (top + bottom) / 2, text, { size, colour: theme.ink, weight: 650 });
}

/** Numbers of nodes and of their kept blocks stand above the packets: nothing covers them. */
export function drawLabels(painter: Painter, scene: Scene, holding: Holding, theme: Theme, options: Options): void {
  const root = rootOf(scene.film);
  const { label } = scene.sizes;
  for (let node = 0; node < scene.film.network.nodes; node++) {
    const { left, top } = scene.box(node);
    painter.text(left - (root === node ? 6 : 3), top + label * 0.12, String(node), {
      size: label,
      colour: scene.film.network.lacks(node) ? theme.muted : theme.ink,
      weight: 650,
      align: "right",
      halo: theme.background,
    });
    if (options.show < 0 && root < 0 && !options.bare) drawKept(painter, scene, theme, node, holding.kept(node));
  }
}

/** A node that only passes packets on: round, and empty. */
function drawSwitch(painter: Painter, scene: Scene, theme: Theme, node: number): void {
  const { left, top, right, bottom } = scene.box(node);
  painter.disc((left + right) / 2, (top + bottom) / 2, (right - left) / 2, { stroke: theme.ink, width: 1.2 });
}

/** A node that the network lacks: a box in dashes, crossed out. */
function drawGhost(painter: Painter, scene: Scene, theme: Theme, node: number): void {
  const { left, top, right, bottom } = scene.box(node);
  const dashes = { colour: theme.wrong, width: 1.2, dash: [3, 3] };
  for (const points of [
    [left, top, right, top],
    [right, top, right, bottom],
    [right, bottom, left, bottom],
    [left, bottom, left, top],
    [left, top, right, bottom],
    [left, bottom, right, top],
  ])
    painter.line(points, dashes);
}

function drawBox(
  painter: Painter,
  scene: Scene,
  holding: Holding,
  theme: Theme,
  options: Options,
  node: number,
  root: boolean,
): void {
  const { left, top, right, bottom } = scene.box(node);
  const { side } = scene.sizes;
  const round = Math.max(2.5, side * 0.12);
  const chosen = options.selection?.what === "node" && options.selection.node === node;
  const whole = !options.bare && holding.due(node) > 0 && holding.got(node) === holding.due(node);
  const [frame, width] = chosen
    ? [theme.select, 3.4]
    : whole
      ? [theme.complete, 2.4]
      : [theme.frame, side > 30 ? 1.5 : 1.1];
  const edge = (by: number, look: { stroke: string; width: number }): void =>
    painter.rect(left - by, top - by, right - left + 2 * by, bottom - top + 2 * by, round + by, look);
  if (root) edge(4, { stroke: theme.ink, width: 1.8 });
  painter.rect(left, top, right - left, bottom - top, round, {
    fill: theme.dark ? theme.panel : theme.background,
    stroke: frame,
    width,
  });
  if (options.focus === node) edge(root ? 8 : 5, { stroke: theme.select, width: 3 });
}

function drawCells(
  painter: Painter,
  scene: Scene,
  holding: Holding,
  colouring: Colouring,
  theme: Theme,
  options: Options,
  node: number,
): void {
  const { cells } = scene.film.data;
  const { cell: size } = scene.sizes;
  const { x, y } = cellsCorner(scene, node);
  const { show } = options;
  for (let cell = 0; cell < cells.count; cell++) {
    const share =
      show >= 0 && holding instanceof SumsHolding ? holding.cellOfBlock(node, show, cell) : holding.cell(node, cell);
    if (share < 0) continue;
    const colour = share > 0 ? colouring.cell(node, cell, options.colour, theme) : theme.ground;
    drawCell(
      painter,
      x + (cell % cells.columns) * size,
      y + Math.floor(cell / cells.columns) * size,
      size,
      share,
      colour,
      theme,
    );
  }
}

/** Left top corner of the cells in a node's box. */
export function cellsCorner(scene: Scene, node: number): { x: number; y: number } {
  const { cells } = scene.film.data;
  const { cell } = scene.sizes;
  return { x: scene.fitted.x[node]! - (cells.columns * cell) / 2, y: scene.fitted.y[node]! - (cells.rows * cell) / 2 };
}

export function drawCell(
  painter: Painter,
  x: number,
  y: number,
  size: number,
  share: number,
  colour: Rgb,
  theme: Theme,
): void {
  const gap = size > 8 ? 1 : size > 4 ? 0.6 : 0;
  const inner = size - gap;
  if (share < 1) painter.rect(x + gap / 2, y + gap / 2, inner, inner, 0, { fill: theme.empty });
  if (share <= 0) return;
  const high = inner * share;
  // A thin rim keeps pale hues apart from the white of the box.
  const rim = size > 5 ? { stroke: theme.dark ? theme.background : css(mix(colour, [0, 0, 0], 0.45)), width: 0.6 } : {};
  painter.rect(x + gap / 2, y + gap / 2 + inner - high, inner, high, 0, { fill: css(colour), ...rim });
}

/** The number of blocks that wait here for others: a pill at the lower right corner. */
export function drawKept(painter: Painter, scene: Scene, theme: Theme, node: number, kept: number): void {
  const { side, boxWidth } = scene.sizes;
  if (kept === 0 || side < 30) return;
  const { right, bottom } = scene.box(node);
  const size = Math.max(10, side * 0.24);
  if (size < theme.least) return;
  const text = String(kept);
  const width = Math.min(boxWidth, Math.max(size * 1.15, size * 0.62 * text.length + size * 0.5));
  painter.rect(right - width * 0.7, bottom - size * 0.62, width, size * 1.24, size * 0.62, {
    fill: theme.background,
    stroke: theme.frame,
    width: 1,
  });
  painter.text(right - width * 0.2, bottom, text, { size, colour: theme.ink, weight: 600 });
}

/** The box when the blocks of one origin are shown: filled when its block is here, a number where its blocks wait. */
function drawShown(painter: Painter, scene: Scene, holding: Holding, theme: Theme, origin: number, node: number): void {
  const { left, top, right, bottom } = scene.box(node);
  const pad = Math.max(2, scene.sizes.side * 0.08);
  const colour = nominal(theme, origin, scene.film.network.nodes);
  let share = 0;
  let waiting = 0;
  if (holding instanceof MovesHolding) {
    const { messages } = holding;
    const own = messages.of(origin, node);
    if (own >= 0 && messages.parts[own]! > 0) share = holding.partsAt(own, node) / messages.parts[own]!;
    for (let target = 0; target < scene.film.network.nodes; target++) {
      const m = target === node ? -1 : messages.of(origin, target);
      if (m >= 0) waiting += holding.partsAt(m, node);
    }
  } else if (holding instanceof CopiesHolding) share = Math.max(0, holding.share(node, origin));
  const [width, height] = [right - left - 2 * pad, bottom - top - 2 * pad];
  painter.rect(left + pad, top + pad, width, height, 1.5, { fill: theme.empty });
  const high = height * share;
  if (share > 0) painter.rect(left + pad, top + pad + height - high, width, high, 1.5, { fill: css(colour) });
  if (waiting > 0) {
    const size = Math.min(scene.sizes.side * 0.42, scene.present ? 26 : 18);
    if (size < theme.least) return;
    const ink = share > 0.5 ? readable(colour) : theme.ink;
    painter.text((left + right) / 2, (top + bottom) / 2, String(waiting), { size, colour: ink, weight: 650 });
  }
}
