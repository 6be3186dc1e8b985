// The card with the algorithm's idea and its formula, folded away: the captions for those who ask why.

import { element } from "../kit/dom";
import type { Why } from "./document";

/** `name`: the run's name, where there are two. */
export function whyCard(why: Why | null | undefined, name: string): HTMLElement | null {
  if (!why) return null;
  return element(
    "details.card.why",
    element("summary", element("h2", why.title), name && element("span.run", name)),
    ...why.parts.map((part) =>
      typeof part === "string" ? element("p", part) : element("pre", { tabindex: "0" }, part.join("\n")),
    ),
  );
}
