// The picture of a film's bound, for its stage.

import type { Painter } from "../kit/painter";
import type { Theme } from "../kit/theme";
import type { Frame } from "../viewer/frame";
import type { Scene } from "../viewer/scene";
import { drawBound } from "./draw";
import { drawEnds } from "./ends";
import type { BoundPicture } from "./picture";
import { Pulled, PulledScene } from "./pulled";
import { queuedAt } from "./queue";

export class BoundDrawing {
  readonly #pulled: Pulled;

  constructor(readonly picture: BoundPicture) {
    this.#pulled = new Pulled(picture);
  }

  /** The network pulled apart as far as that. */
  scene(base: Scene, pull: number): Scene {
    return this.#pulled.scene(base, pull);
  }

  /** The marks beside the network, if it is pulled apart. */
  draw(painter: Painter, scene: Scene, frame: Frame): void {
    if (scene instanceof PulledScene) drawBound(painter, scene, this.picture, frame);
  }

  /** The waiting packet at a place, or -1. */
  packetAt(scene: Scene, now: number, x: number, y: number, reach: number): number {
    return scene instanceof PulledScene ? queuedAt(scene, now, x, y, reach) : -1;
  }

  /** The nodes that a line of the proof speaks of. */
  light(painter: Painter, scene: Scene, theme: Theme): void {
    drawEnds(painter, scene, this.picture, theme);
  }
}
