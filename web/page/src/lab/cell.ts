// The script of a frame with an origin of its own, in which programs of one's own run. It starts one worker from the text that
// it is sent, and hands messages on. Its text is in lab.js, and its hash in the policies of the pages (build/make.mjs).

import type { FromCell, ToCell } from "./protocol";

window.onmessage = ({ data, ports: [port] }: MessageEvent<string>) => {
  const tell = (message: FromCell): void => port!.postMessage(message);
  const address = URL.createObjectURL(new Blob([data], { type: "text/javascript" }));
  let worker: Worker;
  try {
    worker = new Worker(address);
  } catch {
    tell({ wrong: {} });
    return;
  }
  worker.onmessage = ({ data: word }) => tell({ word });
  worker.onerror = (event) => {
    event.preventDefault();
    tell({ wrong: event.message ? { message: event.message } : {} });
  };
  port!.onmessage = ({ data: order }: MessageEvent<ToCell>) => worker.postMessage(order);
};
