// The stage of one film: the network, drawn in three layers. The still ones (links and boxes below, numbers above) are
// drawn again when the state, the size or a choice changes, the moving one between them (packets) every frame.

import { BoundDrawing } from "../bound/drawing";
import { CanvasPainter, prepared } from "../kit/canvas";
import { element } from "../kit/dom";
import type { Painter } from "../kit/painter";
import { SvgPainter } from "../kit/svg";
import type { Theme } from "../kit/theme";
import type { Colouring } from "./colouring";
import { cellsCorner, drawBoxes, drawLabels } from "./draw-boxes";
import { drawFlights, flightsAt } from "./draw-flights";
import type { Frame } from "./frame";
import { drawHovered, tipOf } from "./hover";
import { drawLinks } from "./draw-links";
import type { Film } from "./film";
import { threadOf, type Journey } from "./journey";
import { MovesHolding } from "./holding-moves";
import { entriesOf } from "./legend-entries";
import type { Options, Selection } from "./options";
import type { Entry, Picture, Shown } from "./picture";
import type { Replay } from "./replay";
import { Scene } from "./scene";

/** A moment in one layer. */
export function drawWhole(painter: Painter, scene: Scene, frame: Frame, bound: BoundDrawing | null): void {
  drawLinks(painter, scene, frame.theme, frame.options);
  drawBoxes(painter, scene, frame.holding, frame.colouring, frame.theme, frame.options);
  bound?.draw(painter, scene, frame);
  drawFlights(painter, scene, frame);
  drawLabels(painter, scene, frame.holding, frame.theme, frame.options);
}

export class Stage implements Picture {
  readonly root = element("div.stage");
  readonly canvas = element("canvas", { role: "img" });
  readonly #still = element("canvas", { "aria-hidden": "true" });
  readonly #labels = element("canvas.above", { "aria-hidden": "true" });
  scene: Scene | null = null;
  #base: Scene | null = null;
  /** The scene of a recording. */
  #taken: Scene | null = null;
  readonly #bound: BoundDrawing | null;
  #sceneKey = "";
  #stillKey = "";
  #frame: Frame | null = null;
  #hovered: Selection | null = null;

  constructor(
    readonly film: Film,
    readonly replay: Replay,
    readonly colouring: Colouring,
  ) {
    this.root.append(this.#still, this.canvas, this.#labels);
    const picture = film.data.bound?.picture;
    this.#bound = picture ? new BoundDrawing(picture) : null;
  }

  get pulls(): boolean {
    return this.#bound !== null;
  }

  /** Forgets the drawing: the theme has changed. */
  refresh(): void {
    this.#stillKey = "";
  }

  draw(now: number, theme: Theme, options: Options, journey: Journey | null, hurried: boolean): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width < 20 || height < 20) {
      if (this.#frame) this.#frame.theme = theme; // on paper it is the file's
      return;
    }
    const base = this.#sceneFor(width, height, options);
    const scene = (this.scene = this.#bound && options.pull > 0 ? this.#bound.scene(base, options.pull) : base);
    const arrived = this.film.arrived(now);
    this.replay.goTo(arrived);
    this.#frame = { now, holding: this.replay.holding, colouring: this.colouring, theme, options, journey, hurried };
    const key = [
      arrived,
      this.#sceneKey,
      window.devicePixelRatio,
      options.colour,
      options.show,
      options.bound,
      options.light,
      options.pull,
      options.bare,
      options.focus,
      JSON.stringify(options.selection),
    ].join("|");
    if (key !== this.#stillKey) {
      this.#stillKey = key;
      const painter = new CanvasPainter(prepared(this.#still, width, height), theme.font);
      drawLinks(painter, scene, theme, options);
      drawBoxes(painter, scene, this.replay.holding, this.colouring, theme, options);
      if (options.light === "ends") this.#bound?.light(painter, scene, theme);
      drawLabels(
        new CanvasPainter(prepared(this.#labels, width, height), theme.font),
        scene,
        this.replay.holding,
        theme,
        options,
      );
    }
    const painter = new CanvasPainter(prepared(this.canvas, width, height), theme.font);
    this.#bound?.draw(painter, scene, this.#frame);
    const flights = drawFlights(painter, scene, this.#frame);
    if (this.#hovered) drawHovered(painter, scene, theme, this.#hovered, flights);
  }

  /** The thing under the pointer: a packet before the box below it, a box before links. The cells of a node that is chosen
      already stand for their blocks. */
  pick(x: number, y: number, touch: boolean): Selection | null {
    const { scene } = this;
    const frame = this.#frame;
    if (!scene || !frame) return null;
    const node = scene.nodeAt(x, y, 0.1);
    const packet = this.#packetAt(x, y, scene.radius + (node >= 0 ? 1 : touch ? 22 : 6));
    if (packet >= 0) return { what: "packet", thread: threadOf(this.film, packet) };
    if (node >= 0) return this.#cellAt(x, y, node) ?? { what: "node", node };
    const near = scene.nodeAt(x, y, touch ? 16 : 5);
    if (near >= 0) return { what: "node", node: near };
    const link = scene.linkAt(x, y, touch ? 20 : 9);
    return link >= 0 ? { what: "link", link } : null;
  }

  /** A ring around the thing under the pointer, and the effect of a click. */
  hover(x: number, y: number): string {
    const frame = this.#frame;
    const found = this.pick(x, y, false);
    this.#hovered = found && frame ? found : null;
    if (!found || !frame) return "";
    return tipOf(this.film, frame.holding, found);
  }

  unhover(): void {
    this.#hovered = null;
  }

  /** The picture as an SVG file. */
  svg(title: string, description: string): string {
    const { scene } = this;
    const frame = this.#frame;
    if (!scene || !frame) return "";
    const painter = new SvgPainter(scene.width, scene.height, frame.theme.background);
    drawWhole(painter, scene, frame, this.#bound);
    return painter.file(title, description);
  }

  /** As large as in a presentation. */
  paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { scene } = this;
    const frame = this.#frame;
    if (!scene || !frame) return;
    if (this.#taken?.layout !== scene.layout || this.#taken.width !== width || this.#taken.height !== height)
      this.#taken = new Scene(this.film, scene.layout, width, height, true);
    const { pull } = frame.options;
    drawWhole(
      new CanvasPainter(context, frame.theme.font),
      this.#bound && pull > 0 ? this.#bound.scene(this.#taken, pull) : this.#taken,
      frame,
      this.#bound,
    );
  }

  legend(options: Options, shown: Shown): Entry[] {
    return entriesOf(this.film, this.scene, options, shown);
  }

  #sceneFor(width: number, height: number, options: Options): Scene {
    const key = `${width}x${height} ${options.layout} ${options.present}`;
    if (key !== this.#sceneKey || !this.#base) {
      this.#sceneKey = key;
      const { layouts } = this.film.data.network;
      this.#base = new Scene(
        this.film,
        layouts[Math.min(options.layout, layouts.length - 1)]!,
        width,
        height,
        options.present,
      );
    }
    return this.#base;
  }

  #packetAt(x: number, y: number, reach: number): number {
    const { scene } = this;
    const frame = this.#frame;
    let [best, found] = [reach, -1];
    for (const { packet, link, along } of flightsAt(this.film, scene!, frame!.now)) {
      const place = scene!.lanes[link]!.at(frame!.hurried ? 0.5 : along);
      const away = Math.hypot(place.x - x, place.y - y);
      if (away < best) [best, found] = [away, packet];
    }
    return found >= 0 || !this.#bound ? found : this.#bound.packetAt(scene!, frame!.now, x, y, reach);
  }

  /** A filled cell stands for the block that came from its origin. */
  #cellAt(x: number, y: number, node: number): Selection | null {
    const { scene } = this;
    const frame = this.#frame;
    const { messages, cells } = this.film.data;
    const { selection, show } = frame!.options;
    if (selection?.what !== "node" || selection.node !== node) return null;
    if (messages.kind !== "moves" || cells.count !== this.film.network.nodes || scene!.sizes.cell < 9 || show >= 0)
      return null;
    const { cell } = scene!.sizes;
    const corner = cellsCorner(scene!, node);
    const column = Math.floor((x - corner.x) / cell);
    const row = Math.floor((y - corner.y) / cell);
    if (column < 0 || row < 0 || column >= cells.columns || row >= cells.rows) return null;
    const index = row * cells.columns + column;
    const { holding } = frame!;
    if (!(holding instanceof MovesHolding) || index >= cells.count || holding.cell(node, index) < 1) return null;
    const m = holding.cellMessage(node, index);
    const [origin, target] = [holding.messages.origin[m]!, holding.messages.target[m]!];
    return origin === target ? null : { what: "packet", thread: { origin, target, part: -1 } };
  }
}
