// The page of two benchmarks compared: its conclusion, the ratios, the differences of machine, program and settings, and
// every cell as a table.

import type { Choices } from "../kit/address";
import { element, table } from "../kit/dom";
import { counted } from "../kit/words";
import type { Comparison, Ratio } from "./document";
import { RATIO_COLUMNS, ratioRow, Ratios } from "./ratios";
import { NARROW, Sheet } from "./sheet";

const MOST_ROWS = 1000;
const MOST_NAMES = 200;

export class ComparisonPage extends Sheet {
  readonly #ratios: Ratios;

  constructor(
    readonly comparison: Comparison,
    host: HTMLElement,
    changed: (choices: Choices) => void,
  ) {
    super(changed);
    const { cells, only_old: onlyOld, only_new: onlyNew } = comparison;
    this.#ratios = new Ratios(cells, "New over old", { more: "slower than before", less: "faster" });
    this.root.append(
      this.top("Benchmarks compared", `${comparison.new} against ${comparison.old}`),
      ...[differences(comparison)].filter((part) => part !== null),
      element("div.figures", this.#ratios.root),
      ...(cells.length > 0 ? [allCells(cells)] : []),
      element(
        "div.sources",
        ...[only("Only in the old one", onlyOld), only("Only in the new one", onlyNew)].filter((part) => part !== null),
      ),
    );
    host.append(this.root);
  }

  show(): void {
    this.#ratios.show(this.look(`${this.comparison.new} against ${this.comparison.old}`));
  }

  redraw(): void {
    this.#ratios.redraw(this.look(`${this.comparison.new} against ${this.comparison.old}`));
  }
}

/** What beside the program may be the cause. */
function differences({ differences: all }: Comparison): HTMLElement | null {
  if (all.length === 0) return null;
  const items = all
    .slice(0, MOST_NAMES)
    .map(({ what, old, new: now }) => element("li", element("b", what), `: ${old}, now ${now}`));
  const details = element(
    "details.notices",
    element(
      "summary",
      element("b", "They differ in more than their results"),
      `: ${counted(all.length, "difference")}`,
    ),
    element("ul", ...items),
  );
  details.open = innerWidth >= NARROW;
  return details;
}

function allCells(cells: readonly Ratio[]): HTMLElement {
  const rows = cells.slice(0, MOST_ROWS).map((one) => {
    const [name, ...others] = ratioRow(one);
    return element("tr", element("th", { scope: "row" }, name!), ...others.map((text) => element("td", text)));
  });
  const left = cells.length > MOST_ROWS ? `; the first ${MOST_ROWS} are shown` : "";
  return element(
    "section.figure.wide",
    { "aria-labelledby": "cells-title", id: "cells" },
    element("h2", { id: "cells-title" }, "All cells"),
    element("p.about", `${counted(cells.length, "cell")} that both have${left}.`),
    element(
      "div.numbers",
      { tabindex: "0", role: "region", "aria-label": "Table of all cells" },
      Object.assign(table(RATIO_COLUMNS, element("tbody", ...rows)), { className: "cells" }),
    ),
  );
}

function only(title: string, names: readonly string[]): HTMLElement | null {
  if (names.length === 0) return null;
  return element(
    "section.figure.facts",
    element("h2", title),
    element("ul", ...names.slice(0, MOST_NAMES).map((name) => element("li", name))),
  );
}
