// A board's picture: the network and its packets as in a film, and the marks of the hand.

import { CanvasPainter, prepared } from "../kit/canvas";
import { element } from "../kit/dom";
import { range } from "../kit/numbers";
import type { Theme } from "../kit/theme";
import { Colouring } from "../viewer/colouring";
import { drawBoxes, drawKept, drawLabels } from "../viewer/draw-boxes";
import { drawFlights, drawRejected, flightsAt, type Flight } from "../viewer/draw-flights";
import { drawLinks } from "../viewer/draw-links";
import type { Film } from "../viewer/film";
import type { Holding } from "../viewer/holding";
import { MovesHolding } from "../viewer/holding-moves";
import type { Options } from "../viewer/options";
import { Scene } from "../viewer/scene";
import { holdingOf } from "./film";

/** The largest distance of a finger from its link. */
const REACH = 24;
/** Nearer to each other than this two links, or the two ends of one, are not told apart. */
const ALIKE = 5;
const PUT = 0.62;

export interface Marks {
  /** Directed links; -1: none. */
  hover: number;
  focus: number;
  hint: number;
  wrong: number;
}

export class BoardPicture {
  readonly root = element("div.stage");
  readonly canvas = element("canvas", { role: "img" });
  scene: Scene | null = null;
  #film: Film | null = null;
  #holding: Holding | null = null;
  #arrived = -1;
  #layout: unknown;

  constructor() {
    this.root.append(this.canvas);
  }

  /** `now` is in steps. While a step is being made its packets lie on their links, several beside each other. */
  draw(film: Film, now: number, making: boolean, theme: Theme, options: Options, marks: Marks): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width < 20 || height < 20) return;
    const scene = this.#sceneFor(film, width, height, options);
    const painter = new CanvasPainter(prepared(this.canvas, width, height), theme.font);
    const holding = this.#holdingAt(film, making ? film.length - 1 : now);
    const colouring = new Colouring(film);
    drawLinks(painter, scene, theme, options);
    for (const [link, colour, wide] of [
      [marks.hint, theme.complete, 7],
      [marks.hover, theme.select, 2],
      [marks.focus, theme.select, 5],
    ] as const) {
      if (link >= 0)
        for (const points of scene.lanes[link]!.pieces) painter.line(points, { colour, width: wide, round: true });
    }
    drawBoxes(painter, scene, holding, colouring, theme, options);
    const frame = { now, holding, colouring, theme, options, journey: null, hurried: false };
    drawFlights(painter, scene, frame, making ? put(film) : flightsAt(film, scene, now));
    drawLabels(painter, scene, holding, theme, options);
    // All packets that a node still has to send, its own too.
    if (holding instanceof MovesHolding)
      for (let node = 0; node < film.network.nodes; node++)
        drawKept(painter, scene, theme, node, holding.own(node) + holding.kept(node));
    if (marks.wrong >= 0) drawRejected(painter, scene, theme, { link: marks.wrong, along: PUT });
  }

  /** The directed links whose sender's half is at x, y: none, one, or several that a tap there may mean. */
  linksAt(x: number, y: number): number[] {
    const { scene } = this;
    if (!scene) return [];
    const { from, to } = scene.film.network;
    const pairs = range(scene.lanes.length / 2).map((pair) => ({
      link: 2 * pair,
      away: Math.min(scene.lanes[2 * pair]!.distance(x, y), scene.lanes[2 * pair + 1]!.distance(x, y)),
    }));
    const nearest = Math.min(...pairs.map(({ away }) => away));
    if (nearest > REACH + scene.aside) return [];
    const away = (node: number): number => Math.hypot(scene.fitted.x[node]! - x, scene.fitted.y[node]! - y);
    return pairs
      .filter((pair) => pair.away < nearest + ALIKE)
      .flatMap(({ link }) => {
        const [here, there] = [away(from[link]!), away(to[link]!)];
        return Math.abs(here - there) < 2 * ALIKE ? [link, link + 1] : here < there ? [link] : [link + 1];
      });
  }

  nodeAt(x: number, y: number): number {
    return this.scene?.nodeAt(x, y, 2) ?? -1;
  }

  /** The scene stays while the size and the network do; only the film is another one. */
  #sceneFor(film: Film, width: number, height: number, options: Options): Scene {
    const layout = film.data.network.layouts[options.layout] ?? film.data.network.layouts[0]!;
    const { scene } = this;
    if (
      scene &&
      scene.width === width &&
      scene.height === height &&
      scene.present === options.present &&
      this.#layout === layout
    )
      scene.film = film;
    else this.scene = new Scene(film, layout, width, height, options.present);
    this.#layout = layout;
    return this.scene!;
  }

  #holdingAt(film: Film, now: number): Holding {
    const arrived = film.arrived(now);
    if (film !== this.#film || arrived !== this.#arrived) this.#holding = holdingOf(film, arrived);
    [this.#film, this.#arrived] = [film, arrived];
    return this.#holding!;
  }
}

/** The packets of the last step, those on one link beside each other. */
function put(film: Film): Flight[] {
  const { count, step, link } = film.packets;
  const flights: Flight[] = [];
  const on = new Map<number, number>();
  for (let packet = 0; packet < count; packet++) {
    if (step[packet] !== film.length) continue;
    const before = on.get(link[packet]!) ?? 0;
    on.set(link[packet]!, before + 1);
    flights.push({ packet, link: link[packet]!, along: Math.max(0.1, PUT - before * 0.24) });
  }
  return flights;
}
