// The nodes that a line of the proof speaks of, lit in the network: senders and receivers.

import type { Painter } from "../kit/painter";
import type { Theme } from "../kit/theme";
import type { Scene } from "../viewer/scene";
import { bitsOf, type BoundPicture } from "./picture";

export function drawEnds(painter: Painter, scene: Scene, picture: BoundPicture, theme: Theme): void {
  endsOf(picture, scene.film.network.nodes).forEach((end, node) => {
    if (end === "" || scene.film.network.lacks(node)) return;
    const { left, top, right, bottom } = scene.box(node);
    const [by, width] = end === "from" ? [4, 3.4] : [3, 1.6];
    painter.rect(left - by, top - by, right - left + 2 * by, bottom - top + 2 * by, 5, { stroke: theme.bound, width });
  });
}

/** The senders and the receivers of the counted packets. */
function endsOf(picture: BoundPicture, count: number): ("from" | "to" | "")[] {
  const nodes = Array<"from" | "to" | "">(count).fill("");
  switch (picture.kind) {
    case "cut":
      return picture.sending === undefined
        ? nodes
        : bitsOf(picture.sending, count).map((sends) => (sends ? "from" : "to"));
    case "ports":
      nodes[picture.node] = "from";
      break;
    case "parts":
      return picture.of.map((part) => (part === -1 ? "from" : ""));
    case "distance":
      [nodes[picture.from], nodes[picture.to]] = ["from", "to"];
      break;
    case "growth":
      nodes[picture.root] = "from";
      break;
    case "amount":
    case "time":
      break;
  }
  return nodes;
}
