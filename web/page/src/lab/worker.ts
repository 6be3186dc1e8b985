// The worker of one run: it gets the compiled module and a request, answers once, and is ended. It has neither a network nor
// a document. Its script is bundled into lab.js as text (build/make.mjs).

import type { Order, Word } from "./protocol";
import { asked, started, type Started } from "./run";

declare const self: {
  onmessage: ((event: MessageEvent<Order>) => void) | null;
  postMessage(word: Word, transfer?: Transferable[]): void;
};

let instance: Promise<Started> | null = null;

async function obey(order: Order): Promise<void> {
  if ("module" in order) {
    instance = started(order.module, (progress) => self.postMessage({ said: "progress", progress }), order.programs);
    return;
  }
  const results = asked(await instance!, order.request);
  self.postMessage(
    { said: "answer", results },
    results.map(([, bytes]) => bytes),
  );
}

self.onmessage = ({ data }) => {
  obey(data).catch((error: unknown) => self.postMessage({ said: "failed", message: String(error) }));
};
