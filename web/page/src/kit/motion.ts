// The clock of the screen: one callback per frame while something moves, none else.

export class Motion {
  #request = 0;
  #last = 0;
  /** Length of the latest frames in ms, for measurements. */
  readonly frames: number[] = [];

  /** `advance` gets the ms since the frame before and says whether there is more to come. */
  constructor(private readonly advance: (elapsed: number) => boolean) {}

  get running(): boolean {
    return this.#request !== 0;
  }

  start(): void {
    if (this.running) return;
    this.#last = 0;
    this.#request = requestAnimationFrame(this.#frame);
  }

  stop(): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }

  readonly #frame = (now: number): void => {
    const elapsed = this.#last === 0 ? 0 : now - this.#last;
    this.#last = now;
    if (elapsed > 0) {
      this.frames.push(elapsed);
      if (this.frames.length > 1200) this.frames.shift();
    }
    this.#request = requestAnimationFrame(this.#frame);
    // A tab that comes back after a minute goes on where it was.
    if (!this.advance(Math.min(elapsed, 250))) this.stop();
  };
}

export const prefersStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** 0..1 to 0..1, slow at both ends. */
export function eased(t: number): number {
  return t < 0.5 ? 4 * t ** 3 : 1 - 4 * (1 - t) ** 3;
}

/** Lets the page do its other work. */
export const breath = (): Promise<void> => new Promise((done) => setTimeout(done));
