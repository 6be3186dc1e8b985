// What the charts show, in a sentence each, from the cells alone. Doubtful cells count only where there are no others.

import { counted, listed } from "../kit/words";
import type { Cell } from "./document";
import { doubtsShare, doubtsTimes } from "./doubts";
import { dimensionOf, namer, namesOf, placeOf, type Over, type Scale } from "./series";
import { figures, percent } from "./words";

const by =
  (value: (cell: Cell) => number | null) =>
  (a: Cell, b: Cell): number =>
    value(a)! - value(b)!;

/** A sentence about the cells that can be trusted, and how many those are. */
export function said<C extends Cell>(
  cells: readonly C[],
  doubted: (cell: Cell) => boolean,
  say: (cells: readonly C[]) => string,
): string {
  if (cells.length === 0) return "";
  const fine = cells.filter((cell) => !doubted(cell));
  const words = say(fine.length === 0 ? cells : fine);
  if (words === "" || fine.length === cells.length) return words;
  const left = fine.length === 0 ? "all doubtful" : `without ${cells.length - fine.length} doubtful of ${cells.length}`;
  return `${words.replace(/\.$/, "")} (${left}).`;
}

const at = (name: string): string => (name === "" ? "" : ` at ${name}`);

/** Two digits are enough for a conclusion. */
export const rounded = (value: number): string => figures(Number(value.toPrecision(2)));
const speed = (cell: Cell): number => cell.speed_up!;
const loses = (cell: Cell): boolean => (cell.speed_up_interval?.[1] ?? speed(cell)) < 1;
const gains = (cell: Cell): boolean => (cell.speed_up_interval?.[0] ?? speed(cell)) > 1;

/** The place on an axis from which on no cell loses, and whether all before it do; null where it is no such line. */
function border(cells: readonly Cell[], scale: Scale): { name: string; whole: boolean } | null {
  if (scale.weak) return null;
  for (const over of ["nodes", "size"] as const satisfies readonly Over[]) {
    const placed = cells.filter((cell) => placeOf(cell, over, scale) !== null);
    const place = (cell: Cell): number => placeOf(cell, over, scale)!;
    const last = Math.max(...placed.filter(loses).map(place));
    const above = placed.filter((cell) => place(cell) > last).sort((a, b) => place(a) - place(b));
    if (placed.length < cells.length || above.length === 0) continue;
    const names = namesOf(above[0]!);
    return {
      name: over === "nodes" ? names.network : names.message || `${place(above[0]!)} bytes`,
      whole: placed.every((cell) => place(cell) > last || loses(cell)),
    };
  }
  return null;
}

/** "2 threads lose below d = 9 and reach 1.9 at d = 12, 64 B". */
function oneSays(threads: number, cells: readonly Cell[], scale: Scale): string {
  const who = counted(threads, "thread");
  const sorted = [...cells].sort(by(speed));
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  const name = namer(cells, ["threads"]);
  const worth = (cell: Cell): string => `${rounded(speed(cell))}${at(name(cell))}`;
  const losing = cells.filter(loses).length;
  const gaining = cells.filter(gains).length;
  if (losing === 0 && gaining === 0) return `${who} neither gain nor lose`;
  if (losing === 0) return `${who} ${gaining === cells.length ? "" : "lose nowhere and "}reach ${worth(most)}`;
  if (cells.length === 1) return `${who} lose: ${worth(least)}`;
  if (gaining === 0) return `${who} gain nowhere: ${worth(least)}, ${worth(most)}`;
  const line = border(cells, scale);
  if (line?.whole) return `${who} lose below ${line.name} and reach ${worth(most)}`;
  const where = line ? `, all below ${line.name}` : "";
  return `${who} lose in ${losing} of ${counted(cells.length, "cell")}${where} (${worth(least)}), and reach ${worth(most)}`;
}

/** Who gains and who loses by more threads. */
export function scalingSays(cells: readonly Cell[], scale: Scale): string {
  const known = cells.filter(({ speed_up }) => speed_up !== null);
  const base = Math.min(...known.map(({ threads }) => threads));
  const more = known.filter(({ threads }) => threads > base);
  return said(more, doubtsTimes, (some) => {
    const numbers = [...new Set(some.map(({ threads }) => threads))].sort((a, b) => a - b);
    const told = numbers.length > 3 ? [numbers[0]!, numbers.at(-1)!] : numbers;
    return `${told
      .map((threads) =>
        oneSays(
          threads,
          some.filter((cell) => cell.threads === threads),
          scale,
        ),
      )
      .join("; ")}.`;
  });
}

/** The least and the most of a quantity. */
export function extremesSay(
  cells: readonly Cell[],
  of: { value(cell: Cell): number | null; words(value: number): string; best: "least" | "most" },
): string {
  const known = cells.filter((cell) => of.value(cell) !== null);
  return said(known, doubtsTimes, (some) => {
    const sorted = [...some].sort(by(of.value));
    if (of.best === "most") sorted.reverse();
    const [best, worst] = [sorted[0]!, sorted.at(-1)!];
    if (best === worst) return "";
    const name = namer(some);
    const worth = (cell: Cell): string => `${of.words(of.value(cell)!)}${at(name(cell))}`;
    return `${worth(best)} is the ${of.best}, ${worth(worst)} the ${of.best === "most" ? "least" : "most"}.`;
  });
}

export function limitsSay(cells: readonly Cell[]): string {
  const share = (cell: Cell): number | null => cell.share_of_limit;
  const known = cells.filter((cell) => share(cell) !== null);
  return said(known, doubtsShare, (some) => {
    const best = [...some].sort(by(share)).at(-1)!;
    const names = some.map(({ limit_binds: binds }) => binds ?? "").filter(Boolean);
    const counts = [...new Set(names)]
      .map((name) => [name, names.filter((one) => one === name).length] as const)
      .sort((a, b) => b[1] - a[1]);
    const binding = counts.slice(0, 2).map(([name, count]) => `${name} in ${counted(count, "cell")}`);
    const beyond = some.filter((cell) => share(cell)! > 1).length;
    return [
      `${percent(share(best)!)} of the limit${at(namer(some)(best))} is the most.`,
      binding.length > 0 ? `What binds: ${listed(binding)}.` : "",
      beyond > 0 ? `Where it is more than 100 % (${counted(beyond, "cell")}), the limit was measured too low.` : "",
    ]
      .filter(Boolean)
      .join(" ");
  });
}

/** From which network on each size gains: "64 B from d = 9". */
export function breakEvenSays(cells: readonly Cell[]): string {
  const known = cells.filter(({ speed_up }) => speed_up !== null);
  return said(known, doubtsTimes, (some) => {
    const size = (cell: Cell): number => dimensionOf(cell) ?? cell.nodes;
    const messages = [...new Set(some.map((cell) => namesOf(cell).message))];
    const found = messages.map((message) => {
      const row = some.filter((cell) => namesOf(cell).message === message).sort((a, b) => size(a) - size(b));
      const last = row.map((cell) => speed(cell) < 1).lastIndexOf(true);
      const first = row[last + 1];
      return [message, !first ? "nowhere" : last < 0 ? "everywhere" : `from ${namesOf(first).network} on`] as const;
    });
    const ends = [...new Set(found.map(([, where]) => where))];
    const parts = ends.map((end) => {
      const which = found.filter(([, where]) => where === end).map(([message]) => message);
      return `${end} with ${listed(which, 6)}`;
    });
    return `${counted(some[0]!.threads, "thread")} gain ${ends.length === 1 ? ends[0] : listed(parts)}.`;
  });
}
