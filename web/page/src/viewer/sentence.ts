// The sentence of the moment, about the algorithm and the links.

import { upperBound } from "../kit/numbers";
import { grouped } from "../kit/words";
import type { Film } from "./film";

export interface Sentence {
  /** "Step 5." or "14 000 ns." */
  lead: string;
  text: string;
}

/** Stops of a film in steps: 0 before, 1 .. steps, steps + 1 done. */
function stopAt(film: Film, now: number): number {
  if (now <= 0) return 0;
  return now >= film.length ? film.length + 1 : Math.floor(now) + 1;
}

export function sentenceAt(film: Film, now: number): Sentence {
  const { data } = film;
  if (data.clock === "steps") {
    const stop = film.length === 0 ? (data.sentences.length > 1 ? 1 : 0) : stopAt(film, now);
    const text = (data.sentences as string[])[Math.min(stop, data.sentences.length - 1)] ?? "";
    return { lead: stop >= 1 && stop <= film.length ? `Step ${grouped(stop)}.` : "", text };
  }
  const timed = data.sentences as { at: number; text: string }[];
  const i =
    upperBound(
      timed.map(({ at }) => at),
      now,
    ) - 1;
  const busy = film.use.at(now);
  const links = film.network.directed;
  const rest =
    now < film.length ? ` ${grouped(busy)} of ${grouped(links)} links ${busy === 1 ? "is" : "are"} busy.` : "";
  return { lead: `${grouped(Math.round(now / data.ticks_per_ns))} ns.`, text: (timed[i]?.text ?? "") + rest };
}

/** The longest sentence, so that its room can be kept and nothing jumps. */
export function longestSentence(film: Film): string {
  const texts = film.inSteps
    ? (film.data.sentences as string[]).map((text) => `Step ${film.length}. ${text}`)
    : (film.data.sentences as { text: string }[]).map(
        ({ text }) => `${film.length} ns. ${text} 999 of 999 links are busy.`,
      );
  return texts.reduce((a, b) => (b.length > a.length ? b : a), "");
}
