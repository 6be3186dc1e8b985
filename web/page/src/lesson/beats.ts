// The beats of a lesson: sections of its text, each with a state of one of the page's documents. A beat is also a part of the
// address and of the slides.

import type { Choices } from "../kit/address";
import { element } from "../kit/dom";
import { Parameters } from "../schedule/parameters";
import type { Request } from "./lab";

export interface Beat {
  readonly root: HTMLElement;
  /** From 1, as the address has it. */
  readonly number: number;
  /** The number of its document; sliders choose among several. -1: none, it is to be run. */
  readonly view: number;
  /** The numbers of the documents that are printed: of a network that grows, all its sizes. */
  readonly printed: readonly number[];
  /** The exhibit that takes the film's place for a while: a document that was made while the page is open. */
  lent: number | null;
  /** The request of a form that stands in the film's place. */
  request(): Request;
  readonly sliders: Parameters | null;
  /** Its choices; the rest is as the document begins. */
  readonly choices: Choices;
  /** "Figure 5.3" */
  readonly figure: string;
}

/** The beats of the page; none: the page is no lesson. */
export function beats(): Beat[] {
  const lesson = document.querySelector<HTMLElement>("article")?.dataset.lesson ?? "";
  return [...document.querySelectorAll<HTMLElement>("section.beat")].map((root, i) => {
    const { view, sliders, documents, request, requests, ...choices } = { ...root.dataset } as Choices;
    const parameters = sliders
      ? new Parameters(sliders, documents ?? "", Number(view), choices.bound !== "0", requests)
      : null;
    return {
      root,
      number: i + 1,
      sliders: parameters,
      choices,
      figure: `Figure ${lesson}.${i + 1}`,
      lent: null,
      get view() {
        return this.lent ?? parameters?.view ?? Number(view ?? 0);
      },
      get printed() {
        return choices.look === "network" && parameters ? parameters.films : [this.view];
      },
      request: () => parameters?.request ?? (JSON.parse(request ?? "{}") as Request),
    };
  });
}

/** Makes a document of the page: the number that it has from now on. */
export function addDocument(text: string): number {
  const number = document.querySelectorAll(".dcube-data").length;
  document.body.append(
    element("script", { type: "application/json", class: "dcube-data", id: `view-${number}` }, text),
  );
  return number;
}

/** Whether a document is a board: dcube made nothing that could be tried with other numbers, the reader plays. */
export const isBoardView = (view: number): boolean =>
  document.getElementById(`view-${view}`)?.textContent?.includes('"board":') ?? false;

/** A made document is not needed any more; its number stays its own. */
export function emptyDocument(view: number): void {
  document.getElementById(`view-${view}`)?.replaceChildren();
}

/** The facts of a document that the lesson itself needs. */
export interface Facts {
  nodes: number;
  /** Whether there is a proof to show. */
  bound: boolean;
}

export function factsOf(view: number): Facts {
  try {
    const [film, other] = JSON.parse(document.getElementById(`view-${view}`)?.textContent ?? "").films;
    return { nodes: film.network.nodes, bound: other === undefined && film.bound !== null };
  } catch {
    return { nodes: 0, bound: false }; // a board, or a document that the page cannot read
  }
}
