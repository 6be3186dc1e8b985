// The panels beside the film, and their access to the lab.

import type { Program } from "./form";
import type { Answer } from "./protocol";
import type { Request } from "./request";

/** The lab, as its panels use it. */
export interface Desk {
  /** The request that was run last, and its answer; null: nothing yet. */
  readonly last: { request: Request; answer: Answer } | null;
  /** The keys of a report that are details. */
  readonly details: ReadonlySet<string>;
  /** The link to it. */
  readonly link: string;
  /** The form's request now. */
  request(): Request;
  /** Runs the form's request. */
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
