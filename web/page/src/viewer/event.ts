// The event in which a film ends that went wrong.

import type { FilmData } from "./document";
import type { Network } from "./network";

/** Before what the machine or the judge says. */
const TITLES = {
  rejected: "This trace is wrong",
  rule: "A rule was broken",
  deadlock: "Deadlock",
  lost: "A packet was lost that counted",
  threw: "The program failed",
  "wrong-bytes": "The result is wrong",
  impossible: "This cannot be",
} as const;

export class FilmEvent {
  readonly what: keyof typeof TITLES;
  readonly title: string;
  /** What stands above the film at all times: the message is the caption of its moment. */
  readonly heading: string;
  readonly message: string;
  /** The step in which it happens; after the last one of a film that only then turned out wrong. */
  readonly step: number;
  readonly node: number;
  readonly origin: number;
  /** The directed link from the node over the port; -1: it is about none. */
  readonly link: number;
  /** Nodes that wait, and the links over which they would go on; -1: any. */
  readonly waiting: readonly { node: number; link: number }[];

  constructor({ verdict, steps }: FilmData, network: Network) {
    const { what, message, said, line, step, at_end, node, port, origin, waiting } = verdict;
    this.what = what !== undefined && Object.hasOwn(TITLES, what) ? what : "rejected";
    this.title = TITLES[this.what];
    const words = (message ?? "").replace(/^this cannot be: /, "");
    const sentence = (said ?? words.slice(0, 1).toUpperCase() + words.slice(1)).replace(/\.$/, "");
    const end = /[!?]$/.test(sentence) ? "" : ".";
    this.message = line === undefined ? sentence + end : `${sentence} (line ${line} of your program).`;
    this.step = at_end ? steps + 1 : (step ?? steps + 1);
    this.heading = `${this.title}${this.step <= steps ? `, in step ${this.step}` : ""}.`;
    this.node = node ?? -1;
    this.origin = origin ?? -1;
    this.link = node === undefined || port === undefined ? -1 : network.linkOf(node, port);
    this.waiting = (waiting ?? []).map(([one, at]) => ({ node: one, link: at < 0 ? -1 : network.linkOf(one, at) }));
  }
}
