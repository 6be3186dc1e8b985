// A network that the student has drawn, as a board: its film's network, its messages, and the bounds that are simple
// enough to be worked out here.

import { range } from "../kit/numbers";
import { counted } from "../kit/words";
import type { Bound, FilmData, Messages } from "../viewer/document";
import { Network } from "../viewer/network";
import type { BoardData, Bounds } from "./document";

export const MOST_NODES = 24;

export interface Draft {
  /** Places, in hundredths of the drawing. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly links: readonly (readonly [number, number])[];
}

export const EMPTY: Draft = { x: [], y: [], links: [] };

/** In an address: "10.20_90.20__0.1". */
export const draftText = ({ x, y, links }: Draft): string =>
  `${x.map((place, node) => `${place}.${y[node]}`).join("_")}__${links.map((ends) => ends.join(".")).join("_")}`;

export function readDraft(text: string): Draft | null {
  const [places, links] = text
    .split("__")
    .map((part) => part.split("_").map((pair) => pair.split(".").map(Number) as [number, number]));
  if (!places || !links) return null;
  const whole = (value: number | undefined, below: number): boolean =>
    Number.isInteger(value) && value! >= 0 && value! < below;
  const fine =
    places.length <= MOST_NODES &&
    places.every((pair) => pair.length === 2 && pair.every((place) => whole(place, 101))) &&
    links.every((pair) => pair.length === 2 && pair[0] !== pair[1] && pair.every((node) => whole(node, places.length)));
  const draft = { x: places.map(([x]) => x), y: places.map(([, y]) => y), links };
  return fine &&
    new Set(links.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`)).size === links.length &&
    problem(draft) === ""
    ? draft
    : null;
}

/** The file for --topology graph:FILE. */
export const linkFile = ({ links }: Draft): string => links.map(([a, b]) => `${a} ${b}\n`).join("");

/** The reason why the network cannot be played on; "" if it can. */
export function problem({ x, links }: Draft): string {
  if (x.length < 2) return "A network has at least two nodes.";
  const reached = new Set([0]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const [a, b] of links) if (reached.has(a) || reached.has(b)) reached.add(a).add(b);
  }
  const away = range(x.length).find((node) => !reached.has(node));
  return away === undefined ? "" : `Node ${away} cannot be reached from node 0: link it.`;
}

function networkData({ x, y, links }: Draft): FilmData["network"] {
  const neighbours = range(x.length).map((node) =>
    links.flatMap(([a, b]) => (a === node ? [b] : b === node ? [a] : [])).sort((a, b) => a - b),
  );
  const box: [number, number, number, number] = [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
  return {
    name: "your network",
    nodes: x.length,
    relative: "plain",
    groups: null,
    links: links.flatMap(([a, b]) => [a, b, neighbours[a]!.indexOf(b), neighbours[b]!.indexOf(a), 0]),
    layouts: [{ name: "drawn", variants: [{ stretch: 1.5, x: [...x], y: [...y], box, bends: {}, stubs: [] }] }],
  };
}

function messagesFor(collective: string, nodes: number, root: number, peer: number, before: Messages): Messages {
  const { parts, part_bytes } = before;
  const of: Record<string, Partial<Messages>> = {
    broadcast: { origins: [root] },
    "all-gather": { origins: "all" },
    reduce: { sums: [root] },
    "reduce-scatter": { sums: range(nodes) },
    scatter: { pairs: { from: root } },
    gather: { pairs: { to: root } },
    send: { pairs: [root, peer] },
    "all-to-all": { pairs: "all" },
  };
  return { kind: before.kind, parts, part_bytes, ...of[collective] };
}

/** The same question on the network that was drawn; with other nodes all messages are as long as the longest one. */
export function drawnBoard(data: BoardData, draft: Draft): BoardData {
  const nodes = draft.x.length;
  const root = data.root !== null && data.root < nodes ? data.root : 0;
  const peer = data.peer !== null && data.peer < nodes && data.peer !== root ? data.peer : nodes - 1;
  const messages = messagesFor(data.collective, nodes, root, peer, data.film.messages);
  const single =
    messages.kind === "copies"
      ? messages.origins !== "all"
      : messages.kind === "moves" &&
        messages.pairs !== "all" &&
        !(typeof messages.pairs === "object" && "to" in messages.pairs);
  const count = single ? data.packets : nodes;
  const columns = Math.ceil(Math.sqrt(count));
  const network = networkData(draft);
  const film = {
    ...data.film,
    network,
    messages,
    bound: null,
    cells: { count, columns, rows: Math.ceil(count / columns) },
  };
  const ends: Ends = { root: data.root === null ? null : root, peer: data.peer === null ? null : peer };
  const bounds = (onePort: boolean): Bounds =>
    simpleBounds(new Network(network), messages.kind, data.packets, ends, onePort);
  const given = Object.fromEntries(Object.entries(ends).filter(([, node]) => node !== null));
  return {
    ...data,
    ...ends,
    head: { ...headOf(data), topology: "graph:network.txt", ...given },
    film,
    bounds: { all: bounds(false), one: bounds(true) },
  };
}

/** Without the counts of messages between other nodes. */
function headOf({ head, packets }: BoardData): Record<string, unknown> {
  const { counts, ...rest } = head;
  return counts === undefined ? head : { ...rest, packets };
}

/** The one node that messages start or end at, and the one that they go to; null: all nodes. */
interface Ends {
  readonly root: number | null;
  readonly peer: number | null;
}

interface Reason {
  readonly value: number;
  readonly words: string;
}

/**
 * Bounds by distances, by the links of one node, and by all links. Better ones are known (dcube explain), but every one
 * of these is right.
 */
function simpleBounds(
  network: Network,
  kind: Messages["kind"],
  packets: number,
  { root, peer }: Ends,
  onePort: boolean,
): Bounds {
  const all = range(network.nodes);
  const starts = root === null ? all : [root];
  const ends = peer === null ? all : [peer];
  // Sums are copies read backwards.
  const copied = kind !== "moves";
  const pairs = starts.flatMap((a) => ends.filter((b) => b !== a).map((b) => [a, b] as const));
  const links = (node: number): number => (onePort ? 1 : network.leaving(node).length);
  const far = (a: number, b: number): number => network.distanceTo(b)[a]!;
  const hops = packets * pairs.reduce((sum, [a, b]) => sum + far(a, b), 0);
  // The packets of one message come one after the other where the links of an end are few.
  const reasons: Reason[] = pairs.map(([a, b]) => {
    const narrow = peer !== null && links(a) < links(b) ? a : b;
    const waits = Math.ceil(packets / links(narrow)) - 1;
    return {
      value: far(a, b) + waits,
      words:
        `node ${b} is ${far(a, b)} links away from node ${a}` +
        `${waits > 0 ? `, and ${links(narrow)} of ${packets} packets pass node ${narrow} in a step` : ""}`,
    };
  });
  if (peer === null && !(root !== null && copied))
    for (const node of starts) {
      const count = (network.nodes - 1) * packets;
      reasons.push({
        value: Math.ceil(count / links(node)),
        words: `${count} packets pass the links of node ${node}, at most ${links(node)} in a step`,
      });
    }
  const room = onePort ? network.nodes : network.directed;
  if (!copied)
    reasons.push({ value: Math.ceil(hops / room), words: `${hops} hops are needed, and a step has room for ${room}` });
  const { value, words } = reasons.reduce((a, b) => (b.value > a.value ? b : a));
  const bound: Bound = {
    title: "",
    value,
    unit: "steps",
    met: false,
    lines: [{ words, number: counted(value, "step") }],
    links: [],
    tally: null,
    after: null,
    picture: null,
  };
  return {
    steps: bound,
    packets: copied
      ? {
          value: pairs.length * packets,
          words: "each of these packets has to reach each of its nodes, or be added, once",
        }
      : { value: hops, words: "the sum of the distances" },
  };
}
