// A board's document: the collective, its network and bounds, and a film in which nothing has happened yet.

import { need, Unreadable } from "../kit/columns";
import { checkFilm, type Bound, type FilmData, type Messages as MessageData } from "../viewer/document";
import { Network } from "../viewer/network";
import { range } from "../kit/numbers";
import type { Messages, Task } from "./rules";

export interface Bounds {
  /** null: nothing has to move. */
  steps: Bound | null;
  packets: { value: number; words: string };
}

export interface BoardData {
  collective: string;
  /** The node that messages start or end at, and the node that they go to; null: all. */
  root: number | null;
  peer: number | null;
  packets: number;
  bytes: number;
  one_port: boolean;
  /** The first line of its trace. */
  head: Record<string, unknown>;
  bounds: { all: Bounds; one: Bounds };
  film: FilmData;
}

export interface BoardDocument {
  title: string;
  subtitle: string;
  command: string;
  board: BoardData;
}

export const isBoard = (view: unknown): view is BoardDocument =>
  typeof view === "object" && view !== null && "board" in view;

/** The most packets, counted at every node that may hold them. */
const MOST_PLACES = 2 ** 20;

/** Reads an embedded document that is a board; throws Unreadable. */
export function checkBoard(view: BoardDocument): BoardDocument {
  try {
    const { board } = view;
    checkFilm(board.film);
    need(board.film.network.nodes <= 64, "the number of nodes");
    need(
      [board.bounds.all, board.bounds.one].every(({ packets }) => Number.isInteger(packets.value)),
      "a bound",
    );
    need(
      Number.isInteger(board.packets) && board.packets >= 1 && Number.isInteger(board.bytes) && board.bytes >= 1,
      "a packet",
    );
    const { network, messages } = board.film;
    need(network.layouts.length > 0, "the layout");
    need(
      messages.parts === board.packets &&
        messagesOf(messages, network.nodes).target.length * board.packets * network.nodes <= MOST_PLACES,
      "the number of packets",
    );
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable("a part of it is missing");
  }
  return view;
}

/** The messages of a film, by their numbers. */
function messagesOf(data: MessageData, nodes: number): Messages {
  const { lengths } = data;
  return { ...endsOf(data, nodes), ...(lengths ? { lengths } : {}) };
}

function endsOf({ kind, pairs, origins, sums }: MessageData, nodes: number): Messages {
  const all = range(nodes);
  const none = (list: readonly unknown[]): number[] => list.map(() => -1);
  if (kind === "copies") {
    const from = origins === "all" ? all : origins!;
    return { kind, origin: from, target: none(from) };
  }
  if (kind === "sums") return { kind, origin: none(sums!), target: sums!.map((target) => target ?? -1) };
  if (pairs === "all")
    return { kind, origin: all.flatMap((node) => all.map(() => node)), target: all.flatMap(() => all) };
  if (Array.isArray(pairs))
    return { kind, origin: pairs.filter((_, i) => i % 2 === 0), target: pairs.filter((_, i) => i % 2 === 1) };
  const one = pairs as { from: number } | { to: number };
  return "from" in one
    ? { kind, origin: all.map(() => one.from), target: all }
    : { kind, origin: all, target: all.map(() => one.to) };
}

/** The board's network: nodes are written as they are, because rows are made here and not read. */
export const networkOf = ({ film }: BoardData): Network => new Network({ ...film.network, relative: "plain" });

export const taskOf = (board: BoardData, links: Network, onePort: boolean): Task => ({
  links,
  messages: messagesOf(board.film.messages, links.nodes),
  packets: board.packets,
  bytes: board.bytes,
  onePort,
});
