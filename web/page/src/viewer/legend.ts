// The legend: only marks that are really shown, in the words of this film.

import { CanvasPainter, prepared } from "../kit/canvas";
import { element } from "../kit/dom";
import type { Theme } from "../kit/theme";
import { HEIGHT, WIDTH, shownName } from "./legend-entries";
import type { Options } from "./options";
import type { Entry, Picture, Shown } from "./picture";

/** A picture, and what of it is shown now. */
export interface Explained {
  picture: Pick<Picture, "legend" | "scene">;
  shown: Shown;
}

/** The pictures' marks; what two of them have in common is there once. */
function entriesOfAll(all: readonly Explained[], options: Options): Entry[] {
  const entries = all.flatMap(({ picture, shown }) => picture.legend(options, shown));
  return [...new Map(entries.map((entry) => [entry[1], entry])).values()];
}

export class Legend {
  readonly root = element("section.card.legend");
  #key = "";

  /** `hint`: what a click does. */
  constructor(private readonly hint = "Click a packet to follow it, a node or a link to see all of it.") {}

  update(all: readonly Explained[], options: Options, theme: Theme): void {
    const entries = entriesOfAll(all, options);
    this.root.hidden = entries.length === 0;
    const key = JSON.stringify([
      entries.map(([, words]) => words),
      theme.dark,
      theme.background,
      options.colour,
      options.show,
    ]);
    if (key === this.#key) return;
    this.#key = key;
    const scene = all.find(({ picture }) => picture.scene)?.picture.scene;
    const heading =
      options.show >= 0 && scene ? `What you see: ${shownName(scene.film, options.show)}` : "What you see";
    const list = element("ul");
    this.root.replaceChildren(element("h2", heading), list);
    for (const [draw, words] of entries) {
      const canvas = element("canvas", { "aria-hidden": "true" });
      canvas.style.width = `${WIDTH}px`;
      canvas.style.height = `${HEIGHT}px`;
      draw(new CanvasPainter(prepared(canvas, WIDTH, HEIGHT), theme.font), theme);
      list.append(element("li", canvas, element("span", words)));
    }
    if (scene && scene.film.network.directed > 0) this.root.append(element("p.hint", this.hint));
  }
}
