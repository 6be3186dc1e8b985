// The messages between a page and its worker, and the answer to a request.

import type { Request } from "./request";

/** A piece of a sentence: a text, or a key of the request, for which the page has a label. */
export type Piece = string | { key: string };

/** An error, in the program's words. */
export interface LabError {
  kind: string;
  message: string;
  rule?: string | null;
  step?: number | null;
  node?: number | null;
  port?: number | null;
  /** The packet that was not received, or not left unchanged: its sender and its step. */
  packet?: { sender: number; step: number } | null;
  exit?: number;
  /** The key that refused input is about, whether it is the message's subject, and the message without it. */
  key?: string | null;
  subject?: boolean | null;
  why?: readonly Piece[] | null;
  /** The run that it is in: 1 is the second. */
  run?: number;
  /** Its place in a program of one's own, from 1, the program's number, and the places where nodes wait in a deadlock. */
  line?: number;
  column?: number;
  program?: number;
  waiting?: { line: number; nodes: number[] }[];
}

/** Results that are JSON come parsed, all others as text. */
export interface Answer {
  error?: LabError;
  results: Record<string, unknown>;
}

/** The progress of a planner or a run; `all` 0: the whole is not known. */
export interface Progress {
  text: string;
  done: number;
  all: number;
}

/** To the worker: first the module, then the request. A worker of programs of one's own is of another origin, to which no
    compiled module goes: it gets the module's bytes, and with them the programs' sources. */
export type Order =
  | { module: WebAssembly.Module }
  | { bytes: ArrayBuffer; programs: readonly string[] }
  | { request: Request };

/** From the worker. */
export type Word =
  | { said: "progress"; progress: Progress }
  | { said: "answer"; results: [string, ArrayBuffer][] }
  | { said: "failed"; message: string };

/** To and from the frame around that worker (cell.ts). */
export type ToCell = Order;
export type FromCell = { word: Word } | { wrong: { message?: string } };

/** The names of all results. */
export const RESULTS = [
  "error",
  "report",
  "versus",
  "document",
  "explain",
  "command",
  "report_command",
  "list",
  "catalogue",
  "network",
  "board",
  "judge",
  "said",
] as const;

/** The results that stay text: the page plays them, or shows them as they are. */
export const TEXTS: ReadonlySet<string> = new Set(["document", "board", "command", "report_command"]);
