// One request in one instance of the module: in a worker, or on the page's own thread where there are none.

import { Module } from "./module";
import { RESULTS, type Progress } from "./protocol";
import type { Request } from "./request";

/** At most so often a second: more could not be read. */
const EVERY_MS = 60;

export type Tell = (progress: Progress) => void;

/** Starts an instance that tells how far it is. */
export function started(compiled: WebAssembly.Module, tell: Tell): Promise<Module> {
  let last = 0;
  const seldom = (progress: Progress): void => {
    const now = performance.now();
    if (now - last < EVERY_MS) return;
    last = now;
    tell(progress);
  };
  return Module.start(compiled, {
    planning: (text, done, all) => seldom({ text, done, all }),
    step: (number) => seldom({ text: `step ${number}`, done: 0, all: 0 }),
  });
}

/** Every result that there is, in memory of its own. */
export function asked(module: Module, request: Request): [string, ArrayBuffer][] {
  module.ask(request);
  return RESULTS.flatMap((name): [string, ArrayBuffer][] => {
    const bytes = module.result(name);
    return bytes ? [[name, new Uint8Array(bytes).buffer]] : [];
  });
}
