// A figure of a lesson on paper: the step that it stands at, or a strip of a few where it waits before the first; and its
// schedule as a table, where that is shown.

import type { Choices } from "../kit/address";
import { element } from "../kit/dom";
import { range } from "../kit/numbers";
import { SvgPainter } from "../kit/svg";
import { counted } from "../kit/words";
import { readTheme, type Theme } from "../kit/theme";
import { printedTable } from "../schedule/table";
import { countWords, type Axis } from "./axis";
import { Colouring, waysToColour, type ColourBy } from "./colouring";
import { isThread, journeyOf } from "./journey";
import { readThread, type Options } from "./options";
import { Player } from "./player";
import { Scene } from "./scene";
import { drawWhole } from "./stage";

export const MOST_FRAMES = 3;
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
  const words = (time: number): string => {
    if (options.bare) return counted(film.network.nodes, "node");
    const [count, of] = countWords(axis.inSteps, time, axis.length);
    return axis.inSteps ? count : count + of;
  };
  const made = strip(moments.map(words), theme, (painter, i) => {
    const now = axis.toFilm(film, moments[i]!);
    replay.goTo(film.arrived(now));
    const { holding } = replay;
    drawWhole(painter, scene, { now, holding, colouring, theme, options, journey, hurried: false }, null);
  });
  player.display.show(); // the figure on the screen has another moment
  return choices.table ? element("div", made, printedTable(player, choices)) : made;
}

/** The times of the frames. */
function momentsOf(axis: Axis, { step = "0", time, look }: Choices): number[] {
  if (look === "network") return [0];
  const stop = time === undefined ? Number(step) : axis.stop(Number(time));
  if (stop > 0) return [axis.time(stop)];
  const last = axis.stops - 2; // behind it all is done
  const count = Math.min(last, MOST_FRAMES);
  return range(Math.max(0, count)).map((i) => axis.time(1 + Math.round((i * (last - 1)) / Math.max(1, count - 1))));
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
