// Predict: the film stops before a step and asks what will happen; the answer is shown in the picture, and the step plays.

import { CanvasPainter, prepared } from "../kit/canvas";
import { choice, element, say, wordButton } from "../kit/dom";
import { range } from "../kit/numbers";
import type { Page } from "../viewer/page";
import type { Player } from "../viewer/player";
import { Stage } from "../viewer/stage";
import { LEVELS, questionFor, type Option, type Question } from "./questions";

export class Predict {
  readonly root = element("section.predict", { "aria-label": "predict" });
  readonly #marks = element("canvas.above", { "aria-hidden": "true" });
  readonly #ended = new AbortController();
  readonly #score = element("p.score");
  #question: Question | null = null;
  #given: Option | null = null;
  #right = 0;
  #asked = 0;

  private constructor(
    private readonly player: Player,
    private readonly page: Page,
    private readonly stage: Stage,
    private level: number,
    private seed: number,
    private readonly over: () => void,
  ) {
    page.sentence.before(this.root);
    page.root.toggleAttribute("data-predict", true);
    stage.root.append(this.#marks);
    stage.canvas.addEventListener("click", (event) => this.#tap(event), { capture: true, signal: this.#ended.signal });
    this.#ask(Math.floor(player.now + 1e-6) + 1);
  }

  /** Only films in steps can be predicted, where the nodes and packets of one run are drawn. `text`: level, or level and
      number of the question. */
  static of(player: Player, page: Page, text: string, over: () => void): Predict | null {
    const [, level, seed] = /^([1-9])(?:\.(\d{1,6}))?$/.exec(text) ?? [];
    const stage = page.views[0]!.picture;
    const { film } = player;
    if (
      level === undefined ||
      !(stage instanceof Stage) ||
      !film.inSteps ||
      film.packets.count === 0 ||
      !film.data.verdict.accepted ||
      player.loaded.length > 1
    )
      return null;
    return new Predict(player, page, stage, Math.min(LEVELS, Number(level)), Number(seed ?? 1), over);
  }

  get text(): string {
    return `${this.level}.${this.seed}`;
  }

  end(): void {
    this.#ended.abort();
    this.#marks.remove();
    this.root.remove();
    this.page.root.toggleAttribute("data-predict", false);
  }

  /** Whether a question waits for its answer: what would tell it is not shown. */
  get open(): boolean {
    return this.#given === null;
  }

  /** The picture has come to rest. Who goes to another step has no more need of this question. */
  settled(): void {
    const { step } = this.#question!;
    const passed = this.player.now - (step - 1);
    if (Math.abs(passed) < 1e-6 || (this.#given && passed > 0 && passed < 1 + 1e-6)) this.#draw();
    else this.over();
  }

  /** Behind the last step the film begins again. */
  #ask(wanted: number): void {
    const { player } = this;
    const step = wanted > player.film.length ? 1 : wanted;
    player.pause();
    player.seekTime(step - 1);
    this.#given = null;
    this.#question = questionFor(player.film, step, this.level, this.seed, this.#question?.kind);
    this.#show();
  }

  #answer(option: Option): void {
    if (this.#given) return;
    this.#given = option;
    this.#asked++;
    if (option.right) this.#right++;
    this.#show();
    this.player.step(1);
  }

  #next(): void {
    this.seed++;
    this.#ask(this.#question!.step + 1);
    this.root.querySelector("button")?.focus();
  }

  #tap(event: MouseEvent): void {
    const question = this.#question;
    if (!question || this.#given || question.options.every(({ node }) => node === undefined)) return;
    event.stopImmediatePropagation();
    const box = this.stage.canvas.getBoundingClientRect();
    const node = this.stage.scene?.nodeAt(event.clientX - box.left, event.clientY - box.top, 16);
    const option = question.options.find((one) => one.node !== undefined && one.node === node);
    if (option) this.#answer(option);
  }

  #show(): void {
    const { words, options, why } = this.#question!;
    const given = this.#given;
    this.page.root.dataset.predict = this.open ? "open" : "";
    say(this.#score, this.#asked === 0 ? "" : `${this.#right} of ${this.#asked} right`);
    const levels = choice(
      "Questions",
      range(LEVELS).map((i): [string, string] => [String(i + 1), `level ${i + 1}`]),
      String(this.level),
      (value) => {
        this.level = Number(value);
        this.#ask(this.#question!.step);
      },
    );
    const answers = options.map((option) => {
      const made = wordButton(option.words, () => this.#answer(option));
      if (given) made.setAttribute("aria-disabled", "true");
      made.classList.toggle("right", given !== null && option.right);
      made.classList.toggle("wrong", given === option && !option.right);
      return made;
    });
    const verdict = given && element("p.why", { role: "status" }, element("b", given.right ? "Right. " : "No. "), why);
    this.root.replaceChildren(
      element("p", { role: "status" }, element("b", words)),
      element("div.answers", { role: "group", "aria-label": "answers" }, ...answers),
      verdict ?? "",
      element(
        "div.tools",
        given && wordButton("Next", () => this.#next()),
        levels,
        this.#score,
        wordButton("Stop", () => this.over()),
      ),
    );
    this.page.resized(); // the stage has more or less room now
    this.#draw();
  }

  /** Right nodes in green, a wrong one in red, and the link of which the reason speaks. */
  #draw(): void {
    const { scene, root } = this.stage;
    if (!scene) return;
    const painter = new CanvasPainter(prepared(this.#marks, root.clientWidth, root.clientHeight), this.page.theme.font);
    const [question, given] = [this.#question, this.#given];
    if (!question || !given) return;
    const { complete, wrong } = this.page.theme;
    if (question.link >= 0)
      for (const points of scene.lanes[question.link]!.pieces)
        painter.line(points, { colour: complete, width: 4, dash: [7, 5] });
    for (const { node, right } of question.options) {
      if (node === undefined || (!right && given.node !== node)) continue;
      const { left, top, right: end, bottom } = scene.box(node);
      painter.rect(left - 7, top - 7, end - left + 14, bottom - top + 14, 10, {
        stroke: right ? complete : wrong,
        width: 4,
      });
    }
  }
}
