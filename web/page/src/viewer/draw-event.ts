// What went wrong, in the picture: packets that are lost on their way, and the event in which a film ends.

import type { Painter } from "../kit/painter";
import type { Theme } from "../kit/theme";
import type { Frame } from "./frame";
import type { Scene } from "./scene";

/** Where a packet is lost on its link. */
export const LOST_AT = 0.5;

/** Links on which packets were lost until now: dashed from then on, with a cross where the last one burst. */
export function drawLosses(painter: Painter, scene: Scene, { now, theme }: Frame): void {
  const { film, lanes } = scene;
  const { start, end, link } = film.packets;
  const burst = new Set<number>();
  for (const packet of film.lost)
    if (now >= start[packet]! + LOST_AT * (end[packet]! - start[packet]!)) burst.add(link[packet]!);
  for (const one of burst) {
    for (const points of lanes[one]!.pieces) painter.line(points, { colour: theme.wrong, width: 1.8, dash: [3, 5] });
    drawBurst(painter, scene, theme, one);
  }
}

/** A cross with rays, in the middle of a link. */
export function drawBurst(painter: Painter, scene: Scene, theme: Theme, link: number): void {
  const { x, y } = scene.lanes[link]!.at(LOST_AT);
  const reach = Math.max(6, scene.radius * 1.15);
  const ray = (angle: number, from: number, to: number, width: number): void =>
    painter.line(
      [x + Math.cos(angle) * from, y + Math.sin(angle) * from, x + Math.cos(angle) * to, y + Math.sin(angle) * to],
      { colour: theme.wrong, width, round: true },
    );
  for (let i = 0; i < 4; i++) {
    ray(((2 * i + 1) * Math.PI) / 4, 0, reach, 3);
    ray((i * Math.PI) / 2, reach * 0.75, reach * 1.2, 1.8);
  }
}

/** The offending node and its link, nodes that wait, and the cell that is wrong. */
export function drawEvent(painter: Painter, scene: Scene, { now, theme }: Frame): void {
  const { film } = scene;
  const { event } = film;
  if (!event || now < (film.inSteps ? Math.min(film.length, event.step - 1) : film.length)) return;
  if (event.link >= 0 && event.what !== "deadlock")
    for (const link of [event.link, event.link ^ 1])
      for (const points of scene.lanes[link]!.pieces)
        painter.line(points, { colour: theme.wrong, width: 2, dash: [6, 4] });
  for (const { node, link } of event.waiting) drawWaiting(painter, scene, theme, node, link);
  if (event.node >= 0 && event.waiting.length === 0) ring(painter, scene, theme, event.node);
}

function ring(painter: Painter, scene: Scene, theme: Theme, node: number): void {
  const { left, top, right, bottom } = scene.box(node);
  painter.rect(left - 6, top - 6, right - left + 12, bottom - top + 12, 9, { stroke: theme.wrong, width: 3.2 });
}

/** An arrow from the node to the port it waits for: the packet would come over that link. Any port: a ring alone. */
function drawWaiting(painter: Painter, scene: Scene, theme: Theme, node: number, link: number): void {
  ring(painter, scene, theme, node);
  if (link < 0) return;
  const lane = scene.lanes[link]!;
  const share = Math.min(0.45, Math.max(0.2, 34 / Math.max(1, lane.length)));
  const [tip, before] = [lane.at(share), lane.at(share * 0.8)];
  painter.line(lane.between(0, share), { colour: theme.wrong, width: 3 });
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  for (const side of [-1, 1])
    painter.line([tip.x, tip.y, tip.x - 9 * dx + 6 * side * dy, tip.y - 9 * dy - 6 * side * dx], {
      colour: theme.wrong,
      width: 3,
      round: true,
    });
}
