// The card about the selection: a node, a packet's way, a link.

import { CanvasPainter, prepared } from "../kit/canvas";
import { css } from "../kit/colour";
import { button, element, row, table } from "../kit/dom";
import { range } from "../kit/numbers";
import { nominal, type Theme } from "../kit/theme";
import { counted, grouped, listed } from "../kit/words";
import type { Film } from "./film";
import type { Holding } from "./holding";
import { CopiesHolding } from "./holding-copies";
import { MovesHolding } from "./holding-moves";
import { SumsHolding } from "./holding-sums";
import { nameOf, type Journey } from "./journey";
import type { Selection } from "./options";
import { packetWords, whenOf } from "./packet-words";
import type { Replay } from "./replay";

const MOST_ROWS = 200;
const MATRIX = 192;

export class Details {
  readonly root = element("section.card.details");
  #key = "";

  /** `asFarAs`: of a packet's way only what the film has reached is told: a lesson may ask for the rest. */
  constructor(
    private readonly close: () => void,
    private readonly asFarAs: boolean,
  ) {}

  update(film: Film, replay: Replay, now: number, selection: Selection, journey: Journey | null, theme: Theme): void {
    const key = JSON.stringify([selection, film.arrived(now), this.asFarAs && Math.ceil(now), theme.dark]);
    if (key === this.#key) return;
    this.#key = key;
    const [title, ...content] =
      selection.what === "node"
        ? nodeCard(film, replay.holding, selection.node, theme)
        : selection.what === "group"
          ? groupCard(film, replay.holding, selection.group)
          : selection.what === "link"
            ? linkCard(film, selection.link, now)
            : packetCard(film, journey, now, this.asFarAs);
    const heading = element("h2", title as string);
    this.root.replaceChildren(
      element("div.heading", heading, button("close", "Esc", "\u00d7", this.close)),
      ...(content as Node[]),
    );
  }
}

/** Where the card lies over the drawing, it is at the side away from the selection, or the drawing moves up. */
export function avoid(card: HTMLElement, stage: HTMLElement, { x, y }: { x: number; y: number }): void {
  if (getComputedStyle(card).position !== "absolute") return;
  const corner = stage.getBoundingClientRect();
  card.toggleAttribute("data-left", x > corner.width / 2);
  const { left, right, top } = card.getBoundingClientRect();
  const [px, py] = [corner.left + x, corner.top + y];
  const body = card.closest(".body");
  if (body && px > left && px < right) body.scrollTop += Math.max(0, py + 40 - top);
}

type Card = [string, ...Node[]];
const line = (text: string): Node => element("p", text);

/** Its number, read as one in the factors of the network. */
function coordinatesOf(node: number, sizes: readonly number[]): number[] {
  return sizes.reduceRight<number[]>((found, size) => {
    found.unshift(node % size);
    node = Math.floor(node / size);
    return found;
  }, []);
}

function nodeCard(film: Film, holding: Holding, node: number, theme: Theme): Card {
  const { parts, kind, signals } = film.data.messages;
  const what = parts > 1 ? "part" : kind === "sums" ? "sum" : "block";
  const [got, due] = [holding.got(node), holding.due(node)];
  const card: Card = [`Node ${node}`];
  const { coordinates } = film.data.network;
  if (coordinates) card.push(line(`Its coordinates: ${coordinatesOf(node, coordinates).join(", ")}.`));
  if (due === 0) card.push(line("It needs nothing."));
  else if (signals) card.push(line(got === due ? "Knows that all have begun." : "Has not heard of all nodes yet."));
  else card.push(line(`Has ${grouped(got)} of the ${counted(due, what)} that it needs.`));
  if (holding instanceof MovesHolding) card.push(...movesOf(film, holding, node, theme));
  if (holding instanceof CopiesHolding) card.push(...copiesOf(holding, film, node));
  if (holding instanceof SumsHolding) card.push(...sumsOf(holding, film, node));
  const neighbours = film.network
    .leaving(node)
    .map((link) => `${film.network.to[link]} by port ${film.network.port[link]}`);
  card.push(line(`Its neighbours: ${listed(neighbours, 12)}.`));
  return card;
}

function movesOf(film: Film, holding: MovesHolding, node: number, theme: Theme): Node[] {
  const { origin, target } = holding.messages;
  const missing: number[] = [];
  const kept: string[] = [];
  const held: [number, number][] = [];
  for (let m = 0; m < origin.length; m++) {
    const here = holding.partsAt(m, node);
    if (target[m] === node && here < holding.messages.parts[m]!) missing.push(origin[m]!);
    if (here === 0) continue;
    held.push([origin[m]!, target[m]!]);
    if (target[m] !== node && origin[m] !== node) kept.push(`${origin[m]}\u2192${target[m]}`);
  }
  const own = holding.own(node);
  const nodes: Node[] = [];
  if (missing.length > 0) nodes.push(line(`Waits for blocks from ${listed(missing, 24)}.`));
  if (kept.length > 0) nodes.push(line(`Keeps for others: ${listed(kept, 24)}.`));
  if (own > 0) nodes.push(line(`${counted(own, "of its own has", "of its own have")} not left yet.`));
  if (film.network.nodes <= 256 && film.data.messages.pairs === "all")
    nodes.push(matrix(film.network.nodes, held, theme));
  return nodes;
}

function groupCard(film: Film, holding: Holding, group: number): Card {
  const { of, names } = film.data.network.groups!;
  const nodes = of.flatMap((g, node) => (g === group ? [node] : []));
  const sum = (count: (node: number) => number): number => nodes.reduce((total, node) => total + count(node), 0);
  const kept = sum((node) => holding.kept(node));
  const card: Card = [
    `Group ${names[group]}`,
    line(
      `Nodes ${listed(nodes, 16)}: they have ${grouped(sum((node) => holding.got(node)))} of the ` +
        `${grouped(sum((node) => holding.due(node)))} blocks that they need.`,
    ),
  ];
  if (kept > 0) card.push(line(`They keep ${grouped(kept)} for others.`));
  return card;
}

/** Origin by target: a dot for every block that is here. */
function matrix(nodes: number, held: readonly [number, number][], theme: Theme): Node {
  const canvas = element("canvas", { role: "img", "aria-label": "the blocks that are here, by origin and target" });
  canvas.style.width = canvas.style.height = `${MATRIX}px`;
  const painter = new CanvasPainter(prepared(canvas, MATRIX, MATRIX), theme.font);
  const size = MATRIX / nodes;
  painter.rect(0, 0, MATRIX, MATRIX, 0, { fill: theme.empty });
  for (const [origin, target] of held) {
    painter.rect(target * size, origin * size, Math.max(1, size - 0.6), Math.max(1, size - 0.6), 0, {
      fill: css(nominal(theme, origin, nodes)),
    });
  }
  return element(
    "figure",
    canvas,
    element("figcaption", "The blocks that are here: origins downwards, targets to the right."),
  );
}

function copiesOf(holding: CopiesHolding, film: Film, node: number): Node[] {
  const { parts } = film.data.messages;
  if (holding.origins.length > 1) {
    const missing = holding.origins.filter((origin) => holding.share(node, origin) < 1);
    return missing.length > 0 ? [line(`Waits for the messages of nodes ${listed(missing, 24)}.`)] : [];
  }
  const missing = range(parts).filter((part) => !holding.holds(node, holding.origins[0]!, part));
  return missing.length > 0 && parts > 1
    ? [
        line(
          `Waits for packets ${listed(
            missing.map((part) => part + 1),
            24,
          )}.`,
        ),
      ]
    : [];
}

function sumsOf(holding: SumsHolding, film: Film, node: number): Node[] {
  const sum = holding.shown(node);
  const { parts } = film.data.messages;
  return range(Math.min(parts, 8)).map((part) => {
    const members = range(film.network.nodes).filter((member) => holding.includes(node, sum, part, member));
    return line(
      `${parts > 1 ? `Part ${part + 1}: the` : "The"} shares of ${listed(members, 24)} are in ` +
        `${film.data.messages.sums!.length > 1 ? "its own sum" : "the sum that it holds"}.`,
    );
  });
}

function packetCard(film: Film, journey: Journey | null, now: number, asFarAs: boolean): Card {
  if (!journey) return ["Nothing to follow", line("There is no such block in this run.")];
  const { thread, packets } = journey;
  const name = nameOf(film, thread);
  const card: Card = [name[0]!.toUpperCase() + name.slice(1)];
  if (film.data.messages.kind === "moves") {
    const distance = film.network.distanceTo(thread.target)[thread.origin]!;
    const hops = packets.length;
    card.push(
      line(
        hops === 0
          ? distance === 0
            ? "It is where it belongs from the start."
            : "It never leaves."
          : `${counted(hops, "hop")}; ${thread.target} is ${counted(distance, "link")} away from ${thread.origin}.`,
      ),
    );
  } else card.push(line(`${counted(packets.length, "packet")} in all.`));
  card.push(
    ...timetable(
      film,
      asFarAs ? packets.filter((packet) => film.packets.start[packet]! < now) : packets,
      now,
      ["from", "to", "over"],
      (packet) => [
        String(film.from(packet)),
        String(film.to(packet)),
        `port ${film.network.port[film.packets.link[packet]!]}${film.lost.has(packet) ? ", lost" : ""}`,
      ],
    ),
  );
  return card;
}

/** The times at which each packet is on its way, and its other facts; those that have arrived stand out. */
function timetable(
  film: Film,
  packets: readonly number[],
  now: number,
  names: readonly string[],
  words: (packet: number) => string[],
): Node[] {
  if (packets.length === 0) return [];
  const rows = packets
    .slice(0, MOST_ROWS)
    .map((packet) =>
      row([whenOf(film, packet), ...words(packet)], film.packets.end[packet]! <= now ? "tr.done" : "tr"),
    );
  const made: Node[] = [table([film.inSteps ? "step" : "ns", ...names], element("tbody", ...rows))];
  if (packets.length > MOST_ROWS) made.push(line(`and ${grouped(packets.length - MOST_ROWS)} more`));
  return made;
}

function linkCard(film: Film, link: number, now: number): Card {
  const { network } = film;
  const packets = film.onLink(link);
  const card: Card = [`Link ${network.from[link]} \u2192 ${network.to[link]}`];
  card.push(
    line(
      `Port ${network.port[link]} of node ${network.from[link]}, dimension ${network.dimension[link]}. ` +
        `It carries ${counted(packets.length, "packet")}.`,
    ),
  );
  card.push(...timetable(film, [...packets], now, ["carries"], (packet) => [packetWords(film, packet)]));
  if (film.inSteps && film.length <= 4096) {
    const busy = new Set(Array.from(packets, (packet) => film.packets.step[packet]!));
    const idle = range(film.length)
      .map((i) => i + 1)
      .filter((step) => !busy.has(step));
    card.push(line(idle.length === 0 ? "It is never idle." : `Idle in steps ${listed(idle, 24)}.`));
  }
  return card;
}
