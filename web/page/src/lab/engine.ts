// Runs requests: each in a worker of its own, from the address of a blob, so that Stop ends it at once and nothing is kept
// between runs. One worker with the module stands ready for the next request. Programs of one's own, which may have come by a
// link, run in a frame of an origin of its own, where there is nothing of this page's.

import cellText from "lab:cell";
import workerText from "lab:worker";
import { element } from "../kit/dom";
import { programsOf, programsToRead, programText, unreadable } from "./program";
import {
  RESULTS,
  TEXTS,
  type Answer,
  type FromCell,
  type LabError,
  type Order,
  type Progress,
  type Word,
} from "./protocol";
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

async function unpacked(): Promise<ArrayBuffer> {
  const place = document.getElementById("dcube-module");
  const text = (place?.textContent ?? window.dcubeModule ?? "").trim();
  if (text === "")
    throw new Error("this page was made without dcube's module: ./dcube lab --html FILE makes one that has it");
  const bytes = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  place?.remove(); // a megabyte that is not needed again
  return new Response(bytes).arrayBuffer();
}

let bytes: Promise<ArrayBuffer> | null = null;
const theBytes = (): Promise<ArrayBuffer> => (bytes ??= unpacked());
let compiled: Promise<WebAssembly.Module> | null = null;
const theModule = (): Promise<WebAssembly.Module> => (compiled ??= theBytes().then(Module.compile));

let address = "";
function newWorker(): Worker | null {
  try {
    address ||= URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
    return new Worker(address);
  } catch {
    can.stop = false;
    return null;
  }
}

/** (A script in a page has no such texts in it.) */
const tag = (name: string): string => `<${name}>`;

/** A worker in a frame without this page's origin, store and channels. Programs are never evaluated: they are the end of the
    worker's own script. */
class Cell implements Place {
  onmessage: Place["onmessage"] = null;
  onerror: Place["onerror"] = null;
  readonly #frame = element("iframe", {
    sandbox: "allow-scripts",
    srcdoc: tag("script") + cellText + tag("/script"),
    title: "a program's worker",
  });
  readonly #channel = new MessageChannel();

  constructor(programs: readonly string[]) {
    const { port1: port, port2: theirs } = this.#channel;
    port.onmessage = ({ data }: MessageEvent<FromCell>) => {
      if ("word" in data) this.onmessage?.(data.word);
      else this.onerror?.(data.wrong.message ?? "");
    };
    this.#frame.hidden = true;
    this.#frame.onload = () => this.#frame.contentWindow!.postMessage(programText(programs, workerText), "*", [theirs]);
    document.body.append(this.#frame);
  }

  postMessage(order: Order): void {
    this.#channel.port1.postMessage(order);
  }

  terminate(): void {
    this.#channel.port1.close();
    this.#frame.remove();
  }
}

/** Where a request runs. */
interface Place {
  onmessage: ((word: Word) => void) | null;
  onerror: ((message: string) => void) | null;
  postMessage(order: Order): void;
  terminate(): void;
}

/** A worker of this page's. */
class Own implements Place {
  onmessage: Place["onmessage"] = null;
  onerror: Place["onerror"] = null;

  constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<Word>) => this.onmessage?.(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.onerror?.(event.message ?? "");
    };
  }

  postMessage(order: Order): void {
    this.worker.postMessage(order);
  }

  terminate(): void {
    this.worker.terminate();
  }
}

/** A place with the module in it, or on its way there. */
function placeFor(programs: readonly string[]): Place | null {
  if (programs.length > 0) return new Cell(programs);
  const ready = spare ?? (can.stop ? newWorker() : null);
  if (!ready) return null;
  if (!spare) void give(ready);
  spare = null;
  return new Own(ready);
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
    const place = placeFor(programs);
    if (!place) {
      void onThisThread(request, listener).then(done);
      return;
    }
    const end = (result: Answer): void => {
      place.terminate();
      done(result);
    };
    stop = () => end(failed("stopped", "stopped"));
    let heard = false;
    place.onmessage = (word) => {
      heard = true;
      if (word.said === "progress") listener.progress?.(word.progress);
      else if (word.said === "failed") end(failed("page", word.message));
      else {
        try {
          end(answerOf(word.results));
        } catch (error) {
          end(failed("page", `the module's answer cannot be read: ${String(error)}`));
        }
      }
    };
    place.onerror = (message) => {
      place.terminate();
      void (heard ? Promise.resolve(null) : wrongIn(programs)).then((error) => {
        if (error) done({ error, results: {} });
        else if (heard || message) done(failed("page", message || "the worker has failed"));
        else {
          // It was never started: this browser has no workers of this kind.
          can.stop = can.stop && programs.length > 0;
          void onThisThread(request, listener).then(done);
        }
      });
    };
    (programs.length > 0
      ? theBytes().then((bytes) => place.postMessage({ bytes, programs }))
      : theModule().then(() => undefined)
    )
      .then(() => {
        place.postMessage({ request });
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
