// The lab: the form, the answer to its request, and the panels beside the film. The page around it plays the films.

import { button, element, say, wordButton } from "../kit/dom";
import { isForPage } from "../kit/letters";
import { counted, plain } from "../kit/words";
import type { AlgorithmList, Catalogue, NetworkFacts } from "./catalogue";
import type { Desk, Panel } from "./desk";
import { ask, can, type Running } from "./engine";
import { EXAMPLES } from "./examples";
import { withLine } from "./failed";
import { Form } from "./form";
import { KEYS } from "./keys";
import { panelsOf } from "./panels";
import { programsOf } from "./program";
import type { Answer, LabError, Progress } from "./protocol";
import { FIRST, same, toAddress, type Request } from "./request";
import { boardOf } from "./today";
import { errorTitle, errorWords, resultWords, versusWords, type Report } from "./words";

export interface Setting {
  /** The first request; left out: a total exchange on a 4-cube. */
  request?: Request | null;
  /** Plays a document. */
  show(document: string, answer: Answer, request: Request): Promise<void> | void;
  /** Called with every request that is run. */
  changed?(request: Request): void;
  /** The film that is shown no longer belongs to the request. */
  stale?(stale: boolean): void;
  /** The link to a run. */
  link?(request: Request): string;
  /** The form was folded away, or brought back. */
  folded?(folded: boolean): void;
  /** The first request is only run when Run is pressed. */
  waits?: boolean;
  /** The first request came by a link; if it has a program, `waiting` is called in place of running it. */
  linked?: boolean;
  waiting?(): void;
}

/** The wait after which Stop is offered. */
const PATIENCE_MS = 150;
const TYPING_MS = 250;
/** The keys that make a network. */
const NETWORK = [
  ...KEYS.filter(({ group }) => group === "Network" || group === "Faults").map(({ key }) => key),
  "graph",
];
/** The keys of a question, without the program that answers it. */
const QUESTION = [...KEYS.map(({ key }) => key), "graph"];

const picked = (request: Request, keys: readonly string[]): Request =>
  Object.fromEntries(keys.filter((key) => request[key] !== undefined).map((key) => [key, request[key]]));

/** Whether somebody's own program is in it, other than the examples. */
const isForeign = (request: Request): boolean =>
  programsOf(request).some((source) => !EXAMPLES.some((example) => example.source === source));

let labs = 0;

export class Lab implements Desk {
  readonly root = element("div.lab");
  readonly form: Form;
  last: Desk["last"] = null;
  details: ReadonlySet<string> = new Set();
  readonly #id = `lab-wrong-${++labs}`;
  readonly #wrong = element("p.lab-wrong", { role: "alert", id: this.#id });
  readonly #state = element("p.lab-state", { role: "status" });
  readonly #bar = element("progress", { max: "1", "aria-label": "progress" });
  readonly #stop: HTMLButtonElement;
  readonly #run: HTMLButtonElement;
  readonly #turn: HTMLButtonElement;
  readonly #fold: HTMLButtonElement;
  readonly #link = element("div.lab-link");
  readonly #ask = element("p.lab-ask", { role: "note" });
  readonly #side = element("section.lab-panel", { "aria-label": "beside the film" });
  readonly #panels: Panel[];
  readonly #buttons = new Map<Panel, HTMLButtonElement>();
  readonly #life = new AbortController();
  #open: Panel | null = null;
  #running: Running | null = null;
  #checks: Running[] = [];
  #typing = 0;
  #waiting = 0;
  #clock = 0;
  #showing = 0;
  /** Something was typed since the last request. */
  #edited = false;
  /** The network that is described. */
  #seen: Request | null = null;

  constructor(
    place: HTMLElement,
    private readonly setting: Setting,
  ) {
    this.form = new Form((key) => this.#changed(key));
    this.#run = element("button.lab-run", { type: "submit", title: "Enter in a field, or Ctrl+Enter" }, "Run");
    this.#stop = wordButton("Stop", () => this.stop(), "button.lab-stop");
    this.#turn = wordButton(
      "Your turn",
      () => void this.run({ ...this.#question(), what: "board" }),
      "button.lab-word",
    );
    this.#turn.title = "schedule it yourself: tap links, and the judge's rules judge";
    this.#fold = element("button.lab-fold", { type: "button" }, element("span", "Change"));
    this.#fold.addEventListener("click", () => this.fold(!this.folded));
    this.#stop.hidden = this.#bar.hidden = this.#wrong.hidden = this.#side.hidden = true;
    this.#link.hidden = this.#ask.hidden = true;
    const form = element("form.lab-form", { novalidate: "" }, this.form.root, element("div.lab-do", this.#run));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.run();
    });
    this.#panels = panelsOf(this);
    const tabs = element("div.lab-tabs", ...this.#panels.map((panel) => this.#tab(panel)));
    const today = wordButton("Board of the day", () => void this.take(boardOf(new Date())), "button.lab-word");
    today.title = "the same for everybody, by the date; its address is your answer";
    tabs.prepend(this.#turn, today);
    form.append(this.form.more, this.#wrong);
    this.root.append(
      element(
        "section.lab-head",
        { "aria-label": "request" },
        form,
        element("div.lab-line", this.#fold, this.#state, this.#bar, this.#stop, tabs),
        this.#ask,
        this.#link,
      ),
      this.#side,
    );
    place.append(this.root);
    this.root.addEventListener("keydown", (event) => this.#press(event));
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key === "Escape" && isForPage(event) && this.#running && !this.#stop.hidden) this.stop();
      },
      { signal: this.#life.signal, capture: true },
    );
    this.fold(false);
    if (setting.request) this.form.set(setting.request);
    if (setting.linked && setting.request && isForeign(setting.request)) {
      setting = { ...setting, waits: true };
      this.#asks(setting.request!);
      setting.waiting?.();
    }
    void this.#begin(setting);
  }

  /** The form is not in sight, only its answer. */
  get folded(): boolean {
    return this.root.hasAttribute("data-folded");
  }

  fold(folded: boolean): void {
    this.root.toggleAttribute("data-folded", folded);
    this.#fold.ariaExpanded = String(!folded);
    if (folded) this.#fold.removeAttribute("aria-label");
    else this.#fold.setAttribute("aria-label", "hide the form");
    this.setting.folded?.(folded);
    this.#fold.title = folded ? "show the form" : "hide the form";
  }

  /** Takes it off the page. */
  dispose(): void {
    this.#life.abort();
    this.stop();
    for (const check of this.#checks) check.stop();
    clearTimeout(this.#typing);
    this.root.remove();
  }

  /** Whether something runs, or its film is being made. */
  get busy(): boolean {
    return this.#running !== null || this.#showing > 0;
  }

  get link(): string {
    const request = this.last?.request ?? this.request();
    return this.setting.link?.(request) ?? `#${toAddress(request)}`;
  }

  request(): Request {
    return this.form.request();
  }

  program(program: { name: string; source: string } | null): void {
    this.form.program = program;
  }

  stop(): void {
    this.#running?.stop();
  }

  /** Runs a request; left out: the form's. It resolves when the answer is shown. */
  async run(request: Request = this.form.request()): Promise<void> {
    this.stop();
    this.#edited = false;
    this.#mistake(null);
    this.#link.hidden = this.#ask.hidden = true;
    this.setting.changed?.(request);
    const running = (this.#running = ask(
      request.what || request.results ? request : { ...request, results: ["report", "document"] },
      { progress: (progress) => this.#tell(running, progress) },
    ));
    this.#begun(running);
    const answer = await running.answer;
    if (running !== this.#running) return;
    this.#ended();
    this.last = { request, answer };
    for (const panel of this.#panels) panel.answered?.(request, answer);
    await this.#shown(request, answer);
    this.#open?.update(false);
  }

  async #shown(request: Request, answer: Answer): Promise<void> {
    const { error, results } = answer;
    const film = (results.document ?? results.board) as string | undefined;
    if (error) {
      // The film says what happened; the form only where.
      const told = film !== undefined && error.line !== undefined;
      this.#mistake(told ? { ...error, message: `line ${error.line} of your program. The film ends there.` } : error);
      if (film) await this.#play(film, answer, request);
      else this.setting.stale?.(true);
      return;
    }
    const { report, versus } = results as { report?: Report; versus?: Report };
    const words = report
      ? versus
        ? versusWords(report, versus)
        : resultWords(report)
      : request.what === "board"
        ? "Your turn: tap links to send packets."
        : "";
    this.#say(words);
    if (film) await this.#play(film, answer, request);
  }

  /** The film of the answer; a run that failed has one, too, which ends there. */
  async #play(film: string, answer: Answer, request: Request): Promise<void> {
    try {
      this.#showing++;
      await this.setting.show(withLine(film, answer.error), answer, request);
      this.setting.stale?.(false);
    } catch (wrong) {
      this.setting.stale?.(true);
      this.#mistake({
        kind: "page",
        message: `the film cannot be shown: ${wrong instanceof Error ? wrong.message : String(wrong)}`,
      });
    } finally {
      this.#showing--;
    }
  }

  /** Runs the first request, and fills the form's lists. */
  async #begin({ request, waits }: Setting): Promise<void> {
    const first = waits ? Promise.resolve() : this.run(request ?? FIRST);
    const {
      results: { catalogue },
    } = await ask({ what: "catalogue" }).answer;
    if (catalogue) this.#know(catalogue as Catalogue);
    await first;
    this.#check();
  }

  #know(catalogue: Catalogue): void {
    this.form.know(catalogue);
    this.details = new Set(catalogue.report.filter(({ detail }) => detail).map(({ key }) => key));
  }

  /** Takes a request as an address or a lesson gives it, and runs it as it is. */
  async take(request: Request): Promise<void> {
    this.form.set(request);
    await this.run(request);
    this.#check();
  }

  propose(request: Request): void {
    this.form.set(request);
    this.#changed("topology");
  }

  /** Takes a request as a link has it. A program that somebody wrote there runs when its reader says so. */
  follow(request: Request): Promise<void> {
    if (!isForeign(request)) return this.take(request);
    this.stop();
    this.form.set(request);
    this.#asks(request);
    return Promise.resolve();
  }

  #asks(request: Request): void {
    const lines = programsOf(request).reduce((sum, source) => sum + source.trimEnd().split("\n").length, 0);
    this.#ask.hidden = false;
    this.#ask.replaceChildren(
      element("b", `This link has a program in it, of ${counted(lines, "line")}.`),
      " It runs apart from this page, without a network or a store. ",
      wordButton("Run it", () => void this.run(request), "button.lab-word"),
      " ",
      wordButton("Read it first", () => this.open("program"), "button.lab-word"),
    );
    for (const panel of this.#panels) panel.answered?.(request, { results: {} });
  }

  /** Offers to do something with a link of the picture. */
  offerLink(u: number, v: number, step: number): void {
    const [a, b] = [Math.min(u, v), Math.max(u, v)];
    const take = (key: "faults" | "failing", text: string): void => {
      this.form.more.open = true;
      this.form.add(key, text);
      void this.run();
    };
    this.#link.hidden = false;
    this.#link.replaceChildren(
      element("span", `Link ${a}\u2013${b}:`),
      wordButton("run without it", () => take("faults", `${a}-${b}`), "button.lab-word"),
      wordButton(
        `let it fail in step ${Math.max(1, step)}`,
        () => take("failing", `${a}-${b}@${Math.max(1, step)}`),
        "button.lab-word",
      ),
      button("not now", "", "\u00d7", () => {
        this.#link.hidden = true;
      }),
    );
  }

  noLink(): void {
    this.#link.hidden = true;
  }

  open(name: string | null): void {
    const panel = this.#panels.find((one) => one.name === name) ?? null;
    this.#open = panel;
    for (const [one, tab] of this.#buttons) tab.ariaExpanded = String(one === panel);
    this.#side.hidden = panel === null;
    this.root.toggleAttribute("data-panel", panel !== null);
    if (!panel) return;
    this.#side.setAttribute("aria-label", panel.label);
    this.#side.replaceChildren(
      button("close", "Esc", "\u00d7", () => this.#close()),
      panel.root,
    );
    panel.update(true);
  }

  #close(): void {
    const tab = this.#open && this.#buttons.get(this.#open);
    this.open(null);
    tab?.focus();
  }

  #tab(panel: Panel): HTMLButtonElement {
    const made = wordButton(panel.label, () => this.open(this.#open === panel ? null : panel.name), "button.lab-word");
    made.ariaExpanded = "false";
    this.#buttons.set(panel, made);
    return made;
  }

  #question(): Request {
    return picked(this.form.request(), QUESTION);
  }

  #press(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void this.run();
    } else if (event.key === "Escape" && this.#open && !this.#running && this.#side.contains(event.target as Node))
      this.#close();
    else return;
    event.stopPropagation();
  }

  /** Something was typed: asks whether it is possible, and for the possible algorithms. */
  #changed(key: string): void {
    this.#edited = true;
    clearTimeout(this.#typing);
    this.#typing = window.setTimeout(() => this.#check(), TYPING_MS);
    if (this.#running || !this.last) return;
    const changed = !same(this.form.request(), this.last.request);
    this.#run.toggleAttribute("data-changed", changed);
    if (changed)
      this.#say(
        key === "collective" && this.form.idea
          ? `${this.form.idea[0]!.toUpperCase()}${this.form.idea.slice(1).replace(/\.$/, "")}. Press Run.`
          : "Press Run: the film still shows the request before.",
      );
  }

  async #check(): Promise<void> {
    for (const check of this.#checks) check.stop();
    this.#checks = [];
    const mine = this.#checks;
    const request = this.#question();
    const asked = async (what: Request): Promise<Answer | null> => {
      const running = ask(what);
      mine.push(running);
      const answer = await running.answer;
      return mine === this.#checks ? answer : null;
    };
    const network = picked(request, NETWORK);
    if (!same(network, this.#seen)) {
      const found = await asked({ what: "network", ...network });
      if (!found) return;
      this.form.describe((found.results.network as NetworkFacts | undefined) ?? null);
      this.#seen = found.error ? null : network;
      if (found.error) {
        this.form.offer(null);
        if (this.#edited) this.#mistake(found.error);
        return;
      }
    }
    const found = request.collective === undefined ? { results: {} } : await asked({ what: "list", ...request });
    if (!found) return;
    this.form.offer((found.results.list as AlgorithmList | undefined) ?? null);
    if (this.#edited) this.#mistake(found.error ?? null);
  }

  #begun(running: Running): void {
    const begin = performance.now();
    clearTimeout(this.#waiting);
    clearInterval(this.#clock);
    this.#bar.removeAttribute("value");
    this.#waiting = window.setTimeout(() => {
      if (running !== this.#running) return;
      this.#stop.hidden = !can.stop;
      this.#bar.hidden = false;
      this.root.toggleAttribute("data-running", true);
      this.#say("Running..");
    }, PATIENCE_MS);
    this.#clock = window.setInterval(() => {
      this.#bar.title = `${Math.round((performance.now() - begin) / 1000)} s`;
    }, 1000);
  }

  #tell(running: Running, { text, done, all }: Progress): void {
    if (running !== this.#running || this.#bar.hidden) return;
    if (all > 0) this.#bar.value = Math.min(1, done / all);
    else this.#bar.removeAttribute("value");
    this.#say(`${plain(text, 120)}..`);
  }

  #ended(): void {
    clearTimeout(this.#waiting);
    clearInterval(this.#clock);
    if (document.activeElement === this.#stop) this.#run.focus();
    this.#running = null;
    this.#stop.hidden = this.#bar.hidden = true;
    this.root.toggleAttribute("data-running", false);
    this.#run.toggleAttribute("data-changed", false);
  }

  /** Shows an error, at its field if that is known; null: there is none. */
  #mistake(error: LabError | null): void {
    if (!error || error.kind === "stopped") {
      this.#wrong.hidden = true;
      this.#wrong.replaceChildren();
      this.form.mark(null);
      if (error) this.#say("Stopped.");
      return;
    }
    this.fold(false); // it is said in the form
    const title = errorTitle(error);
    this.#wrong.hidden = false;
    this.#wrong.replaceChildren(...(title ? [element("b", title)] : []), errorWords(error));
    this.form.mark(error.key ?? null, error.run, this.#id);
    this.#say("");
  }

  #say(words: string): void {
    say(this.#state, words);
    this.#state.title = words;
  }
}
