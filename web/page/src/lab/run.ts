// One request in one instance of the module: in a worker, or on the page's own thread where there are none.

import { Module } from "./module";
import { madePrograms, ProgramRunner, type OwnError, type ProgramExports } from "./program";
import { RESULTS, type Progress } from "./protocol";
import type { Request } from "./request";

/** At most so often per second: more could not be read. */
const EVERY_MS = 60;

export type Tell = (progress: Progress) => void;

export interface Started {
  module: Module;
  /** The sources of programs of one's own. */
  runner: ProgramRunner | null;
}

/** Starts an instance that reports its progress; `programs` are the sources that this script begins with. */
export async function started(
  compiled: WebAssembly.Module,
  tell: Tell,
  programs: readonly string[] = [],
): Promise<Started> {
  let last = 0;
  const seldom = (progress: Progress): void => {
    const now = performance.now();
    if (now - last < EVERY_MS) return;
    last = now;
    tell(progress);
  };
  const runner = programs.length > 0 ? new ProgramRunner(programs, madePrograms()) : null;
  const module = await Module.start(compiled, {
    planning: (text, done, all) => seldom({ text, done, all }),
    step: (number, expected) =>
      seldom({ text: expected > 0 ? `step ${number} of ${expected}` : `step ${number}`, done: number, all: expected }),
    ...(runner ? { resume: runner.resume } : {}),
  });
  runner?.attach(module.exports as unknown as ProgramExports);
  return { module, runner };
}

/** Every result that there is, in memory of its own. */
export function asked({ module, runner }: Started, request: Request): [string, ArrayBuffer][] {
  module.ask(request);
  const results = RESULTS.flatMap((name): [string, ArrayBuffer][] => {
    const bytes = module.result(name);
    return bytes ? [[name, bytes.buffer as ArrayBuffer]] : [];
  });
  if (!runner) return results;
  const json = (value: unknown): ArrayBuffer => new TextEncoder().encode(JSON.stringify(value)).buffer as ArrayBuffer;
  const error = results.find(([name]) => name === "error");
  if (error) error[1] = json(runner.explain(JSON.parse(new TextDecoder().decode(error[1])) as OwnError));
  return [...results, ["said", json(runner.said)]];
}
