// Marks beside the network in the picture of its bound: the cut and its queues, rings, columns, bars, and a few
// words above and below, where no node stands.

import { css, mix, parseColour, readable } from "../kit/colour";
import type { Painter, Type } from "../kit/painter";
import type { Theme } from "../kit/theme";
import { counted, grouped } from "../kit/words";
import { isGrey, numberOn } from "../viewer/draw-flights";
import type { Frame } from "../viewer/frame";
import { drawBars } from "./bars";
import { lineOf, radiusOf } from "./goal";
import type { BoundPicture } from "./picture";
import type { Gate, PulledScene } from "./pulled";
import { crossed, NARROW, queueAt, waiting } from "./queue";

export function drawBound(painter: Painter, scene: PulledScene, picture: BoundPicture, frame: Frame): void {
  painter.opacity(scene.share ** 2);
  const { goal } = scene;
  if (goal.rings) drawRings(painter, scene, frame);
  if (goal.cut !== null) drawCut(painter, scene, frame);
  if (goal.growth) drawColumns(painter, scene, picture, frame);
  if (goal.bars) drawBars(painter, scene.film, picture, frame, goal.bars, wordsOf(scene, frame.theme));
  for (const [text, align, above, purple] of linesOf(scene, picture, frame)) {
    const type = { ...wordsOf(scene, frame.theme), align, colour: purple ? frame.theme.bound : frame.theme.ink };
    const x = align === "left" ? BESIDE : align === "right" ? scene.width - BESIDE : middleOf(text, type.size, scene);
    const line = lineOf(scene);
    painter.text(x, above ? line / 2 : scene.height - line / 2, text, type);
  }
  painter.opacity(1);
}

/** The words' distance from the edges, and the width of a letter, on average, as a share of the size. */
const BESIDE = 6;
const LETTER = 0.58;

/** Below the cut, as far as the words stay inside. */
function middleOf(text: string, size: number, { goal, width }: PulledScene): number {
  const half = BESIDE + (text.length * size * LETTER) / 2;
  return Math.max(half, Math.min(width - half, goal.cut ?? width / 2));
}

/** Text, place, above or below, in the bound's colour. */
type Line = [string, "left" | "center" | "right", boolean, boolean];

const wordsOf = (scene: PulledScene, theme: Theme): Type => ({
  size: scene.present ? 21 : scene.width < 640 || scene.height < 260 ? 12.5 : 15,
  weight: 600,
  colour: theme.ink,
  halo: theme.background,
});

function linesOf(scene: PulledScene, picture: BoundPicture, frame: Frame): Line[] {
  const { film, goal } = scene;
  const { now } = frame;
  const room = scene.width >= 640;
  const size = wordsOf(scene, frame.theme).size;
  const fits = (...texts: string[]): boolean =>
    room && texts.join("").length * size * LETTER * 1.1 + (texts.length + 1) * BESIDE < scene.width;
  switch (picture.kind) {
    case "cut":
    case "ports": {
      const left = goal.gates.reduce((sum, link) => sum + waiting(film, link, now).length, 0);
      const over = crossed(film, goal.gates, now);
      const links = counted(goal.gates.length, "link");
      const where =
        picture.kind === "cut"
          ? `the cut: ${links}`
          : `${picture.out ? "out of" : "into"} node ${picture.node}: ${links}`;
      return [
        [`${counted(left, "packet")} ${left === 1 ? "waits" : "wait"}`, "left", true, false],
        [
          `${grouped(over)} ${over === 1 ? "has" : "have"} ${picture.kind === "cut" ? "crossed" : picture.out ? "left" : "arrived"}`,
          "right",
          true,
          false,
        ],
        [
          `${where}${room ? (film.data.one_port ? ", one packet per node per step" : ", one packet per link per step") : ""}`,
          "center",
          false,
          true,
        ],
      ];
    }
    case "parts": {
      const few = picture.of.flatMap((part, node) => (part === -1 && !film.network.lacks(node) ? [node] : []));
      return [
        [
          `${counted(picture.must, "packet")} ${picture.must === 1 ? "has" : "have"} to pass through node` +
            `${few.length > 1 ? "s" : ""} ${few.join(", ")}`,
          "left",
          true,
          true,
        ],
        [
          `without ${few.length > 1 ? "them" : "it"}: ${counted(Math.max(...picture.of) + 1, "part")}`,
          "left",
          false,
          true,
        ],
      ];
    }
    case "distance": {
      const far = film.network.distanceTo(picture.from)[picture.to]!;
      const away = `node ${picture.to} is ${counted(far, "link")} away`;
      const from = ` from node ${picture.from}`;
      const rate =
        picture.paths.length > 1
          ? `paths of ${picture.paths.join(", ")} links`
          : picture.rate > 0 && picture.must > 1
            ? `at most ${picture.rate} can ${picture.out ? "leave" : "arrive"} per step`
            : "";
      const reached = Math.min(far, Math.floor(now));
      return [
        [fits(away, from, rate) ? away + from : away, "left", true, true],
        [
          reached > 0 && film.inSteps && room
            ? `after ${counted(Math.floor(now), "step")} nothing from there is farther away than ${counted(reached, "link")}`
            : "",
          "left",
          false,
          false,
        ],
        [rate, "right", room, true],
      ];
    }
    case "growth":
      return [];
    case "amount":
    case "time":
      return [];
  }
}

function drawCut(painter: Painter, scene: PulledScene, frame: Frame): void {
  const { theme } = frame;
  const line = lineOf(scene);
  const x = scene.goal.cut!;
  painter.line([x, line, x, scene.height - line], { colour: theme.bound, width: 2.5, dash: [9, 7] });
  for (const gate of scene.gates) drawQueue(painter, scene, gate, frame);
}

function drawQueue(painter: Painter, scene: PulledScene, gate: Gate, frame: Frame): void {
  const { film, queued: radius } = scene;
  const { now, theme, options } = frame;
  const { packets, each, place } = queueAt(scene, gate, now);
  if (each < NARROW) {
    const { whole, head } = gate;
    drawHeap(
      painter,
      scene,
      packets.length,
      whole.between(Math.max(0, head - (packets.length * each) / whole.length), head),
      frame,
    );
    return;
  }
  for (let i = packets.length - 1; i >= 0; i--) {
    const packet = packets[i]!;
    const { x, y } = place(i);
    if (isGrey(film, options, packet)) {
      painter.token(x, y, Math.max(1.8, radius * 0.5), { fill: theme.link }, "", { size: 1, colour: theme.link }, true);
      continue;
    }
    const colour = frame.colouring.packet(packet, options.colour, theme);
    const text = radius < scene.numbered || each < radius * 1.3 ? "" : numberOn(film, packet);
    const look = { fill: css(colour), stroke: theme.dark ? theme.background : theme.ink, width: 1 };
    const size = radius * (text.length > 2 ? 0.85 : 1.12);
    painter.token(
      x,
      y,
      radius,
      look,
      size < theme.least ? "" : text,
      { size, colour: readable(colour), weight: 650 },
      true,
    );
  }
}

function drawHeap(painter: Painter, scene: PulledScene, count: number, points: number[], { theme }: Frame): void {
  if (count === 0) return;
  painter.line(points, { colour: theme.bound, width: Math.max(4, scene.radius * 1.6) });
  const [x, y] = [points.at(-2)!, points.at(-1)!];
  painter.text(x - 4, y, grouped(count), { ...wordsOf(scene, theme), size: Math.max(12, theme.least), align: "right" });
}

/** The farthest that a packet can have come, and the rings. */
function drawRings(painter: Painter, scene: PulledScene, { theme, now }: Frame): void {
  const { x, y, wide, high, count } = scene.goal.rings!;
  const around = (k: number): number[] =>
    Array.from({ length: 65 }, (_, i) => [
      x + radiusOf(k, count) * wide * Math.cos((i * Math.PI) / 32),
      y + radiusOf(k, count) * high * Math.sin((i * Math.PI) / 32),
    ]).flat();
  const reached = scene.film.inSteps ? Math.min(count, now) : 0;
  const light = css(mix(theme.ground, parseColour(theme.bound), theme.dark ? 0.5 : 0.35));
  for (let k = 1; k <= count; k++)
    painter.line(around(k), { colour: light, width: k <= reached ? 2.2 : 1.1, dash: [3, 5] });
  if (reached > 0) painter.line(around(reached), { colour: theme.bound, width: 2.5 });
  const line = lineOf(scene);
  for (let k = 1; k <= count; k++)
    ringLabel(painter, scene, k, {
      size: Math.max(11, theme.least, line * 0.55),
      colour: theme.bound,
      weight: 600,
      halo: theme.background,
    });
}

/** The number of a ring, where no node stands. */
function ringLabel(painter: Painter, scene: PulledScene, k: number, type: Type): void {
  const { x, y, wide, high, count } = scene.goal.rings!;
  const radius = radiusOf(k, count);
  for (let i = 0; i < 48; i++) {
    const angle = -Math.PI / 4 + (i % 2 ? -1 : 1) * Math.ceil(i / 2) * (Math.PI / 24);
    const [px, py] = [x + radius * wide * Math.cos(angle), y + radius * high * Math.sin(angle)];
    if (scene.nodeAt(px, py, type.size * 1.2 + scene.sizes.label) >= 0) continue;
    painter.text(px, py, String(k), type);
    return;
  }
}

function drawColumns(painter: Painter, scene: PulledScene, picture: BoundPicture, { theme, now }: Frame): void {
  if (picture.kind !== "growth") return;
  const { columns, first, part } = scene.goal.growth!;
  const line = lineOf(scene);
  const type = wordsOf(scene, theme);
  const title = picture.reversed
    ? `sums of block ${part + 1} that may still be apart, at most`
    : `nodes that can have packet ${part + 1}, at most`;
  painter.text(6, line / 2, picture.most.length > 0 ? title : title.replace(", at most", ""), {
    ...type,
    colour: theme.bound,
    align: "left",
  });
  columns.forEach((x, k) => {
    const at = picture.reversed ? first + 1 - k : first - 1 + k;
    const reached = k === 0 || now >= at;
    const most = picture.most[Math.min(k, picture.most.length - 1)];
    if (most !== undefined) painter.text(x, line * 1.5, grouped(most), { ...type, colour: theme.bound });
    painter.text(
      x,
      scene.height - line / 2,
      k === 0 ? "root" : columns.length > 5 && scene.width < 640 ? String(at) : `step ${at}`,
      { ...type, weight: reached ? 650 : 400, colour: reached ? theme.ink : theme.muted },
    );
  });
}
