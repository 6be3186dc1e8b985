// The fields of a request, and of the differences of a second one. The collective decides which of them are there.

import { element, wordButton } from "../kit/dom";
import { plain } from "../kit/words";
import type { AlgorithmList, Catalogue, NetworkFacts } from "./catalogue";
import { FIELDS, fieldOf, wordOf, type FieldPlan } from "./fields";
import { FIRST, valueOf, type Request, type Value } from "./request";

type Control = HTMLInputElement | HTMLSelectElement;

interface Box {
  plan: FieldPlan;
  root: HTMLElement;
  /** The request's, and the second run's where it has one. */
  controls: Control[];
  /** Beside the label. */
  note: HTMLElement;
}

export interface Program {
  name: string;
  source: string;
}

/** In the list of algorithms: the program that stands in the editor. */
const OWN = "program:";
const GRAPH_MOST = 1_000_000;
/** Behind "More". */
const GROUPS = [...new Set(FIELDS.filter(({ more }) => more).map(({ group }) => group))];
/** A choice that is not made. */
const UNSET = "not given";
/** The value that a required field gets once its collective is chosen, on a network of so many nodes. */
const NEEDED: Readonly<Record<string, (nodes: number) => string>> = {
  peer: (nodes) => String(Math.max(1, nodes - 1)),
  permutation: () => "rotation",
  rows: (nodes) => String(2 * nodes),
  columns: (nodes) => String(2 * nodes),
};
let forms = 0;

/** Names that people read. */
const nameOf = (key: string): string => plain(key, 60);

export class Form {
  readonly root = element("div.lab-fields");
  readonly more: HTMLDetailsElement;
  readonly #id = `lab${++forms}`;
  readonly #boxes = new Map<string, Box>();
  readonly #summary = element("summary");
  readonly #compare = element("input", { type: "checkbox" });
  readonly #graphName = element("input", { type: "text", autocomplete: "off", spellcheck: "false", value: "mine" });
  readonly #graphText = element("textarea", { rows: "4", spellcheck: "false", placeholder: "0 1\n1 2\n2 0" });
  readonly #groups = new Map<string, HTMLElement>();
  #catalogue: Catalogue | null = null;
  #list: AlgorithmList | null = null;
  #program: Program | null = null;
  #twinProgram: Program | null = null;
  /** The nodes of the network that was last described. */
  #nodes = 16;

  /** `changed`: something was typed or chosen. */
  constructor(private readonly changed: (key: string) => void) {
    for (const plan of FIELDS) this.#boxes.set(plan.key, this.#box(plan));
    this.more = element(
      "details.lab-more",
      this.#summary,
      element("div.lab-groups", ...GROUPS.map((name) => this.#group(name)), this.#graphGroup()),
    );
    const compare = element(
      "label.lab-switch",
      { title: "a second run beside the first: the second line has the differences" },
      this.#compare,
      "Compare",
    );
    this.#compare.addEventListener("change", () => {
      this.#flip();
      this.changed("versus");
    });
    for (const { plan, root } of this.#boxes.values()) {
      if (plan.more) this.#groups.get(plan.group)!.append(root);
      else this.root.append(root);
    }
    this.root.append(compare);
    this.#flip();
    this.set(FIRST);
  }

  get comparing(): boolean {
    return this.#compare.checked;
  }

  set program(program: Program | null) {
    this.#program = program;
    const [select] = this.#boxes.get("algorithm")!.controls;
    if (!program && select!.value === OWN) select!.value = "auto";
    this.#algorithms();
    if (program) select!.value = OWN;
    this.#fit();
  }

  /** The fields as a request, without those that do not apply to the collective. */
  request(): Request {
    const request: Request = {};
    for (const {
      plan,
      controls: [control],
    } of this.#boxes.values()) {
      if (!this.#applies(plan.key)) continue;
      const value = this.#read(plan, control!);
      if (value !== undefined) request[plan.key] = value;
    }
    const text = this.#graphText.value;
    if (text.trim()) request.graph = { [this.#graphName.value.trim() || "mine"]: text };
    this.#useProgram(request, this.#program);
    if (!this.comparing) return request;
    const versus: Request = {};
    for (const {
      plan,
      controls: [, control],
    } of this.#boxes.values()) {
      if (!control || !this.#applies(plan.key)) continue;
      const value = this.#read(plan, control);
      if (value !== undefined) versus[plan.key] = value;
    }
    this.#useProgram(versus, this.#twinProgram ?? this.#program);
    return { ...request, versus };
  }

  #useProgram(request: Request, program: Program | null): void {
    if (request.algorithm !== OWN) return;
    delete request.algorithm;
    if (program) request.program = { ...program };
  }

  /** Fills the fields; a key that has none changes nothing. */
  set(request: Request): void {
    const versus = (typeof request.versus === "object" ? request.versus : null) as Request | null;
    this.#compare.checked = versus !== null;
    this.#program = (request.program as unknown as Program | undefined) ?? this.#program;
    this.#twinProgram = (versus?.program as unknown as Program | undefined) ?? null;
    this.#algorithms();
    for (const { plan, controls } of this.#boxes.values()) {
      this.#write(plan, controls[0]!, plan.key === "algorithm" && request.program ? OWN : request[plan.key]);
      if (controls[1])
        this.#write(plan, controls[1], plan.key === "algorithm" && versus?.program ? OWN : versus?.[plan.key]);
    }
    const [name, text] = Object.entries(
      (typeof request.graph === "object" ? request.graph : {}) as Record<string, string>,
    )[0] ?? ["mine", ""];
    this.#graphName.value = name;
    this.#graphText.value = String(text);
    this.#flip();
    this.#fit();
  }

  /** Offers the catalogue's names. */
  know(catalogue: Catalogue): void {
    this.#catalogue = catalogue;
    const list = (key: string, named: readonly { name: string; help?: string }[]): void => {
      const options = element(
        "datalist",
        { id: `${this.#id}-${key}` },
        ...named.map(({ name, help }) => element("option", { value: name }, help ? plain(help, 80) : "")),
      );
      const box = this.#boxes.get(key)!;
      box.root.append(options);
      for (const control of box.controls) control.setAttribute("list", options.id);
    };
    list("topology", catalogue.networks);
    list("permutation", catalogue.permutations);
    this.#fit();
  }

  /** Offers the possible algorithms, and shows the reasons why others are not; null: not known now. */
  offer(list: AlgorithmList | null): void {
    this.#list = list;
    this.#algorithms();
  }

  /** Shows the network's facts beside its label. */
  describe(facts: NetworkFacts | null): void {
    const { note } = this.#boxes.get("topology")!;
    this.#nodes = facts?.nodes ?? this.#nodes;
    note.textContent = facts
      ? `${facts.nodes} node${facts.nodes === 1 ? "" : "s"}, ${facts.links} link${facts.links === 1 ? "" : "s"}`
      : "";
  }

  /** The idea of the collective that is chosen. */
  get idea(): string {
    const name = this.#boxes.get("collective")!.controls[0]!.value;
    return plain(this.#catalogue?.collectives.find((one) => one.name === name)?.idea ?? "", 600);
  }

  /** Marks the field that an error is about, of the first run or of the second (1); null: none. */
  mark(key: string | null, run = 0, described = ""): void {
    const name = key === null ? null : fieldOf(key);
    for (const { root, controls, plan } of this.#boxes.values()) {
      const wrong = plan.key === name ? (controls[run] ?? controls[0]) : null;
      root.classList.toggle("wrong", wrong !== null);
      for (const control of controls) {
        control.setAttribute("aria-invalid", String(control === wrong));
        if (control === wrong && described) control.setAttribute("aria-describedby", described);
        else control.removeAttribute("aria-describedby");
      }
      if (wrong && plan.more) this.more.open = true;
    }
  }

  focus(key = "collective"): void {
    this.#boxes.get(key)?.controls[0]?.focus();
  }

  /** Adds a fault or a failing link to what is there. */
  add(key: "faults" | "failing", text: string): void {
    const [control] = this.#boxes.get(key)!.controls;
    const parts = control!.value
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean);
    if (!parts.includes(text)) parts.push(text);
    control!.value = parts.join(",");
    this.#fit();
    this.changed(key);
  }

  #group(name: string): HTMLElement {
    const group = element("fieldset", element("legend", name));
    this.#groups.set(name, group);
    return group;
  }

  #graphGroup(): HTMLElement {
    const file = element("input", {
      type: "file",
      class: "hidden",
      tabindex: "-1",
      "aria-label": "a file with a network",
    });
    file.addEventListener("change", async () => {
      const [chosen] = file.files ?? [];
      if (!chosen) return;
      this.#graphName.value = chosen.name;
      this.#graphText.value = chosen.size > GRAPH_MOST ? "" : await chosen.text();
      this.#useGraph();
    });
    for (const input of [this.#graphName, this.#graphText])
      input.addEventListener("input", () => this.changed("graph"));
    return element(
      "fieldset.lab-graph",
      element("legend", "A network of your own"),
      element(
        "label.lab-field",
        { title: "its name in the network's field: graph:NAME" },
        element("span", "Name"),
        this.#graphName,
      ),
      element("label.lab-field.wide", element("span", "One link per line: its two nodes"), this.#graphText),
      element(
        "div.lab-buttons",
        wordButton("Open a file", () => file.click()),
        wordButton("Use it", () => this.#useGraph()),
      ),
      file,
    );
  }

  #useGraph(): void {
    this.#boxes.get("topology")!.controls[0]!.value = `graph:${this.#graphName.value.trim() || "mine"}`;
    this.#fit();
    this.changed("topology");
  }

  #box(plan: FieldPlan): Box {
    const note = element("small");
    const controls = [this.#control(plan, false), ...(plan.twin ? [this.#control(plan, true)] : [])];
    const label = element(
      "label",
      { title: plan.form ? `${plan.about}: ${plan.form}` : plan.about },
      element("span", plan.label, note),
      controls[0]!,
    );
    const root = element(
      "div.lab-field",
      label,
      controls[1] && element("label.twin", element("span.hidden", `${plan.label} of the second run`), controls[1]),
    );
    root.dataset.key = plan.key;
    root.style.setProperty("--room", `${plan.room}ch`);
    root.classList.toggle("check", plan.control === "check");
    for (const control of controls) {
      control.addEventListener(control instanceof HTMLSelectElement ? "change" : "input", () => {
        if (plan.key === "collective") this.#need();
        this.#fit();
        this.changed(plan.key);
      });
    }
    return { plan, root, controls, note };
  }

  #control(plan: FieldPlan, twin: boolean): Control {
    if (plan.control === "select") return this.#select(plan, twin);
    if (plan.control === "check") return element("input", { type: "checkbox" });
    return element("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: twin ? "the same" : (plan.usual ?? plan.form ?? ""),
      ...(plan.kind === "number" && !plan.form ? { inputmode: "numeric" } : {}),
    });
  }

  #select(plan: FieldPlan, twin: boolean): HTMLSelectElement {
    const options = (plan.values ?? []).map((value) => element("option", { value }, nameOf(value)));
    if (plan.key === "collective") options.push(element("option", { value: "" }, "program only"));
    else if (twin) options.unshift(element("option", { value: "" }, "the same"));
    else if (!plan.usual) options.unshift(element("option", { value: "" }, UNSET));
    return element("select", ...options);
  }

  #algorithms(): void {
    const { controls } = this.#boxes.get("algorithm")!;
    controls.forEach((control, i) => {
      const select = control as HTMLSelectElement;
      const value = select.value || (i === 0 ? "auto" : "");
      const { best, algorithms } = this.#list ?? { best: null, algorithms: [] };
      const counted = (steps: number | null | undefined): string =>
        typeof steps === "number" ? `: ${steps} step${steps === 1 ? "" : "s"}` : "";
      const possible = algorithms
        .filter((one) => one.possible)
        .map(({ name, steps, time_ns }) =>
          element(
            "option",
            { value: name },
            `${nameOf(name)}${typeof time_ns === "number" ? `: ${time_ns} ns` : counted(steps)}`,
          ),
        );
      const not = algorithms
        .filter((one) => !one.possible)
        .map(({ name, why }) =>
          element("option", { value: name, disabled: "" }, `${nameOf(name)}: ${plain(why ?? "not possible here", 90)}`),
        );
      select.replaceChildren(
        ...(i === 1 ? [element("option", { value: "" }, "the same")] : []),
        element("option", { value: "auto" }, best ? `auto (${nameOf(best)})` : "auto"),
        ...(this.#program ? [element("option", { value: OWN }, `your program`)] : []),
        ...possible,
      );
      if (not.length > 0) {
        const group = element("optgroup", { label: "not possible here" }, ...not);
        select.append(group);
      }
      choose(select, value);
    });
  }

  /** Fills the fields that a collective needs with usual values. */
  #need(): void {
    for (const [key, usual] of Object.entries(NEEDED)) {
      const [control] = this.#boxes.get(key)!.controls;
      if (this.#applies(key) && control!.value.trim() === "") control!.value = usual(this.#nodes);
    }
  }

  #flip(): void {
    for (const box of [this.root, this.more]) box.toggleAttribute("data-compares", this.comparing);
  }

  #applies(key: string): boolean {
    const {
      plan: { values: collectives },
      controls,
    } = this.#boxes.get("collective")!;
    const name = controls[0]!.value;
    const { applies_to: owners } = this.#boxes.get(key)!.plan;
    // Without a collective a program of one's own runs, whose nodes have data.
    if (name === "") return owners === null || ["bytes", "packets", "type"].includes(key);
    return owners === null || owners.includes(name) || !collectives!.includes(name);
  }

  /** Shows the fields that apply, and names those that are set behind "More". */
  #fit(): void {
    for (const { plan, root } of this.#boxes.values()) root.hidden = !this.#applies(plan.key);
    // Without a program there is nothing that could run for no collective.
    for (const option of (this.#boxes.get("collective")!.controls[0] as HTMLSelectElement).options)
      if (option.value === "") option.disabled = !this.#program && !option.selected;
    for (const group of this.#groups.values())
      group.hidden = [...group.querySelectorAll<HTMLElement>(".lab-field")].every(({ hidden }) => hidden);
    const set = [...this.#boxes.values()].filter(
      ({ plan, controls }) =>
        plan.more && this.#applies(plan.key) && controls.some((control) => this.#read(plan, control) !== undefined),
    );
    const words = set.map(({ plan }) => wordOf(plan.key));
    this.#summary.textContent = words.length > 0 ? `More: ${words.join(", ")}` : "More";
    this.#summary.title = "links that take time, faults, a network of your own";
  }

  #read(plan: FieldPlan, control: Control): Value | undefined {
    if (control instanceof HTMLInputElement && control.type === "checkbox") return control.checked ? true : undefined;
    const text = control.value.trim();
    const twin = control !== this.#boxes.get(plan.key)?.controls[0];
    if (text === "" || (!twin && text === plan.usual)) return undefined;
    return valueOf(plan.key, text);
  }

  #write(plan: FieldPlan, control: Control, value: unknown): void {
    const first = control === this.#boxes.get(plan.key)?.controls[0];
    if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = value === true;
    else if (control instanceof HTMLSelectElement)
      choose(control, value === undefined ? (first ? (plan.usual ?? "") : "") : String(value));
    else control.value = value === undefined ? "" : Array.isArray(value) ? value.join(",") : String(value);
  }
}

/** Chooses a value; one that is not offered becomes an option, so that the form shows the request. */
function choose(select: HTMLSelectElement, value: string): void {
  if (![...select.options].some((option) => option.value === value))
    select.append(element("option", { value }, nameOf(value) || UNSET));
  select.value = value;
}
