// The thing under the pointer: a ring around it, and a line with its name and the effect of a click.

import type { Painter } from "../kit/painter";
import type { Theme } from "../kit/theme";
import type { Flight } from "./draw-flights";
import type { Film } from "./film";
import type { Holding } from "./holding";
import { carries, nameOf } from "./journey";
import type { Selection } from "./options";
import { hasWords } from "./packet-words";
import type { Scene } from "./scene";

/** "node 5: has 3 of 8 blocks", "the block from 0 to 7: click to follow it". */
export function tipOf(film: Film, holding: Holding, found: Selection): string {
  switch (found.what) {
    case "node": {
      const has = hasWords(film, holding, found.node);
      return `node ${found.node}${has && `: ${has}`}`;
    }
    case "link":
      return `link ${film.network.from[found.link]} to ${film.network.to[found.link]}: click to see all that it carries`;
    case "packet":
      return `${nameOf(film, found.thread)}: click to follow it`;
    case "group":
      return "";
  }
}

export function drawHovered(
  painter: Painter,
  scene: Scene,
  theme: Theme,
  found: Selection,
  flights: readonly Flight[],
): void {
  const ring = { stroke: theme.select, width: 2 };
  if (found.what === "node") {
    const { left, top, right, bottom } = scene.box(found.node);
    painter.rect(left - 4, top - 4, right - left + 8, bottom - top + 8, 6, ring);
  } else if (found.what === "link") {
    for (const points of scene.lanes[found.link]!.pieces)
      painter.line(points, { colour: theme.select, width: 2, round: true });
  } else if (found.what === "packet") {
    const { first } = scene.film.packets;
    for (const { packet, link, along } of flights) {
      if (!carries(scene.film, first[packet]!, found.thread)) continue;
      const { x, y } = scene.lanes[link]!.at(along);
      painter.disc(x, y, scene.radius + 3.5, ring);
    }
  }
}
