// Runs requests: each in a worker of its own, from the address of a blob, so that Stop ends it at once and nothing is kept
// between runs. One worker with the module stands ready for the next request.

import workerText from "lab:worker";
import { element } from "../kit/dom";
import { programsOf, programsToRead, programText, unreadable } from "./program";
import { RESULTS, TEXTS, type Answer, type LabError, type Progress, type Word } from "./protocol";
import type { Request } from "./request";
import { asked, started } from "./run";
import { Module } from "./module";

export interface Running {
  answer: Promise<Answer>;
  /** Ends it; its answer is then an error of kind "stopped". */
  stop(): void;
}

export interface Listener {
  progress?(progress: Progress): void;
}

/** Where there are no workers, runs cannot be stopped. */
export const can = { stop: true };

declare global {
  interface Window {
    /** The module, deflated, in base64: where it came by a script of its own. */
    dcubeModule?: string;
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const quick = (Uint8Array as unknown as { fromBase64?(text: string): Uint8Array<ArrayBuffer> }).fromBase64;
  if (quick) return quick.call(Uint8Array, text);
  const signs = atob(text);
  const bytes = new Uint8Array(signs.length);
  for (let i = 0; i < signs.length; i++) bytes[i] = signs.charCodeAt(i);
  return bytes;
}

async function compile(): Promise<WebAssembly.Module> {
  const place = document.getElementById("dcube-module");
  const text = (place?.textContent ?? window.dcubeModule ?? "").trim();
  if (text === "")
    throw new Error("this page was made without dcube's module: ./dcube lab --html FILE makes one that has it");
  const unpacked = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  place?.remove(); // a megabyte that is not needed again
  return Module.compile(new Uint8Array(await new Response(unpacked).arrayBuffer()));
}

let compiled: Promise<WebAssembly.Module> | null = null;
const theModule = (): Promise<WebAssembly.Module> => (compiled ??= compile());

let address = "";
function newWorker(programs: readonly string[] = []): Worker | null {
  try {
    if (programs.length > 0) {
      // Never evaluated: they are the beginning of the worker's own script.
      const own = URL.createObjectURL(new Blob([programText(programs), workerText], { type: "text/javascript" }));
      const worker = new Worker(own);
      URL.revokeObjectURL(own);
      return worker;
    }
    address ||= URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
    return new Worker(address);
  } catch {
    can.stop = false;
    return null;
  }
}

/** A worker that has the module already. */
let spare: Worker | null = null;

/** Makes the next run start quickly. */
export function prepare(): void {
  if (spare || !can.stop) return;
  spare = newWorker();
  if (spare) void give(spare);
}

async function give(worker: Worker): Promise<void> {
  try {
    worker.postMessage({ module: await theModule() });
  } catch {
    // The next request reports it.
  }
}

const failed = (kind: string, message: string): Answer => ({ error: { kind, message }, results: {} });

/** The results, parsed where they are JSON. */
function answerOf(parts: readonly [string, ArrayBuffer][]): Answer {
  const decoder = new TextDecoder();
  const results: Record<string, unknown> = {};
  for (const [name, bytes] of parts) {
    const text = decoder.decode(bytes);
    results[name] = TEXTS.has(name) ? text : JSON.parse(text);
  }
  const { error, ...others } = results;
  return error ? { error: error as LabError, results: others } : { results: others };
}

export function ask(request: Request, listener: Listener = {}): Running {
  let stop: () => void = () => undefined;
  const answer = new Promise<Answer>((done) => {
    const programs = programsOf(request);
    const ready = programs.length === 0 ? spare : null;
    const worker = ready ?? (can.stop ? newWorker(programs) : null);
    if (ready) spare = null;
    if (!worker) {
      void onThisThread(request, listener).then(done);
      return;
    }
    const end = (result: Answer): void => {
      worker.terminate();
      done(result);
    };
    stop = () => end(failed("stopped", "stopped"));
    let heard = false;
    worker.onmessage = ({ data }: MessageEvent<Word>) => {
      heard = true;
      if (data.said === "progress") listener.progress?.(data.progress);
      else if (data.said === "failed") end(failed("page", data.message));
      else {
        try {
          end(answerOf(data.results));
        } catch (error) {
          end(failed("page", `the module's answer cannot be read: ${String(error)}`));
        }
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      void (heard ? Promise.resolve(null) : wrongIn(programs)).then((error) => {
        if (error) done({ error, results: {} });
        else if (heard || event.message) done(failed("page", event.message ?? "the worker has failed"));
        else {
          // It was never started: this browser has no workers of this kind.
          can.stop = false;
          void onThisThread(request, listener).then(done);
        }
      });
    };
    theModule()
      .then(async (module) => {
        if (!ready) worker.postMessage({ module, programs });
        worker.postMessage({ request });
        setTimeout(prepare, 400);
      })
      .catch((error: unknown) => end(failed("page", error instanceof Error ? error.message : String(error))));
  });
  return { answer, stop: () => stop() };
}

/** The error in programs that cannot be read; for a worker not every browser says where. */
function wrongIn(programs: readonly string[]): Promise<LabError | null> {
  if (programs.length === 0) return Promise.resolve(null);
  return new Promise((done) => {
    const script = element("script", {
      type: "module",
      src: URL.createObjectURL(new Blob([programsToRead(programs)], { type: "text/javascript" })),
    });
    let wrong: LabError | null = null;
    const listen = (event: ErrorEvent): void => {
      event.preventDefault();
      wrong ??= unreadable(programs, event);
    };
    script.onload = script.onerror = () => {
      window.removeEventListener("error", listen);
      URL.revokeObjectURL(script.src);
      script.remove();
      done(wrong);
    };
    window.addEventListener("error", listen);
    document.head.append(script);
  });
}

async function onThisThread(request: Request, { progress }: Listener): Promise<Answer> {
  if (programsOf(request).length > 0)
    return failed("page", "programs of your own need workers, which this browser does not give to this page");
  try {
    return answerOf(asked(await started(await theModule(), progress ?? (() => undefined)), request));
  } catch (error) {
    return failed("page", error instanceof Error ? error.message : String(error));
  }
}

export { RESULTS };
