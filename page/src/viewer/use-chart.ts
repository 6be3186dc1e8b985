// Links in use over the whole run, large: what there is to see of a run of which only counts are known.

import type { Painter } from "../kit/painter";
import { floor, max, min, range } from "../kit/range";
import type { Theme } from "../kit/theme";
import { grouped } from "../kit/words";
import type { Film } from "./film";
import type { Options } from "./options";
import type { Area } from "./summary";

export function drawUse(painter: Painter, film: Film, now: number, theme: Theme, { bound }: Options, area: Area): void {
  const { left, top, width: wide, height: high } = area;
  if (wide < 40 || high < 40) return;
  const { use, length, network } = film;
  const bars = max(1, min(length, floor(wide / 3)));
  const each = wide / bars;
  const gap = each > 4 ? 1 : 0;
  range(bars).forEach((i) => {
    const [from, to] = [(i * length) / bars, ((i + 1) * length) / bars];
    const bar = use.mean(from, to) * high;
    painter.rect(left + i * each, top, each - gap, high, 0, { fill: theme.empty });
    painter.rect(left + i * each, top + high - bar, each - gap, bar, 0, { fill: from < now ? theme.progress : theme.link });
  });
  for (const share of [0, 0.5, 1]) {
    const y = top + high * (1 - share);
    painter.line([left - 5, y, left + wide, y], { colour: theme.frame, width: 0.8 });
    painter.text(left - 10, y, grouped(floor(network.directed * share)), { size: 13, colour: theme.muted, align: "right" });
  }
  painter.text(left, top - 16, "Links in use", { size: 14, colour: theme.ink, weight: 650, align: "left" });
  painter.text(left, top + high + 16, "step 1", { size: 13, colour: theme.muted, align: "left" });
  painter.text(left + wide, top + high + 16, grouped(length), { size: 13, colour: theme.muted, align: "right" });
  const value = film.data.bound?.value;
  if (bound && value && value <= length) painter.rect(left + (value / length) * wide - 3, top - 6, 3, high + 6, 0, { fill: theme.bound });
  painter.rect(left + (now / max(1, length)) * wide - 1, top - 6, 2.5, high + 12, 0, { fill: theme.ink });
}
