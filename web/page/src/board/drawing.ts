// Draw your own network: tap to add a node, tap two nodes to link or unlink them; or write the links down.

import { CanvasPainter, prepared } from "../kit/canvas";
import { element, wordButton } from "../kit/dom";
import { range } from "../kit/numbers";
import { readTheme } from "../kit/theme";
import { EMPTY, linkFile, MOST_NODES, problem, type Draft } from "./draft";

const NODE = 26;
const [WIDTH, HEIGHT] = [100, 70];

export class Drawing {
  readonly root = element("section.drawing", { "aria-label": "your network" });
  readonly #canvas = element("canvas", { role: "img" });
  readonly #text = element("textarea", { id: "links", rows: "3", spellcheck: "false" });
  readonly #words = element("p", { role: "status" });
  #draft: Draft = EMPTY;
  #past: Draft[] = [];
  #chosen = -1;

  constructor(
    private readonly use: (draft: Draft) => void,
    private readonly leave: () => void,
  ) {
    const tools = element(
      "div.row",
      wordButton("Play on it", () => this.#use()),
      wordButton("Undo", () => this.#undo()),
      wordButton("Clear", () => this.#change(EMPTY)),
      wordButton("Back", () => this.leave()),
    );
    this.root.append(
      element("div.paper", this.#canvas),
      this.#words,
      tools,
      element("label", { for: "links" }, "Links, one per line"),
      this.#text,
    );
    this.#canvas.addEventListener("click", (event) => this.#tap(event));
    this.#text.addEventListener("change", () => this.#read());
    new ResizeObserver(() => this.#draw()).observe(this.#canvas);
  }

  show(on: boolean): void {
    this.root.hidden = !on;
    if (on) this.#say("Tap to add a node; tap two nodes to link them, or to take their link away.");
    this.#draw();
  }

  #place(event: MouseEvent): [number, number] {
    const box = this.#canvas.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
  }

  #tap(event: MouseEvent): void {
    const [x, y] = this.#place(event).map(Math.round) as [number, number];
    const scale = this.#canvas.clientWidth / WIDTH;
    const { x: xs, y: ys, links } = this.#draft;
    const node = xs.findIndex((place, i) => Math.hypot(place - x, ys[i]! - y) * scale < NODE);
    if (node < 0) {
      if (xs.length < MOST_NODES) this.#change({ ...this.#draft, x: [...xs, x], y: [...ys, y] });
      else this.#say(`A drawing can have at most ${MOST_NODES} nodes.`);
      this.#chosen = -1;
    } else if (this.#chosen < 0 || this.#chosen === node) this.#chosen = this.#chosen === node ? -1 : node;
    else {
      const other = this.#chosen;
      const kept = links.filter(([a, b]) => !(a === node && b === other) && !(a === other && b === node));
      this.#chosen = -1;
      this.#change({
        ...this.#draft,
        links: kept.length < links.length ? kept : [...links, [Math.min(node, other), Math.max(node, other)]],
      });
    }
    this.#draw();
  }

  /** Nodes that are named but not there yet stand on a ring. */
  #read(): void {
    const links: [number, number][] = [];
    for (const line of this.#text.value.split(/[\n,;]+/)) {
      const [, a, b] = /^\s*(\d{1,2})\s*[-\s]\s*(\d{1,2})\s*$/.exec(line) ?? [];
      if (a === undefined) continue;
      const [u, v] = [Math.min(Number(a), Number(b)), Math.max(Number(a), Number(b))];
      if (u !== v && v < MOST_NODES && !links.some(([x, y]) => x === u && y === v)) links.push([u, v]);
    }
    const nodes = Math.max(this.#draft.x.length, ...links.map(([, v]) => v + 1));
    const ring = (node: number, way: (angle: number) => number, size: number): number =>
      Math.round(size / 2 + way((2 * Math.PI * node) / nodes - Math.PI / 2) * size * 0.38);
    const all = range(nodes);
    this.#change({
      x: all.map((node) => this.#draft.x[node] ?? ring(node, Math.cos, WIDTH)),
      y: all.map((node) => this.#draft.y[node] ?? ring(node, Math.sin, HEIGHT)),
      links,
    });
  }

  #change(draft: Draft): void {
    this.#past.push(this.#draft);
    this.#set(draft);
  }

  #undo(): void {
    const before = this.#past.pop();
    if (before) this.#set(before);
  }

  #set(draft: Draft): void {
    this.#draft = draft;
    this.#chosen = -1;
    this.#text.value = linkFile(draft);
    this.#say(problem(draft) || `${draft.x.length} nodes, ${draft.links.length} links.`);
    this.#draw();
  }

  #use(): void {
    const wrong = problem(this.#draft);
    if (wrong) this.#say(wrong);
    else this.use(this.#draft);
  }

  #say(words: string): void {
    this.#words.textContent = words;
  }

  #draw(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width < 20 || height < 20) return;
    const theme = readTheme(document.documentElement);
    const painter = new CanvasPainter(prepared(this.#canvas, width, height), theme.font);
    const { x, y, links } = this.#draft;
    const at = (node: number): [number, number] => [(x[node]! / WIDTH) * width, (y[node]! / HEIGHT) * height];
    for (const [a, b] of links) painter.line([...at(a), ...at(b)], { colour: theme.frame, width: 2 });
    x.forEach((_, node) => {
      const [left, top] = at(node);
      painter.disc(left, top, NODE * 0.7, {
        fill: theme.panel,
        stroke: node === this.#chosen ? theme.select : theme.frame,
        width: node === this.#chosen ? 4 : 2,
      });
      painter.text(left, top, String(node), { size: 16, colour: theme.ink, weight: 650 });
    });
    this.#canvas.ariaLabel = `${x.length} nodes; links ${links.map(([a, b]) => `${a} to ${b}`).join(", ") || "none"}`;
  }
}
