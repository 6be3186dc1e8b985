// The picture in words, for screen readers: a list of nodes that the keyboard goes through, and a table of
// the packets that are on their way.

import { element, row, say, table } from "../kit/dom";
import { ARROWS } from "../kit/letters";
import { range } from "../kit/numbers";
import { counted } from "../kit/words";
import type { Film } from "./film";
import { hasWords, packetWords } from "./packet-words";
import type { Player } from "./player";
import type { Replay } from "./replay";
import type { Stage } from "./stage";

const MOST_ROWS = 400;

export class NodeList {
  readonly root = element("div.hidden.list");
  readonly #buttons: HTMLButtonElement[];
  readonly #caption = element("caption");
  readonly #body = element("tbody");

  constructor(
    private readonly player: Player,
    private readonly film: Film,
    private readonly replay: Replay,
    private readonly stage: Stage,
  ) {
    this.#buttons = range(film.network.nodes).map((node) => this.#button(node));
    const list = element(
      "ul",
      { "aria-label": "nodes; arrows go along links" },
      ...this.#buttons.map((made) => element("li", made)),
    );
    this.root.append(list, table(["from", "to", "carries"], this.#body, this.#caption));
  }

  /** Called when the picture stands still. */
  update(now: number): void {
    this.#buttons.forEach((made, node) => say(made, this.#words(node)));
    const rows: HTMLElement[] = [];
    let count = 0;
    for (let link = 0; link < this.film.network.directed; link++) {
      const packet = this.film.carried(link, now);
      if (packet < 0) continue;
      count++;
      if (rows.length >= MOST_ROWS) continue;
      rows.push(row([String(this.film.from(packet)), String(this.film.to(packet)), packetWords(this.film, packet)]));
    }
    say(
      this.#caption,
      `${counted(count, "packet")} on the way${count > rows.length ? `, the first ${rows.length}` : ""}`,
    );
    this.#body.replaceChildren(...rows);
  }

  focus(node: number): void {
    this.#buttons.forEach((made, i) => {
      made.tabIndex = i === node ? 0 : -1;
    });
    this.#buttons[node]?.focus();
  }

  #button(node: number): HTMLButtonElement {
    const made = element("button", { type: "button", tabindex: node === 0 ? "0" : "-1" });
    say(made, `node ${node}`);
    made.addEventListener("focus", () => {
      say(made, this.#words(node));
      this.player.change({ focus: node });
    });
    made.addEventListener("blur", () => this.player.change({ focus: -1 }));
    made.addEventListener("click", () => this.player.select({ what: "node", node }));
    made.addEventListener("keydown", (event) => {
      const by = ARROWS[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      this.focus(this.#towards(node, ...by));
    });
    return made;
  }

  /** The neighbour that lies most in a direction. */
  #towards(node: number, dx: number, dy: number): number {
    const scene = this.stage.scene;
    if (!scene) return node;
    let [best, found] = [0.35, node];
    for (const link of this.film.network.leaving(node)) {
      const next = this.film.network.to[link]!;
      const [x, y] = [scene.fitted.x[next]! - scene.fitted.x[node]!, scene.fitted.y[next]! - scene.fitted.y[node]!];
      const much = (x * dx + y * dy) / Math.hypot(x, y) - Math.hypot(x, y) * 1e-5;
      if (much > best) [best, found] = [much, next];
    }
    return found;
  }

  #words(node: number): string {
    const { holding } = this.replay;
    const has = hasWords(this.film, holding, node);
    const kept = holding.kept(node);
    return `node ${node}${has && `, ${has}`}${kept > 0 ? `, keeps ${kept}` : ""}`;
  }
}
