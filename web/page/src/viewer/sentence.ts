// The sentence of the moment, about the algorithm and the links.

import { upperBound } from "../kit/numbers";
import { grouped } from "../kit/words";
import type { Film } from "./film";
import type { Options, Register } from "./options";

export interface Sentence {
  /** "Step 5." or "14 000 ns." */
  lead: string;
  text: string;
}

interface Timed {
  at: number;
  text: string;
}

/** Captions on one block are for that block: not where another one, or another node's blocks are looked at. */
export function registerOf({ data: { one, messages } }: Film, { say, show, selection }: Options): Register {
  if (!one || say === "all") return "all";
  const shown = show < 0 || (messages.kind !== "sums" && show === one.origin);
  const other =
    selection?.what === "packet" &&
    (selection.thread.origin !== (one.origin ?? -1) || selection.thread.target !== (one.target ?? -1));
  return shown && !other ? "one" : "all";
}

/** Stops of a film in steps: 0 before, 1 .. steps, steps + 1 done. */
function stopAt(film: Film, now: number): number {
  if (now <= 0) return 0;
  return now >= film.length ? film.length + 1 : Math.floor(now) + 1;
}

/** The last sentence that has begun. */
function begun(timed: readonly Timed[], at: number): string {
  const i = upperBound(
    timed.map((one) => one.at),
    at,
  );
  return timed[i - 1]?.text ?? "";
}

export function sentenceAt(film: Film, now: number, register: Register = "all"): Sentence {
  const { data, event } = film;
  const one = register === "one" ? data.one!.sentences : null;
  if (data.clock === "steps") {
    const stop = film.length === 0 ? (data.sentences.length > 1 ? 1 : 0) : stopAt(film, now);
    // The message is the caption of the moment.
    if (event && (stop === event.step || (film.length === 0 && stop === 1)))
      return { lead: event.step <= film.length ? `Step ${grouped(stop)}.` : `${event.title}.`, text: event.message };
    const all = data.sentences as string[];
    const text = one ? begun(one, stop) : (all[Math.min(stop, all.length - 1)] ?? "");
    return { lead: stop >= 1 && stop <= film.length ? `Step ${grouped(stop)}.` : "", text };
  }
  // In time, the event is where the film ends.
  if (event && now >= film.length) return { lead: `${event.title}.`, text: event.message };
  const busy = film.use.at(now);
  const links = film.network.directed;
  const rest =
    now < film.length ? ` ${grouped(busy)} of ${grouped(links)} links ${busy === 1 ? "is" : "are"} busy.` : "";
  return {
    lead: `${grouped(Math.round(now / data.ticks_per_ns))} ns.`,
    text: begun(one ?? (data.sentences as Timed[]), now) + (one ? "" : rest),
  };
}

/** The longest sentence, so that its room can be kept and nothing jumps. */
export function longestSentence(film: Film, register: Register): string {
  const all =
    register === "one"
      ? film.data.one!.sentences.map(({ text }) => text)
      : film.inSteps
        ? (film.data.sentences as string[])
        : (film.data.sentences as Timed[]).map(({ text }) => `${text} 999 of 999 links are busy.`);
  const texts = [
    film.event ? `${film.event.title}. ${film.event.message}` : "",
    ...all.map((text) => (film.inSteps ? `Step ${film.length}. ${text}` : `${film.length} ns. ${text}`)),
  ];
  return texts.reduce((a, b) => (b.length > a.length ? b : a), "");
}
