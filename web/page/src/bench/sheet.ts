// What the pages of a benchmark and of a comparison have in common: a title, charts, themes, and a presentation in which
// every chart has a screen.

import type { Choices } from "../kit/address";
import { button, element, icon } from "../kit/dom";
import { readTheme } from "../kit/theme";
import type { Look } from "./frame";

export const html = document.documentElement;

const THEME = "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18";
const PRESENT = "M3 4h18v12H3zM12 16v4M8 21h8";

/** Screens that are narrower have their warnings folded. */
export const NARROW = 800;

export abstract class Sheet {
  readonly root = element("div.bench");
  #width = 0;

  constructor(private readonly changed: (choices: Choices) => void) {
    this.#keys();
    const media = matchMedia("(prefers-color-scheme: dark)");
    media.addEventListener("change", () => this.paint(media.matches ? "dark" : "light"));
  }

  abstract show(): void;
  /** The theme, the type or the width have changed. */
  abstract redraw(): void;

  /** Takes choices as an address gives them; what makes no sense here changes nothing. */
  choose(choices: Choices): void {
    if (choices.theme === "dark" || choices.theme === "light") html.dataset.theme = choices.theme;
    if (choices.present) html.toggleAttribute("data-present", choices.present === "1");
    this.show();
  }

  /** The address's `theme` and `present`. */
  protected address(): Choices {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    return {
      ...(html.dataset.theme !== dark ? { theme: html.dataset.theme! } : {}),
      ...(html.hasAttribute("data-present") ? { present: "1" } : {}),
    };
  }

  protected note(): void {
    this.changed(this.address());
  }

  paint(theme: string): void {
    html.dataset.theme = theme;
    this.redraw();
    this.note();
  }

  present(on = !html.hasAttribute("data-present")): void {
    html.toggleAttribute("data-present", on);
    this.redraw();
    this.note();
    if (on) this.root.querySelector(".figures > section")?.scrollIntoView();
  }

  /** From now on charts follow the width of the page. */
  watch(): void {
    this.#width = innerWidth;
    window.addEventListener("resize", () => {
      if (innerWidth === this.#width && !html.hasAttribute("data-present")) return; // a phone's bars come and go
      this.#width = innerWidth;
      this.redraw();
    });
  }

  protected look(source: string): Look {
    const type = html.hasAttribute("data-present")
      ? Math.max(18, Math.min(innerWidth / 76, 30))
      : innerWidth < 520
        ? 12
        : 13.5;
    return { theme: readTheme(html), type, source };
  }

  protected top(title: string, ...lines: (Node | string)[]): HTMLElement {
    return element(
      "header.top",
      element("h1", title),
      element(
        "div.controls",
        button("presentation", "P", icon(PRESENT), () => this.present()),
        button("dark, light", "D", icon(THEME), () => this.#paintOther()),
      ),
      ...lines.map((line) => element("p.subtitle", line)),
    );
  }

  #paintOther(): void {
    this.paint(html.dataset.theme === "dark" ? "light" : "dark");
  }

  #keys(): void {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("select, input"))
        return;
      const present = html.hasAttribute("data-present");
      const acts: Record<string, () => void> = {
        p: () => this.present(),
        d: () => this.#paintOther(),
        ...(present
          ? {
              Escape: () => this.present(false),
              ArrowRight: () => this.#turn(1),
              ArrowLeft: () => this.#turn(-1),
              PageDown: () => this.#turn(1),
              PageUp: () => this.#turn(-1),
            }
          : {}),
      };
      const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  /** In a presentation every chart has a screen. */
  #turn(by: number): void {
    const screens = [...this.root.querySelectorAll<HTMLElement>(".figures > section")].filter(
      (section) => section.offsetHeight > 0,
    );
    const here = screens.findIndex((section) => section.getBoundingClientRect().bottom > innerHeight / 2);
    screens[Math.max(0, Math.min(screens.length - 1, (here < 0 ? screens.length : here) + by))]?.scrollIntoView();
  }
}
