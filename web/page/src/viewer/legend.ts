// The legend: only marks that are really shown, in the words of this film.

import { CanvasPainter, prepared } from "../kit/canvas";
import { element } from "../kit/dom";
import type { Theme } from "../kit/theme";
import { HEIGHT, WIDTH } from "./legend-entries";
import type { Options } from "./options";
import type { Picture, Shown } from "./picture";

export class Legend {
  readonly root = element("section.card.legend");
  #key = "";

  /** `hint`: what a click does. */
  constructor(private readonly hint = "Click a packet to follow it, a node or a link to see all of it.") {}

  update(picture: Pick<Picture, "legend" | "scene">, options: Options, theme: Theme, shown: Shown): void {
    const entries = picture.legend(options, shown);
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
    const heading =
      options.show >= 0 && picture.scene
        ? `What you see: ${picture.scene.film.blocks > 0 ? `block ${options.show + 1}` : `the blocks of node ${options.show}`}`
        : "What you see";
    const list = element("ul");
    this.root.replaceChildren(element("h2", heading), list);
    for (const [draw, words] of entries) {
      const canvas = element("canvas", { "aria-hidden": "true" });
      canvas.style.width = `${WIDTH}px`;
      canvas.style.height = `${HEIGHT}px`;
      draw(new CanvasPainter(prepared(canvas, WIDTH, HEIGHT), theme.font), theme);
      list.append(element("li", canvas, element("span", words)));
    }
    if (picture.scene && picture.scene.film.network.directed > 0) this.root.append(element("p.hint", this.hint));
  }
}
