// A board on paper: the network for a few steps, in which packets are drawn by hand.

import { range } from "../kit/numbers";
import { readTheme } from "../kit/theme";
import { Colouring, firstColour } from "../viewer/colouring";
import { drawBoxes, drawLabels } from "../viewer/draw-boxes";
import { drawLinks } from "../viewer/draw-links";
import { PLAIN } from "../viewer/options";
import { MOST_FRAMES, paperScene, strip } from "../viewer/printed";
import { networkOf, taskOf, type BoardData } from "./document";
import { filmOf, holdingOf } from "./film";

export function printedBoard(board: BoardData): HTMLElement {
  const network = networkOf(board);
  const film = filmOf(board.film, network, taskOf(board, network, board.one_port), []);
  const theme = readTheme(document.documentElement);
  const [scene, colouring, holding] = [paperScene(film, 0), new Colouring(film), holdingOf(film, 0)];
  const steps = range(MOST_FRAMES).map((i) => `step ${i + 1}`);
  return strip(steps, theme, (painter, i) => {
    // Only before the first step it is known who has what.
    const options = { ...PLAIN, colour: firstColour(film), bare: i > 0 };
    drawLinks(painter, scene, theme, options);
    drawBoxes(painter, scene, holding, colouring, theme, options);
    drawLabels(painter, scene, holding, theme, options);
  });
}
