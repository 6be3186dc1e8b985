// What a page and its worker say to each other, and what comes of a request.

import type { Request } from "./request";

/** A piece of a sentence: a text, or a key of the request, for which the page has a label. */
export type Piece = string | { key: string };

/** What is wrong, in the program's words. */
export interface LabError {
  kind: string;
  message: string;
  rule?: string | null;
  step?: number | null;
  node?: number | null;
  port?: number | null;
  /** What was not received, or not left unchanged: who sent it, and in which step. */
  packet?: { sender: number; step: number } | null;
  exit?: number;
  /** Of input that is refused: the key that it is about, and the message without it. */
  key?: string | null;
  why?: readonly Piece[] | null;
  /** The run that it is in: 1 is the second. */
  run?: number;
  /** Where it is in a program of one's own, from 1, and in which of the request's programs; of a deadlock, where nodes wait. */
  line?: number;
  column?: number;
  program?: number;
  waiting?: { line: number; nodes: number[] }[];
}

/** Results that are JSON come as what they say, all others as text. */
export interface Answer {
  error?: LabError;
  results: Record<string, unknown>;
}

/** How far a planner or a run is; `all` 0: nobody knows how much there is. */
export interface Progress {
  text: string;
  done: number;
  all: number;
}

/** To the worker: first the module, then the request. A worker of programs of one's own gets their sources with the module. */
export type Order = { module: WebAssembly.Module; programs?: string[] } | { request: Request };

/** From the worker. */
export type Word =
  | { said: "progress"; progress: Progress }
  | { said: "answer"; results: [string, ArrayBuffer][] }
  | { said: "failed"; message: string };

/** The names of all results; what a request does not have is not there. */
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

/** Those that stay text: the page plays them, or shows them as they are. */
export const TEXTS: ReadonlySet<string> = new Set(["document", "board", "command", "report_command"]);
