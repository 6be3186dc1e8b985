// The still part of the drawing below the boxes: links, with a mark on those that bind.

import type { Painter } from "../kit/painter";
import type { Theme } from "../kit/theme";
import { mix, parseColour, css } from "../kit/colour";
import { nominal } from "../kit/theme";
import { FAINT, litBy } from "./light";
import type { Options } from "./options";
import type { Scene } from "./scene";

export function drawLinks(painter: Painter, scene: Scene, theme: Theme, options: Options): void {
  const { middles } = scene;
  const width = scene.sizes.side > 40 ? 1.6 : 1.1;
  if (options.pull === 0)
    for (const points of scene.lost) painter.line(points, { colour: theme.wrong, width: 1.6, dash: [3, 6] });
  const binding = new Set((options.bound || options.pull > 0 ? scene.binding : []).map((link) => link >> 1));
  const lit = litBy(scene.film, options);
  middles.forEach((pieces, link) => {
    if (binding.has(link)) return;
    painter.opacity(lit && !lit(2 * link) ? FAINT : 1);
    const shown =
      lit?.(2 * link) && typeof options.light === "number"
        ? { colour: css(nominal(theme, options.light, 8)), width: 4 }
        : { colour: theme.link, width };
    for (const points of pieces) painter.line(points, shown);
  });
  painter.opacity(typeof options.light === "number" ? FAINT : 1);
  const band = css(mix(theme.ground, parseColour(theme.bound), theme.dark ? 0.3 : 0.2));
  const wide = Math.min(16, 2 * scene.radius + 1);
  for (const link of binding) for (const points of middles[link]!) painter.line(points, { colour: band, width: wide });
  for (const link of binding) for (const points of middles[link]!) painter.line(points, { colour: theme.bound, width });
  painter.opacity(1);
  drawStubs(painter, scene, theme);
  const { selection } = options;
  if (selection?.what === "link") {
    for (const points of middles[selection.link >> 1]!) painter.line(points, { colour: theme.select, width: 1.6 });
    for (const points of scene.lanes[selection.link]!.pieces)
      painter.line(points, { colour: theme.select, width: 3.4, round: true });
  }
}

/** Where a link leaves the drawing stands the number of the node that it leads to. */
function drawStubs(painter: Painter, scene: Scene, theme: Theme): void {
  const { fitted, sizes } = scene;
  const size = Math.max(10.5, theme.least, sizes.label * 0.78);
  for (const [link, x, y, node] of fitted.variant.stubs) {
    const [first, second] = fitted.variant.bends[link] ?? [];
    if (!first || !second) continue;
    // The label stands beyond the end, in the direction in which the stub goes.
    const ends = [first.slice(-4), [second[2]!, second[3]!, second[0]!, second[1]!]];
    const [ax, ay, bx, by] = ends.find((end) => Math.hypot(end[2]! - x, end[3]! - y) < 1e-6) ?? ends[0]!;
    const across = Math.abs(bx! - ax!) > Math.abs(by! - ay!);
    const sign = Math.sign(across ? bx! - ax! : by! - ay!);
    const [sx, sy] = fitted.place(x, y);
    painter.text(sx + (across ? sign * size * 0.5 : 0), sy + (across ? 0 : sign * size * 0.75), String(node), {
      size,
      colour: theme.muted,
      align: across ? (sign < 0 ? "right" : "left") : "center",
      halo: theme.background,
    });
  }
}
