// A time line: bars that show the activity, up to now in a darker tone; dragged to go elsewhere.

import { prepared, CanvasPainter } from "./canvas";
import { element } from "./dom";
import { range } from "./numbers";
import type { Type } from "./painter";
import type { Theme } from "./theme";

export interface TimelineTrack {
  /** The end of the track on the common axis. */
  length: number;
  /** Borders between bars; without them there is a bar every 4 px. */
  borders: number[] | null;
  /** The height of the bar between two times, 0..1. */
  height(from: number, to: number): number;
  /** A purple mark. */
  mark: number | null;
}

export interface TimelinePhase {
  from: number;
  to: number;
  name: string;
}

export interface TimelineContent {
  label: string;
  markLabel: string;
  length: number;
  tracks: TimelineTrack[];
  phases: TimelinePhase[];
}

/** Height of a row of phases, in sizes of its text. */
const PHASE_HEIGHT = 1.36;

export class Timeline {
  readonly root: HTMLElement;
  readonly slider: HTMLElement;
  readonly #canvas = element("canvas", { "aria-hidden": "true" });
  readonly #label = element("span");
  readonly #markLabel = element("span.mark");
  readonly #captions = element("div.captions", this.#label, this.#markLabel);
  #content: TimelineContent = { label: "", markLabel: "", length: 0, tracks: [], phases: [] };
  #phases: Labelled[][] = [];
  /** The rows of phases that there is room for. */
  #rows: Labelled[][] = [];
  #size = 12.5;

  /** `rest` is called when the bars are let go. */
  constructor(
    private readonly seek: (time: number) => void,
    rest: () => void,
  ) {
    this.slider = element(
      "div.slider",
      { role: "slider", tabindex: "0", "aria-label": "time", "aria-valuemin": "0" },
      this.#canvas,
    );
    this.root = element("div.timeline", this.#captions, this.slider);
    this.slider.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.slider.setPointerCapture(event.pointerId);
      this.#drag(event);
    });
    this.slider.addEventListener("lostpointercapture", rest);
    this.slider.addEventListener("pointermove", (event) => {
      if (this.slider.hasPointerCapture(event.pointerId)) this.#drag(event);
    });
  }

  set(content: TimelineContent): void {
    this.#content = content;
    this.#label.textContent = content.label;
    this.#markLabel.textContent = content.markLabel;
    this.#phases = rowsOf(content.phases);
    this.measure();
  }

  /** Takes over the text size of the page, which presentations change. Where there are no captions, the bar is one line. */
  measure(): void {
    this.#size = Math.max(12.5, parseFloat(getComputedStyle(this.#label).fontSize) || 0);
    const low = getComputedStyle(this.#captions).display === "none";
    this.#rows = low ? [] : this.#phases;
    const { tracks } = this.#content;
    const bars = tracks.length > 1 ? 19 * tracks.length : low ? 28 : 36;
    this.slider.style.height = `${bars + this.#rows.length * this.#size * PHASE_HEIGHT}px`;
  }

  value(now: number, text: string): void {
    this.slider.setAttribute("aria-valuemax", String(this.#content.length));
    this.slider.setAttribute("aria-valuenow", String(Math.round(now * 100) / 100));
    this.slider.setAttribute("aria-valuetext", text);
  }

  draw(now: number, theme: Theme): void {
    const { clientWidth: width, clientHeight: height } = this.slider;
    const context = prepared(this.#canvas, width, height);
    const painter = new CanvasPainter(context, theme.font);
    const { tracks, length } = this.#content;
    const scale = width / Math.max(length, 1e-9);
    this.#drawPhases(painter, scale, theme, now);
    const top = this.#rows.length * this.#size * PHASE_HEIGHT;
    const each = (height - top) / Math.max(1, tracks.length);
    tracks.forEach((track, i) => {
      const y = top + i * each;
      const high = each - (i + 1 < tracks.length ? 3 : 0);
      this.#drawTrack(painter, track, y, high, scale, now, theme);
    });
    if (length > 0)
      painter.rect(Math.min(width - 2, Math.max(0, now * scale - 1)), top, 2.5, height - top, 0, { fill: theme.ink });
  }

  #drawTrack(
    painter: CanvasPainter,
    track: TimelineTrack,
    y: number,
    high: number,
    scale: number,
    now: number,
    theme: Theme,
  ): void {
    const borders = track.borders && scale >= 3 ? track.borders : this.#dense(track, scale);
    const gap = track.borders && scale >= 3 ? Math.min(2, scale * 0.2) : 1;
    for (let i = 0; i + 1 < borders.length; i++) {
      const [from, to] = [borders[i]!, borders[i + 1]!];
      const x = from * scale;
      const wide = Math.max(1, to * scale - x - gap);
      const bar = track.height(from, to) * high;
      painter.rect(x, y, wide, high, 0, { fill: theme.empty });
      painter.rect(x, y + high - bar, wide, bar, 0, { fill: theme.link });
      const past = Math.min(wide, (now - from) * scale);
      if (past > 0) painter.rect(x, y + high - bar, past, bar, 0, { fill: theme.progress });
    }
    if (track.mark !== null) painter.rect(Math.max(0, track.mark * scale - 3), y, 3, high, 0, { fill: theme.bound });
  }

  #dense(track: TimelineTrack, scale: number): number[] {
    const count = Math.max(1, Math.floor((track.length * scale) / 4));
    return range(count + 1).map((i) => (i * track.length) / count);
  }

  #drawPhases(painter: CanvasPainter, scale: number, theme: Theme, now: number): void {
    const size = this.#size;
    const high = size * PHASE_HEIGHT;
    this.#rows.forEach((row, i) => {
      for (const { from, to, end } of row) {
        const current = from <= now && now < to;
        const wide = Math.max(1, (end - from) * scale - 2);
        painter.rect(from * scale, (i + 1) * high - 3, wide, 2, 0, { fill: current ? theme.ink : theme.link });
      }
      const small: Type = { size, colour: theme.muted, align: "left" };
      const fits = ({ from, end, name }: Labelled): boolean => painter.width(name, small) <= (end - from) * scale - 6;
      for (const { from, to, end, name } of inGroups(row, fits)) {
        const wide = (end - from) * scale - 2;
        if (wide < 26) continue;
        const type: Type = { ...small, colour: from <= now && now < to ? theme.ink : theme.muted };
        painter.text(from * scale + 2, i * high + high * 0.4, fitted(painter, name, wide - 4, type), type);
      }
    });
  }

  #drag(event: PointerEvent): void {
    const box = this.slider.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    this.seek(Math.min(1, Math.max(0, share)) * this.#content.length);
  }
}

/** A phase whose label ends where the next begins. */
type Labelled = TimelinePhase & { end: number };

/** Phases that overlap stand in two rows; where that is not enough, in one, each label up to the next beginning. */
function rowsOf(phases: readonly TimelinePhase[]): Labelled[][] {
  const rows: Labelled[][] = [];
  for (const phase of phases) {
    const row = rows.find((others) => others.every(({ from, to }) => phase.from >= to || phase.to <= from));
    if (row) row.push({ ...phase, end: phase.to });
    else rows.push([{ ...phase, end: phase.to }]);
  }
  if (rows.length <= 2) return rows;
  const sorted = [...phases].sort((a, b) => a.from - b.from);
  return [sorted.map((phase, i) => ({ ...phase, end: Math.min(phase.to, sorted[i + 1]?.from ?? phase.to) }))];
}

/** Of "scatter: turn 1 of 4", "scatter: turn 2 of 4" one "scatter" over all of them, if there is not room for each. */
function inGroups(row: readonly Labelled[], fits: (phase: Labelled) => boolean): Labelled[] {
  const groups: { name: string | undefined; phases: Labelled[] }[] = [];
  for (const phase of row) {
    const name = /^(.+?): /.exec(phase.name)?.[1];
    const last = groups.at(-1);
    if (name !== undefined && last?.name === name) last.phases.push(phase);
    else groups.push({ name, phases: [phase] });
  }
  return groups.flatMap(({ name, phases }) => {
    const last = phases.at(-1)!;
    if (name === undefined || phases.every(fits)) return phases;
    return [{ from: phases[0]!.from, to: last.to, end: last.end, name }];
  });
}

/** The text, or of "pair 3" the number, or as much of the text as says something. */
function fitted(painter: CanvasPainter, text: string, width: number, type: Type): string {
  const [, number] = /^\p{L}+ (\d+)$/u.exec(text) ?? [];
  for (const all of [text, number]) if (all !== undefined && painter.width(all, type) <= width) return all;
  if (number !== undefined) return "";
  let cut = text;
  while (cut.length > 1 && painter.width(`${cut}\u2026`, type) > width) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}\u2026`;
}
