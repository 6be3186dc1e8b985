// A line of text beside the pointer. The text stands elsewhere too, for people without a pointer.

import { element, say } from "./dom";

export class Tip {
  readonly root = element("div.tip", { "aria-hidden": "true" });

  constructor() {
    this.root.hidden = true;
  }

  /** At a place of the parent, which is `width` wide; an empty text hides it. */
  show(text: string, x: number, y: number, width: number): void {
    this.root.hidden = text === "";
    if (text === "") return;
    say(this.root, text);
    const { offsetWidth: wide, offsetHeight: high } = this.root;
    this.root.style.left = `${Math.max(0, Math.min(width - wide, x + 12))}px`;
    this.root.style.top = `${y - high - 12 < 0 ? y + 20 : y - high - 12}px`;
  }
}
