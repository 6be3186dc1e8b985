// Where there is no room for the cards beside or below a figure, a button opens them.

import { element } from "../kit/dom";
import type { Exhibit } from "../kit/exhibit";

/** Adds the button, or brings its text up to date: a proof may have come or gone. */
export function foldCards({ root }: Exhibit): void {
  const side = root.querySelector<HTMLElement>(".side");
  if (!side || side.hidden) return;
  const known = root.querySelector<HTMLElement>(".unfold");
  const button = known ?? element("button.unfold", { type: "button" });
  const say = (): void => {
    const open = "unfolded" in root.dataset;
    button.setAttribute("aria-expanded", String(open));
    const closed = side.querySelector(".proof:not([hidden])") ? "Why not fewer? \u00b7 What you see" : "What you see";
    button.textContent = open ? "Back to the figure" : closed;
  };
  say();
  if (known) return;
  side.tabIndex = 0; // it may have to be scrolled
  button.addEventListener("click", () => {
    root.toggleAttribute("data-unfolded");
    say();
  });
  root.querySelector(".body")?.after(button);
}
