// A figure of a lesson on paper: the steps that its lesson names, else the one that it stands at, or a strip of a few where
// it waits before the first; and its schedule as a table, where that is shown.

import type { Choices } from "../kit/address";
import { element } from "../kit/dom";
import { range } from "../kit/numbers";
import { SvgPainter } from "../kit/svg";
import { counted } from "../kit/words";
import { readTheme, type Theme } from "../kit/theme";
import { BoundDrawing } from "../bound/drawing";
import { printedTable } from "../schedule/table";
import { countWords, type Axis } from "./axis";
import { Colouring, waysToColour, type ColourBy } from "./colouring";
import { isThread, journeyOf } from "./journey";
import { readThread, type Options } from "./options";
import { Player } from "./player";
import { Scene } from "./scene";
import { drawWhole } from "./stage";

export const MOST_FRAMES = 3;
/** In a list of steps: the picture of the bound, before the first. */
const PULL = "pull";
const [WIDTH, HEIGHT] = [300, 205];

let strips = 0;

/** Pictures side by side; `draw` draws each, and its caption is below. */
export function strip(
  captions: readonly string[],
  theme: Theme,
  draw: (painter: SvgPainter, i: number) => void,
): HTMLElement {
  const name = `strip-${strips++}-`;
  return element(
    "div.paper",
    ...captions.map((words, i) => {
      const painter = new SvgPainter(WIDTH, HEIGHT, theme.background, `${name}${i}-`);
      draw(painter, i);
      const drawn = new DOMParser().parseFromString(painter.file(words, ""), "image/svg+xml");
      return element("div", document.importNode(drawn.documentElement, true), element("p", words));
    }),
  );
}

/** An empty network of that size, for the painter of a strip. */
export const paperScene = (film: Player["film"], layout: number): Scene =>
  new Scene(film, film.data.network.layouts[layout]!, WIDTH, HEIGHT, false);

interface Moment {
  time: number;
  /** Whether the network is pulled apart. */
  pulled: boolean;
}

export function printed(player: Player, choices: Choices): HTMLElement | null {
  const { axis, film, loaded, options: own } = new Player(player.view, player.loaded);
  const { replay } = loaded[0]!;
  const moments = momentsOf(axis, choices);
  if (!replay || loaded.length > 1 || own.layout < 0 || moments.length === 0) return null;
  const theme = readTheme(document.documentElement);
  const options = chosen(
    own,
    choices,
    waysToColour(film).map(([way]) => way),
  );
  const thread = readThread(choices.follow ?? "");
  const journey = thread && isThread(film, thread) ? journeyOf(film, thread) : null;
  const colouring = new Colouring(film);
  const scene = paperScene(film, options.layout);
  const picture = film.data.bound?.picture;
  const bound = picture ? new BoundDrawing(picture) : null;
  const words = ({ time, pulled }: Moment): string => {
    if (pulled) return "pulled apart, before step 1";
    if (options.bare) return counted(film.network.nodes, "node");
    const [count, of] = countWords(axis.inSteps, time, axis.length);
    return axis.inSteps ? count : count + of;
  };
  const made = strip(moments.map(words), theme, (painter, i) => {
    const { time, pulled } = moments[i]!;
    const now = axis.toFilm(film, time);
    replay.goTo(film.arrived(now));
    const shown = { ...options, pull: Number(pulled) };
    const frame = { now, holding: replay.holding, colouring, theme, options: shown, journey, hurried: false };
    drawWhole(painter, pulled && bound ? bound.scene(scene, 1) : scene, frame, bound);
  });
  player.display.show(); // the figure on the screen has another moment
  return choices.table ? element("div", made, printedTable(player, choices)) : made;
}

function momentsOf(axis: Axis, { print, step = "0", time, look }: Choices): Moment[] {
  if (look === "network") return [{ time: 0, pulled: false }];
  if (print)
    return print
      .split(",")
      .map((stop) => ({ time: stop === PULL ? 0 : axis.time(Number(stop)), pulled: stop === PULL }));
  const stop = time === undefined ? Number(step) : axis.stop(Number(time));
  const stops = stop > 0 ? [stop] : spread(axis.stops - 2); // behind it all is done
  return stops.map((one) => ({ time: axis.time(one), pulled: false }));
}

/** A few of the steps to the last, the first and the last among them. */
function spread(last: number): number[] {
  const count = Math.max(0, Math.min(last, MOST_FRAMES));
  return range(count).map((i) => 1 + Math.round((i * (last - 1)) / Math.max(1, count - 1)));
}

function chosen(own: Options, { colour, show, bound, look }: Choices, colours: readonly ColourBy[]): Options {
  return {
    ...own,
    colour: colours.find((way) => way === colour) ?? own.colour,
    show: show === undefined ? own.show : Number(show),
    bound: bound !== "0",
    bare: look === "network",
  };
}
