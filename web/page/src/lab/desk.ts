// What stands beside the film, and what it can do with the lab.

import type { Program } from "./form";
import type { Answer } from "./protocol";
import type { Request } from "./request";

/** What panels can do with the lab. */
export interface Desk {
  /** The request that was run last, and what came of it; null: nothing yet. */
  readonly last: { request: Request; answer: Answer } | null;
  /** The keys of a report that are of no interest at a first look. */
  readonly details: ReadonlySet<string>;
  /** The link to it. */
  readonly link: string;
  /** What the form asks for now. */
  request(): Request;
  /** Runs what the form asks for. */
  run(): void;
  /** Puts a request into the form, and runs it. */
  take(request: Request): Promise<void>;
  /** Puts a request into the form only. */
  propose(request: Request): void;
  /** The program that takes the algorithm's place; null: none. */
  program(program: Program | null): void;
}

export interface Panel {
  readonly name: string;
  readonly label: string;
  readonly root: HTMLElement;
  /** It has been opened, or it is open and there is another answer. */
  update(opened: boolean): void;
  /** Every answer, also while it is not in sight. */
  answered?(request: Request, answer: Answer): void;
}
