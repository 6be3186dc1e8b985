// "Try it": a lesson's film, changed and run. Its film takes the place of the lesson's until the reader goes back.

import { element, say, wordButton } from "../kit/dom";
import type { Beat } from "./beats";
import { theLab, type Request } from "./lab";

/** The lesson, as the buttons use it. */
export interface Lender {
  readonly current: Beat | null;
  readonly beats: readonly Beat[];
  /** Plays a document in the place of the beat's film. */
  lend(beat: Beat, document: string): Promise<void>;
  /** The beat's own film again. */
  giveBack(beat: Beat): void;
}

/** The buttons of a beat, and the place where its form opens. */
export function tryable(lender: Lender, beat: Beat): HTMLElement[] {
  const place = element("div.trial");
  const said = element("span.trial-said", { role: "status" });
  place.hidden = true;
  const back = wordButton("Back to the lesson's film", () => {
    lender.giveBack(beat);
    back.hidden = true;
  });
  back.hidden = true;
  const open = wordButton(
    "Try it",
    async () => {
      place.hidden = !place.hidden;
      open.ariaExpanded = String(!place.hidden);
      if (place.hidden || place.childElementCount > 0) return;
      try {
        const lab = await theLab();
        say(said, "");
        lab.open(place, beat.request(), async (document) => {
          await lender.lend(beat, document);
          back.hidden = false;
        });
      } catch (error) {
        place.hidden = true;
        open.ariaExpanded = "false";
        say(said, (error as Error).message);
      }
    },
    "button.try",
  );
  open.ariaExpanded = "false";
  beat.root.append(place);
  return [open, back, said];
}

/** Runs an exercise's command: its film takes the place of the current beat's, and the guess stays beside the result. */
export async function made(lender: Lender, request: Request, said: string, place: HTMLElement): Promise<void> {
  const words = element("span", { role: "status" }, "Running..");
  place.replaceChildren(words);
  try {
    const { document, words: result } = await (await theLab()).run(request);
    const beat = lender.current ?? lender.beats.at(-1)!;
    await lender.lend(beat, document);
    say(words, `You said ${said}. dcube: ${result}`);
    const back = wordButton("Back to the lesson's film", () => {
      lender.giveBack(beat);
      back.remove();
    });
    place.append(" ", back);
  } catch (error) {
    say(words, (error as Error).message);
  }
}

/** An exercise that is done by a run: the form or the editor opens in it. */
export function trial(lender: Lender, root: HTMLElement): void {
  const output = element("output.verdict-of-answer", { role: "status" });
  const place = element("div.trial");
  const button = root.querySelector<HTMLButtonElement>(".entry button")!;
  let lent: Beat | null = null;
  const back = wordButton(
    "Back to the lesson's film",
    () => {
      if (lent) lender.giveBack(lent);
      back.hidden = true;
    },
    "button.trial-back",
  );
  back.hidden = true;
  root.querySelector(".entry")!.after(output, place, back);
  button.addEventListener("click", async () => {
    try {
      const lab = await theLab();
      if (place.childElementCount > 0) return;
      output.textContent = "";
      lab.exercise(root, place, output, async (document) => {
        lent = lender.current ?? lender.beats.at(-1)!;
        await lender.lend(lent, document);
        back.hidden = false;
      });
      button.parentElement!.hidden = true;
    } catch (error) {
      output.textContent = (error as Error).message;
    }
  });
}
