// The moving part of the drawing: packets on their lanes, idle links, the path of the followed block.

import { css, mix, readable, type Rgb } from "../kit/colour";
import { range } from "../kit/numbers";
import type { Painter } from "../kit/painter";
import type { Theme } from "../kit/theme";
import { drawCell, sumOf } from "./draw-boxes";
import { drawBurst, drawEvent, drawLosses, LOST_AT } from "./draw-event";
import type { Film } from "./film";
import type { Frame } from "./frame";
import { SumsHolding } from "./holding-sums";
import { bringsNothing, FAINT, litBy } from "./light";
import type { Options } from "./options";
import type { Scene } from "./scene";
import { registerOf } from "./sentence";
import { travelled } from "./stagger";

const TAIL = 0.34;
/** The offset of the two packets on a link of which the second breaks a rule, from the place of one. */
const BESIDE = 0.12;
/** Above so many packets tails are flat: making gradients would cost more than drawing them. */
const MANY = 150;

export interface Flight {
  packet: number;
  link: number;
  /** Share of the lane that is behind it. */
  along: number;
}

/** The packets that are on their way at `now`. */
export function flightsAt(film: Film, scene: Scene, now: number): Flight[] {
  const flights: Flight[] = [];
  const { start, end } = film.packets;
  for (let link = 0; link < film.network.directed; link++) {
    const packet = film.carried(link, now);
    if (packet < 0) continue;
    const share = (now - start[packet]!) / (end[packet]! - start[packet]! || 1);
    const whole = film.inSteps ? travelled(share, scene.late[link]!) : share;
    const along = film.lost.has(packet) ? Math.min(LOST_AT, whole) : whole;
    const first = film.beside(packet, now);
    if (first >= 0) flights.push({ packet: first, link, along: Math.min(1, along + BESIDE) });
    flights.push({ packet, link, along: first < 0 ? along : Math.max(0, along - BESIDE) });
  }
  return flights;
}

/** The packets that are on their way, or these. */
export function drawFlights(
  painter: Painter,
  scene: Scene,
  frame: Frame,
  flights = flightsAt(scene.film, scene, frame.now),
): Flight[] {
  const { film } = scene;
  if (frame.hurried) for (const flight of flights) flight.along = 0.5;
  const underWay = frame.now > 0 && frame.now < film.length;
  if (frame.options.idle && underWay) drawIdle(painter, scene, frame, new Set(flights.map(({ link }) => link)));
  if (frame.journey) drawJourney(painter, scene, frame);
  drawLosses(painter, scene, frame);
  const flat = flights.length > MANY;
  const marks = flights.map((flight) => ({
    flight,
    colour: frame.colouring.packet(flight.packet, frame.options.colour, frame.theme),
    grey:
      isGrey(film, frame.options, flight.packet) ||
      (frame.options.light === "new" && bringsNothing(film, flight.packet)),
  }));
  const lit = litBy(film, frame.options);
  const fade = ({ packet, link }: Flight): void =>
    painter.opacity(
      ((frame.journey !== null && !frame.journey.packets.includes(packet)) || (lit !== null && !lit(link))
        ? FAINT
        : 1) * scene.opacityOn(link),
    );
  const follows = registerOf(film, frame.options) === "one";
  // All tails first: no tail lies over another packet.
  for (const { flight, colour, grey } of marks) {
    if (grey || !film.inSteps) continue;
    fade(flight);
    drawTail(painter, scene, frame, flight, colour, flat);
  }
  for (const { flight, colour, grey } of marks) {
    fade(flight);
    if (grey) drawGrey(painter, scene, frame.theme, flight, flat);
    else if (!film.inSteps) drawFilling(painter, scene, frame.theme, flight, colour);
    else if (frame.holding instanceof SumsHolding) drawSum(painter, scene, frame, flight, frame.holding);
    else drawPacket(painter, scene, frame, flight, colour, flat);
    if (follows && film.followed.has(flight.packet)) drawRing(painter, scene, frame.theme, flight);
    if (flight.packet === film.offending) drawRejected(painter, scene, frame.theme, flight);
    if (film.lost.has(flight.packet) && flight.along >= LOST_AT) drawBurst(painter, scene, frame.theme, flight.link);
  }
  painter.opacity(1);
  drawEvent(painter, scene, frame);
  return flights;
}

/** Whether it belongs to another origin, or another block of sums, than the one shown. */
export function isGrey(film: Film, { show }: Options, packet: number): boolean {
  if (show < 0) return false;
  for (let row = film.packets.first[packet]!; row < film.packets.first[packet + 1]!; row++) {
    if (film.blocks > 0 ? film.ofBlock(row, show) : film.rows.origin[row] === show) return false;
  }
  return true;
}

function drawGrey(painter: Painter, scene: Scene, theme: Theme, { link, along }: Flight, many: boolean): void {
  const { x, y } = scene.lanes[link]!.at(along);
  painter.token(
    x,
    y,
    Math.max(1.8, scene.radius * 0.5),
    { fill: theme.link },
    "",
    { size: 1, colour: theme.link },
    many,
  );
}

/** One origin's packets stand out from the grey dots of the others. */
const radiusOf = (scene: Scene, { show }: Options): number => scene.radius * (show >= 0 ? 1.35 : 1);

function drawPacket(
  painter: Painter,
  scene: Scene,
  { theme, options }: Frame,
  { packet, link, along }: Flight,
  colour: Rgb,
  many: boolean,
): void {
  const radius = radiusOf(scene, options);
  const { x, y } = scene.lanes[link]!.at(along);
  const number = radius < scene.numbered ? "" : numberOn(scene.film, packet);
  const size = radius * (number.length > 2 ? 0.85 : 1.12);
  const text = size < theme.least ? "" : number;
  const look = { fill: css(colour), stroke: theme.dark ? theme.background : theme.ink, width: 1 };
  painter.token(x, y, radius, look, text, { size, colour: readable(colour), weight: 650 }, many);
}

function drawTail(
  painter: Painter,
  scene: Scene,
  { theme, options }: Frame,
  { link, along }: Flight,
  colour: Rgb,
  flat: boolean,
): void {
  const points = scene.lanes[link]!.between(along - TAIL, along);
  const width = scene.sums ? Math.min(6, scene.sizes.side * 0.12) : radiusOf(scene, options) * 1.15;
  if (flat) painter.line(points, { colour: css(mix(theme.ground, colour, 0.4)), width: width * 0.8 });
  else painter.fading(points, { colour: css(colour, 0.62), width });
}

/** The number that a packet bears: the target; of one message in parts, the part; of several blocks how many there are. */
export function numberOn(film: Film, packet: number): string {
  const { rows, packets, data } = film;
  const [first, end] = [packets.first[packet]!, packets.first[packet + 1]!];
  if (end - first > 1) return `${end - first}\u00d7`;
  const { kind, parts, pairs } = data.messages;
  if (kind === "sums") return ""; // of all whose shares are in it
  if (kind === "moves" && Array.isArray(pairs) && pairs.length === 2 && parts > 1) return String(rows.part[first]! + 1);
  if (kind === "moves") return String(rows.target[first]);
  if (!film.single) return String(rows.origin[first]);
  return data.messages.parts > 1 ? String(rows.part[first]! + 1) : "";
}

/** A partial sum: a small copy of the cells, filled with the nodes whose shares are in it. */
function drawSum(
  painter: Painter,
  scene: Scene,
  frame: Frame,
  { packet, link, along }: Flight,
  holding: SumsHolding,
): void {
  const { film, sizes } = scene;
  const { cells } = film.data;
  const cell = sizes.cell * 0.56;
  const pad = Math.max(1.5, sizes.side * 0.04);
  const [width, height] = [cells.columns * cell + 2 * pad, cells.rows * cell + 2 * pad];
  const { x, y } = scene.lanes[link]!.at(along);
  const { theme } = frame;
  painter.rect(x - width / 2, y - height / 2, width, height, 2.5, {
    fill: theme.dark ? theme.panel : theme.background,
    stroke: theme.ink,
    width: 1.2,
  });
  if (frame.options.values.length > 0) {
    const text = String(
      sumOf(frame.options.values, (member) => holding.rowIncludes(film.packets.first[packet]!, member)),
    );
    painter.text(x, y, text, { size: Math.max(theme.least, height * 0.7), colour: theme.ink, weight: 650 });
    return;
  }
  const all = range(film.packets.first[packet + 1]! - film.packets.first[packet]!).map(
    (i) => film.packets.first[packet]! + i,
  );
  const rows = frame.options.show < 0 ? all : all.filter((row) => film.ofBlock(row, frame.options.show));
  for (let i = 0; i < cells.count; i++) {
    const there = rows.filter((row) => holding.rowIncludes(row, i)).length;
    drawCell(
      painter,
      x - width / 2 + pad + (i % cells.columns) * cell,
      y - height / 2 + pad + Math.floor(i / cells.columns) * cell,
      cell,
      there / rows.length,
      frame.colouring.cell(0, i, "origin", theme),
      theme,
    );
  }
}

/** Links that take time: the link fills from the sender to the receiver. */
function drawFilling(painter: Painter, scene: Scene, theme: Theme, { link, along }: Flight, colour: Rgb): void {
  const lane = scene.lanes[link]!;
  // The round head stays between the boxes.
  const inside = Math.min(0.5, (scene.radius + 1) / lane.length);
  const head = Math.min(1 - inside, Math.max(inside, along));
  const { x, y } = lane.at(head);
  painter.line(lane.between(0, head), { colour: css(colour), width: scene.radius * 1.1 });
  painter.disc(x, y, scene.radius * 0.95, {
    fill: css(colour),
    stroke: theme.dark ? theme.background : css(mix(colour, [0, 0, 0], 0.4)),
    width: 1,
  });
}

/** Marks idle links, where some decide the bound only those: others may well be idle in a run that cannot be faster. */
function drawIdle(painter: Painter, scene: Scene, frame: Frame, busy: Set<number>): void {
  const binding = scene.film.data.bound?.links ?? [];
  scene.lanes.forEach((lane, link) => {
    if (busy.has(link) || (binding.length > 0 && !binding.includes(link))) return;
    for (const points of lane.pieces) painter.line(points, { colour: frame.theme.wrong, width: 1.3, dash: [5, 5] });
  });
}

/** A packet that breaks a rule, and its link. */
export function drawRejected(
  painter: Painter,
  scene: Scene,
  theme: Theme,
  { link, along }: Omit<Flight, "packet">,
): void {
  const { x, y } = scene.lanes[link]!.at(along);
  for (const points of scene.lanes[link]!.pieces)
    painter.line(points, { colour: theme.wrong, width: 2.5, dash: [2, 3] });
  painter.disc(x, y, scene.radius + 4, { stroke: theme.wrong, width: 3 });
}

/** Marks what the captions are about. */
function drawRing(painter: Painter, scene: Scene, theme: Theme, { link, along }: Flight): void {
  const { x, y } = scene.lanes[link]!.at(along);
  painter.disc(x, y, scene.sums ? scene.sizes.side * 0.42 : scene.radius * 1.12 + 4, {
    stroke: theme.select,
    width: 2.6,
  });
}

/** The way of the followed thing: dots; solid where it has been. */
function drawJourney(painter: Painter, scene: Scene, frame: Frame): void {
  const { packets } = frame.journey!;
  const { end, link } = scene.film.packets;
  for (const packet of packets) {
    const done = end[packet]! <= frame.now;
    for (const points of scene.lanes[link[packet]!]!.pieces) {
      painter.line(points, {
        colour: frame.theme.select,
        width: done ? 3 : 2.6,
        dash: done ? undefined : [0.1, 6],
        round: true,
      });
    }
  }
}
