// The page's look before the reader chooses: ?theme=dark or =light wins over the system, and ?embed (or #embed=1) is for
// frames in slides, notebooks and course systems, which have room for the stage and the bar only.

import { readAddress } from "./address";

const html = document.documentElement;
const wanted = new URLSearchParams(location.search);
const system = matchMedia("(prefers-color-scheme: dark)");

const theme = (): string => {
  const asked = wanted.get("theme");
  return asked === "dark" || asked === "light" ? asked : system.matches ? "dark" : "light";
};

/** The theme that the reader switches to. */
export const otherTheme = (): string => (html.dataset.theme === "dark" ? "light" : "dark");

export const embedded = (): boolean => html.dataset.embed !== undefined;

export function look(): void {
  html.dataset.theme = theme();
  if ((wanted.get("embed") ?? readAddress().embed ?? "0") !== "0") html.dataset.embed = "";
}

/** Follows the system's theme. */
export function watchLook(changed: (theme: string) => void, signal: AbortSignal): void {
  system.addEventListener("change", () => changed(theme()), { signal });
}
