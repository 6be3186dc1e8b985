// The worker of one run: it gets the compiled module and a request, answers once, and is ended. It has neither a network nor
// a document. Its script is bundled into lab.js as text (build/make.mjs).

import type { Order, Progress, Word } from "./protocol";
import { asked, started, type Started } from "./run";
import { Module } from "./module";
import { readyForPrograms } from "./program";

declare const self: {
  onmessage: ((event: MessageEvent<Order>) => void) | null;
  postMessage(word: Word, transfer?: Transferable[]): void;
};

// Programs of one's own, which follow this text, find neither of these two.
const post = self.postMessage.bind(self);
readyForPrograms();

let instance: Promise<Started> | null = null;

async function obey(order: Order): Promise<void> {
  const tell = (progress: Progress): void => post({ said: "progress", progress });
  if ("module" in order) {
    instance = started(order.module, tell);
    return;
  }
  if ("bytes" in order) {
    instance = Module.compile(order.bytes).then((module) => started(module, tell, order.programs));
    return;
  }
  const results = asked(await instance!, order.request);
  post(
    { said: "answer", results },
    results.map(([, bytes]) => bytes),
  );
}

self.onmessage = ({ data }) => {
  obey(data).catch((error: unknown) => post({ said: "failed", message: String(error) }));
};
