// Where there is no room for the cards beside or below a figure, a button opens them.

import { element } from "../kit/dom";
import type { Exhibit } from "../kit/exhibit";

export function foldCards({ root }: Exhibit): void {
  const side = root.querySelector<HTMLElement>(".side");
  if (!side || side.hidden || root.querySelector(".unfold")) return;
  side.tabIndex = 0;  // it may have to be scrolled
  const closed = side.querySelector(".proof:not([hidden])") ? "Why not fewer? \u00b7 What you see" : "What you see";
  const button = element("button.unfold", { type: "button", "aria-expanded": "false" }, closed);
  button.addEventListener("click", () => {
    const open = root.toggleAttribute("data-unfolded");
    button.setAttribute("aria-expanded", String(open));
    button.textContent = open ? "Back to the figure" : closed;
  });
  root.querySelector(".body")?.after(button);
}
