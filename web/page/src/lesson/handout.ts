// A printed lesson is a handout: its answers are open, and the solutions of its exercises stand at the end.

import { element } from "../kit/dom";
import { whenPrinting } from "../kit/print";
import { answerOf, contentOf } from "./options";

export function handOut(): void {
  const html = document.documentElement;
  let opened: HTMLDetailsElement[] = [];
  let solutions: HTMLElement | null = null;
  let theme: string | undefined;
  whenPrinting(
    () => {
      theme = html.dataset.theme;
      html.dataset.theme = "light";
      opened = [...document.querySelectorAll<HTMLDetailsElement>(".ask:not([open]), .vote details:not([open])")];
      for (const details of opened) details.open = true;
      solutions = solutionsOf();
      document.querySelector("article")?.append(solutions);
    },
    () => {
      if (theme !== undefined) html.dataset.theme = theme;
      for (const details of opened) details.open = false;
      solutions?.remove();
    },
  );
}

function solutionsOf(): HTMLElement {
  const parts = [...document.querySelectorAll(".exercise")].flatMap((form) => [
    element("h3", ...contentOf(form.querySelector("h3"))),
    ...answerOf(form.querySelector("details.answer")),
  ]);
  return element("section.solutions", element("h2", "Solutions"), ...parts);
}
