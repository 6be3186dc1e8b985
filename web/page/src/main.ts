// The page of a lesson, a board, or the lab.

import { BoardPiece } from "./board/board";
import { checkBoard, isBoard } from "./board/document";
import { look } from "./kit/look";
import { beats } from "./lesson/beats";
import { Lesson, type Stagehand } from "./lesson/lesson";
import { begin, Playing, textOf } from "./playing";

look();
const lesson = beats().length > 0;
const playing = new Playing(lesson, (found) => (isBoard(found) ? new BoardPiece(checkBoard(found)) : null));

/** Shows a lesson's views. */
const stagehand: Stagehand = {
  changed: () => undefined,
  forget: (view) => playing.forget(view),
  show: (view, choices) => playing.show(view, choices, (now) => stagehand.changed(now)),
  load: (view) => playing.load(view),
};

/** A page that runs requests (lab/main.ts) has a script of its own, and no document. */
interface Lab {
  begin(host: HTMLElement, play: typeof playing.play, data: string): Promise<void>;
}

begin(playing, async () => {
  const { dcubeLab: lab } = window as { dcubeLab?: Lab };
  const data = textOf(0) ?? "";
  document.body.classList.toggle("lesson", lesson);
  if (lesson) await new Lesson(stagehand, playing.host).begin();
  else if (lab && data.startsWith('{"kind":"lab"'))
    await lab.begin(playing.host, (...what) => playing.play(...what), data);
  else await playing.alone();
});
