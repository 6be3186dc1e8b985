// A slider with its name and the words for where it stands; also for parameters of a lesson's runs.

import { element, say } from "../kit/dom";

export class Slider {
  readonly input = element("input", { type: "range", min: "0", step: "1" });
  readonly root: HTMLLabelElement;
  readonly #name = element("span");
  readonly #value = element("b");

  constructor(name: string, change: (value: number) => void) {
    this.root = element("label.range", this.#name, this.input, this.#value);
    say(this.#name, name);
    this.input.addEventListener("input", () => change(Number(this.input.value)));
  }

  named(name: string, most: number): void {
    say(this.#name, name);
    this.input.max = String(most);
  }

  set(value: number, words = value === 0 ? "none" : String(value)): void {
    this.input.value = String(value);
    this.input.ariaValueText = words;
    say(this.#value, words);
  }
}
