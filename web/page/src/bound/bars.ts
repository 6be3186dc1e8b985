// Bars: the packets that have to be sent beside those that can be sent in a step, or the least time piece by piece above
// the run's.

import { css, mix, parseColour } from "../kit/colour";
import type { Painter, Type } from "../kit/painter";
import { range } from "../kit/numbers";
import type { Theme } from "../kit/theme";
import type { Rect } from "../kit/track";
import { counted, grouped } from "../kit/words";
import type { Frame } from "../viewer/frame";
import type { Film } from "../viewer/film";
import type { BoundPicture } from "./picture";

type Amount = Extract<BoundPicture, { kind: "amount" }>;
type Time = Extract<BoundPicture, { kind: "time" }>;

export function drawBars(
  painter: Painter,
  film: Film,
  picture: BoundPicture,
  frame: Frame,
  area: Rect,
  type: Type,
): void {
  if (picture.kind === "amount") drawAmount(painter, film, picture, frame, area, type);
  else if (picture.kind === "time") drawTime(painter, film, picture, frame, area, type);
}

/** The first text that has room, or the last one, smaller. */
function fitted(painter: Painter, x: number, y: number, room: number, type: Type, words: readonly string[]): void {
  const wide = (text: string): number => text.length * type.size * 0.6;
  const text = words.find((one) => wide(one) <= room) ?? words.at(-1)!;
  painter.text(x, y, text, { ...type, size: Math.max(9, Math.min(type.size, (type.size * room) / wide(text))) });
}

const light = (theme: Theme): string => css(mix(theme.ground, parseColour(theme.bound), theme.dark ? 0.45 : 0.28));

/** A column for every step, as high as its capacity; the purple area is the work. */
function drawAmount(
  painter: Painter,
  film: Film,
  picture: Amount,
  { now, theme }: Frame,
  area: Rect,
  type: Type,
): void {
  const { must, per_step: most, prices, by_distance: parts } = picture;
  const steps = Math.max(film.length, Math.ceil(must / most));
  const [wide, high] = [(area.right - area.left) / steps, area.bottom - area.top];
  const gap = wide > 6 ? 1.5 : 0;
  painter.rect(area.left, area.top, area.right - area.left, high, 0, { fill: theme.empty });
  const full = Math.floor(must / most);
  const rest = ((must % most) / most) * high;
  painter.rect(area.left, area.top, full * wide, high, 0, { fill: light(theme) });
  painter.rect(area.left + full * wide, area.bottom - rest, wide, rest, 0, { fill: light(theme) });
  const counts = !prices && (film.data.one_port || most === film.network.directed);
  if (counts) drawSent(painter, film, now, steps, most, theme, area);
  if (gap > 0)
    range(steps + 1).forEach((i) =>
      painter.line([area.left + i * wide, area.top, area.left + i * wide, area.bottom], {
        colour: theme.background,
        width: gap,
      }),
    );
  let sum = 0;
  parts.forEach((part, i) => {
    const [from, to] = [sum / most, (sum += part) / most].map((at) => area.left + at! * wide) as [number, number];
    if (i > 0) painter.line([from, area.top - 6, from, area.bottom], { colour: theme.bound, width: 1.5 });
    const words = `${counted(i + 1, "link")}: ${grouped(part)}`;
    painter.text(
      (from + to) / 2,
      area.top - type.size * 0.8,
      to - from > words.length * type.size * 0.6 ? words : String(i + 1),
      { ...type, colour: theme.bound },
    );
  });
  const [end, here] = [Math.ceil(must / most), now].map((step) => area.left + step * wide) as [number, number];
  painter.line([here, area.top - 4, here, area.bottom + 4], { colour: theme.ink, width: 1.5 });
  painter.line([end, area.top - 4, end, area.bottom + 4], { colour: theme.bound, width: 3 });
  const what = prices ? "to pay" : parts.length > 0 ? "hops" : "transmissions";
  const room = area.right - area.left;
  fitted(
    painter,
    (area.left + area.right) / 2,
    area.bottom + type.size * 0.95,
    room,
    { ...type, colour: theme.bound },
    [`${grouped(must)} ${what}, at most ${grouped(most)} per step`, `${grouped(must)}, ${grouped(most)} per step`],
  );
  if (parts.length === 0)
    fitted(painter, area.left, area.top - type.size * 0.8, room, { ...type, align: "left" }, [
      `a column is a step, ${grouped(most)} high`,
      "a column is a step",
    ]);
}

/** The packets that the film has sent, step after step. */
function drawSent(
  painter: Painter,
  film: Film,
  now: number,
  steps: number,
  most: number,
  theme: Theme,
  area: Rect,
): void {
  const [wide, high] = [(area.right - area.left) / steps, area.bottom - area.top];
  for (let step = 0; step < Math.min(film.length, now); step++) {
    const sent = film.use.mean(step, step + 1) * film.network.directed * Math.min(1, now - step);
    const bar = (Math.min(sent, most) / most) * high;
    painter.rect(area.left + (step + 0.22) * wide, area.bottom - bar, wide * 0.56, bar, 0, { fill: theme.progress });
  }
}

/** Bars under each other, to one scale: the bound, its busiest link, the run. */
function drawTime(painter: Painter, film: Film, picture: Time, { now, theme }: Frame, area: Rect, type: Type): void {
  const { start_up: start, bytes, more, byte } = picture;
  const ticks = film.data.ticks_per_ns;
  const least = start + bytes + more * (start + byte);
  const scale = (area.right - area.left) / Math.max(least, film.length / ticks);
  const row = (area.bottom - area.top) / 3;
  const bar = Math.max(3, Math.min(34, row - type.size * 1.9));
  const at = (i: number): number => area.top + i * row + type.size * 1.5;
  const fill = (i: number, from: number, to: number, colour: string): void =>
    painter.rect(area.left + from * scale, at(i), Math.max(0.5, (to - from) * scale), bar, 0, { fill: colour });
  const title = (i: number, colour: string, ...words: string[]): void =>
    fitted(
      painter,
      area.left,
      at(i) - type.size * 0.75,
      area.right - area.left,
      { ...type, colour, align: "left" },
      words,
    );
  const ns = (value: number): string =>
    value < 10 ? String(Math.round(value * 100) / 100) : grouped(Math.round(value));

  const hop = `(${ns(start)} + ${ns(byte)})`;
  const rest = more > 0 ? ` + ${ns(more)} \u00d7 ${hop}` : "";
  if (more > 0 && bytes === byte)
    title(
      0,
      theme.bound,
      `least time, link after link: ${ns(more + 1)} \u00d7 ${hop} ns`,
      `${ns(more + 1)} \u00d7 ${hop} ns`,
    );
  else
    title(
      0,
      theme.bound,
      `least time: start-up ${ns(start)} + bytes ${ns(bytes)}${rest} ns`,
      `start-up ${ns(start)} + bytes ${ns(bytes)}${rest}`,
      `${ns(start)} + ${ns(bytes)}${rest}`,
    );
  let sum = 0;
  for (let i = 0; i <= Math.min(more, 999); i++) {
    fill(0, sum, sum + start, light(theme));
    fill(0, sum + start, (sum += start + (i === 0 ? bytes : byte)), theme.bound);
  }
  const link = busiest(film);
  const packets = film.onLink(link);
  const name = `link ${film.network.from[link]} \u2192 ${film.network.to[link]}: ${counted(packets.length, "packet")}`;
  title(1, theme.ink, `${name}, each with a start-up`, name);
  const faint = css(mix(theme.ground, parseColour(theme.progress), 0.45));
  for (const packet of packets) {
    const [from, to] = [film.packets.start[packet]! / ticks, film.packets.end[packet]! / ticks];
    fill(1, from, Math.min(to, from + start), theme.link);
    fill(1, Math.min(to, from + start), to, film.packets.start[packet]! < now ? theme.progress : faint);
  }
  title(2, theme.ink, `the run: ${ns(film.length / ticks)} ns`);
  fill(2, 0, film.length / ticks, theme.empty);
  fill(2, 0, now / ticks, theme.progress);
  const [mark, here] = [least, now / ticks].map((value) => area.left + value * scale) as [number, number];
  for (let i = 0; i < 3; i++) painter.line([mark, at(i) - 3, mark, at(i) + bar + 3], { colour: theme.bound, width: 3 });
  for (let i = 0; i < 3; i++) painter.line([here, at(i) - 3, here, at(i) + bar + 3], { colour: theme.ink, width: 1.5 });
}

/** The link that is busy longest, among those that bind. */
function busiest(film: Film): number {
  const { start, end } = film.packets;
  const links = film.data.bound!.links.length > 0 ? film.data.bound!.links : range(film.network.directed);
  const busy = (link: number): number =>
    film.onLink(link).reduce((sum, packet) => sum + end[packet]! - start[packet]!, 0);
  return links.reduce((best, link) => (busy(link) > busy(best) ? link : best), links[0] ?? 0);
}
