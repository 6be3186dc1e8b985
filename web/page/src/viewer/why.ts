// The card with the algorithm's idea and its formula, folded away: the captions for those who ask why.

import { element } from "../kit/dom";
import type { Why } from "./document";

export function whyCard(why: Why | null | undefined): HTMLElement | null {
  if (!why) return null;
  return element(
    "details.card.why",
    element("summary", element("h2", why.title)),
    ...why.parts.map((part) =>
      typeof part === "string" ? element("p", part) : element("pre", { tabindex: "0" }, part.join("\n")),
    ),
  );
}
