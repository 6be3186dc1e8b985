// The panels beside the film: the explanation, the report, the command and the link, and the page's licences.

import notice from "lab:notice";
import { element, wordButton, type Child } from "../kit/dom";
import { plain } from "../kit/words";
import type { Desk, Panel } from "./desk";
import { ask, type Running } from "./engine";
import { OwnProgram } from "./own";
import type { Request } from "./request";
import { errorLine, keyWords, valueWords, type Report } from "./words";

const text = (value: unknown): string => plain(value, 2000);

/** Copies a text; where the browser forbids it, the text is selected to be copied by hand. */
function copyButton(words: string, source: () => string, shown: () => HTMLElement): HTMLButtonElement {
  const button = wordButton(
    words,
    async () => {
      try {
        await navigator.clipboard.writeText(source());
        button.textContent = "Copied";
      } catch {
        getSelection()?.selectAllChildren(shown());
        button.textContent = document.execCommand("copy") ? "Copied" : "Selected: copy it by Ctrl+C";
      }
      setTimeout(() => {
        button.textContent = words;
      }, 2000);
    },
    "button.lab-word",
  );
  return button;
}

interface Block {
  kind: "paragraph" | "lines" | "rows" | "proof";
  lines?: string[];
  rows?: [string, string][];
}

interface Explanation {
  title: string;
  sections: { heading: string; blocks: Block[] }[];
}

function blockOf({ kind, lines = [], rows = [] }: Block): Child {
  if (kind === "paragraph") return element("p", text(lines.join(" ")));
  if (kind === "lines") return element("pre", lines.map(text).join("\n"));
  return element(
    `dl.${kind}`,
    ...rows.map((row, i) => {
      const [words = "", ...numbers] = row.map(text);
      return element(
        i === rows.length - 1 && kind === "proof" ? "div.last" : "div",
        element("dt", words),
        element("dd", numbers.join(" ")),
      );
    }),
  );
}

class Explained implements Panel {
  readonly name = "explain";
  readonly label = "Explanation";
  readonly root = element("div.lab-explain");
  #of: Request | null = null;
  #running: Running | null = null;

  constructor(private readonly desk: Desk) {}

  update(): void {
    const { last } = this.desk;
    if (!last || last.request === this.#of) return;
    this.#of = last.request;
    this.#running?.stop();
    this.#running = null;
    if (last.answer.error || last.request.what || last.request.program) {
      this.root.replaceChildren(
        element(
          "p.hint",
          last.request.program
            ? "A program of your own has no explanation; its bound stands beside the film."
            : "There is nothing to explain: nothing has run.",
        ),
      );
      return;
    }
    this.root.replaceChildren(element("p.hint", "Explaining.."));
    const mine = (this.#running = ask({ ...last.request, results: ["explain"] }));
    void mine.answer.then(({ error, results }) => {
      if (mine !== this.#running) return;
      this.root.replaceChildren(
        ...(error
          ? [element("p.hint", errorLine(error))]
          : this.#shown(results.explain as Explanation | Explanation[])),
      );
    });
  }

  #shown(found: Explanation | Explanation[]): Node[] {
    return [found]
      .flat()
      .flatMap(({ title, sections }) => [
        element("h2", text(title)),
        ...sections.flatMap(({ heading, blocks }) => [element("h3", text(heading)), ...blocks.map(blockOf)] as Node[]),
      ]);
  }
}

class Reported implements Panel {
  readonly name = "report";
  readonly label = "Report";
  readonly root = element("div.lab-report");
  readonly #all = element("input", { type: "checkbox" });

  constructor(private readonly desk: Desk) {
    this.#all.addEventListener("change", () => this.update());
  }

  update(): void {
    const { report, versus } = (this.desk.last?.answer.results ?? {}) as { report?: Report; versus?: Report };
    if (!report) {
      this.root.replaceChildren(element("p.hint", "There is no report: nothing has run."));
      return;
    }
    const both = versus ? [report, versus] : [report];
    const keys = Object.keys(report).filter(
      (key) =>
        this.#all.checked ||
        (!this.desk.details.has(key) && both.some((one) => one[key] !== null && one[key] !== undefined)),
    );
    const rows = keys.map((key) =>
      element(
        "tr",
        element("th", { scope: "row", title: key }, keyWords(key)),
        ...both.map((one) => element("td", valueWords(key, one[key]))),
      ),
    );
    const json = JSON.stringify(versus ? both : report, null, 2);
    const shown = element("pre", { tabindex: "0", "aria-label": "the report as JSON" }, json);
    this.root.replaceChildren(
      element("h2", "The run's report"),
      element(
        "table",
        versus
          ? element(
              "thead",
              element(
                "tr",
                element("td"),
                element("th", { scope: "col" }, "first"),
                element("th", { scope: "col" }, "second"),
              ),
            )
          : null,
        element("tbody", ...rows),
      ),
      element("label.lab-switch", this.#all, "all that is known"),
      element("details", element("summary", "As JSON"), shown),
      element(
        "div.lab-buttons",
        copyButton(
          "Copy as JSON",
          () => json,
          () => shown,
        ),
      ),
    );
  }
}

class Shared implements Panel {
  readonly name = "share";
  readonly label = "Command and link";
  readonly root = element("div.lab-share");

  constructor(private readonly desk: Desk) {}

  update(): void {
    const { last, link } = this.desk;
    const { command, report_command: report } = last?.answer.results ?? {};
    const commands = [report, command].filter(Boolean).map(text);
    const address = element("code", link);
    this.root.replaceChildren(
      element("h2", "The same in a terminal"),
      ...commands.map((one) => {
        const line = element("code", one);
        return element(
          "div.lab-copied",
          line,
          copyButton(
            "Copy",
            () => one,
            () => line,
          ),
        );
      }),
      ...(commands.length > 0 && last?.request.graph
        ? [
            element(
              "p.hint",
              `Before that, save the network's lines in a file with the name ${Object.keys(last.request.graph).map(text).join(", ")}.`,
            ),
          ]
        : []),
      ...(commands.length > 0
        ? []
        : [
            element(
              "p.hint",
              last?.request.program ? "No command line runs a program of your own." : "There is none for this.",
            ),
          ]),
      element("h2", "A link to this run"),
      element(
        "div.lab-copied",
        address,
        copyButton(
          "Copy",
          () => link,
          () => address,
        ),
      ),
      element("p.hint", "The link has only the request. Opened anywhere, it runs the same, with the same data."),
    );
  }
}

class About implements Panel {
  readonly name = "about";
  readonly label = "About";
  readonly root = element(
    "div.lab-about",
    element("h2", "About this page"),
    element(
      "p",
      "dcube in one file: its nodes, links, algorithms and judge, compiled to WebAssembly. Every run " +
        "moves real bytes and verifies them, and every bound is the program's. Nothing is sent anywhere: " +
        "the page has no network.",
    ),
    element("h2", "Keys"),
    element(
      "dl.rows",
      ...(
        [
          ["Enter in a field, Ctrl+Enter", "run"],
          ["Esc", "stop; close what stands beside the film"],
          ["?", "the film's keys"],
        ] as const
      ).map(([key, words]) => element("div", element("dt", key), element("dd", words))),
    ),
    ...(notice ? [element("h2", "Licences"), element("pre", notice)] : []),
  );

  update(): void {
    // It is always the same.
  }
}

export const panelsOf = (desk: Desk): Panel[] => [
  new Explained(desk),
  new Reported(desk),
  new OwnProgram(desk),
  new Shared(desk),
  new About(),
];
