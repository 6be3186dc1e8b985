// A lesson's slides in their order, for a lecture hall. For each beat its votes, then the film, then the proof,
// then the questions about the film.

import type { Beat } from "./beats";
import { factsOf } from "./beats";

export type Kind = "title" | "question" | "film" | "bound";

export interface Part {
  readonly beat: Beat;
  readonly kind: Kind;
  /** The vote or the question of the text, else null. */
  readonly question: HTMLElement | null;
  /** From 1 within its beat, as the address has it. */
  readonly number: number;
  readonly notes: readonly HTMLElement[];
}

export function partsOf(beats: readonly Beat[]): Part[] {
  const questions = [...document.querySelectorAll<HTMLElement>("article .vote, article .ask")];
  const notes = [...document.querySelectorAll<HTMLElement>("article .note")];
  const between = (after: Node | null, before: Node): HTMLElement[] =>
    questions.filter(
      (one) =>
        one.closest(".beat") === null &&
        (after === null || after.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) &&
        before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING,
    );
  const parts: Part[] = [];
  beats.forEach((beat, i) => {
    const first = parts.length;
    const own = questions.filter((one) => beat.root.contains(one));
    const about = notes.filter((note) => note.closest(".beat") === beat.root);
    const add = (kind: Kind, question: HTMLElement | null, said: readonly HTMLElement[]): void => {
      parts.push({ beat, kind, question, number: parts.length - first + 1, notes: said });
    };
    const ask = (question: HTMLElement): void =>
      add(
        "question",
        question,
        about.filter((note) => question.contains(note) || !note.closest(".vote, .ask")),
      );
    if (i === 0)
      add(
        "title",
        null,
        notes.filter((note) => note.closest(".beat") === null),
      );
    for (const question of between(beats[i - 1]?.root ?? null, beat.root)) ask(question);
    for (const question of own) if (question.matches(".vote")) ask(question);
    const general = about.filter((note) => !note.closest(".vote, .ask"));
    add("film", null, general);
    if (factsOf(beat.view).bound) add("bound", null, general);
    for (const question of own) if (question.matches(".ask")) ask(question);
  });
  return parts;
}
