// A lesson: text on the left, the player on the right. A beat of the text sets the player when it is reached or its
// button is pressed; an exercise compares what was typed with its answer.

import { element } from "../kit/dom";

export interface Stagehand {
  /** Shows a state of one of the page's documents. */
  show(view: number, choices: Record<string, string>): Promise<void>;
}

/** Whether the page is a lesson. */
export const beats = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("section.beat")];

/** What a beat asks for, with the first beat's choices as what holds where a beat says nothing. */
function choicesOf(beat: HTMLElement): Record<string, string> {
  const { view: _, ...choices } = { ...beat.dataset } as Record<string, string>;
  return { follow: "", ...choices };
}

export async function teach(stagehand: Stagehand): Promise<void> {
  const all = beats();
  let current: HTMLElement | null = null;
  let pressedAt = NaN;  // where the page stood when a button was pressed
  const reach = async (beat: HTMLElement): Promise<void> => {
    if (beat === current) return;
    current = beat;
    for (const other of all) other.toggleAttribute("data-current", other === beat);
    await stagehand.show(Number(beat.dataset.view ?? 0), choicesOf(beat));
  };
  for (const beat of all) {
    const again = element("button.again", { type: "button" }, "Show this");
    again.addEventListener("click", () => {
      current = null;
      pressedAt = scrollY;
      void reach(beat);
    });
    beat.append(again);
  }
  document.querySelectorAll<HTMLFormElement>("form.exercise").forEach(exercise);
  await reach(all[0]!);
  // A beat is reached when its top has come into the upper part of the window; what a button has shown stays until the
  // page is moved.
  const seen = new IntersectionObserver(() => {
    if (scrollY === pressedAt) return;
    pressedAt = NaN;
    const line = innerHeight * (innerWidth < 1000 ? 0.75 : 0.45);
    const above = all.filter((beat) => beat.getBoundingClientRect().top < line);
    void reach(above.at(-1) ?? all[0]!);
  }, { rootMargin: "0px 0px -20% 0px", threshold: [0, 0.1, 0.25, 0.5, 0.75, 1] });
  for (const beat of all) seen.observe(beat);
}

/** Spaces of all widths and the marks that group digits do not matter. */
const normal = (text: string): string => text.trim().toLowerCase().replace(/(?<=\d)[\s,'\u2019_]+(?=\d)/g, "").replace(/\s+/g, " ");

function exercise(form: HTMLFormElement): void {
  const verdict = element("output", { role: "status" });
  form.append(verdict);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const right = normal(form.querySelector("input")?.value ?? "") === normal(form.dataset.answer ?? "");
    verdict.className = right ? "right" : "";
    verdict.textContent = right ? "Right." : "Not yet.";
  });
}
