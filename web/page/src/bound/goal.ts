// Where the nodes stand when the network has become the picture of its bound: positions only.

import { range } from "../kit/numbers";
import type { Points, Rect } from "../kit/track";
import type { Film } from "../viewer/film";
import type { Network } from "../viewer/network";
import type { Scene } from "../viewer/scene";
import { grownBy, type Growth } from "./growth";
import { bitsOf, type BoundPicture } from "./picture";

export interface Goal {
  x: number[];
  y: number[];
  /** The size of boxes, as a share of their size in the network. */
  scale: number;
  /** Directed links that the counted packets have to cross. */
  gates: number[];
  /** Links that would run through nodes if they were straight. */
  arcs: Map<number, Points>;
  /** The place of the cut between the two sides. */
  cut: number | null;
  /** The room that is left for bars. */
  bars: Rect | null;
  /** Around the node where packets come from: its place, and half the room for all rings. */
  rings: { x: number; y: number; wide: number; high: number; count: number } | null;
  growth: (Growth & { columns: number[] }) | null;
}

/** Height of a line of text, above and below the nodes. */
export const lineOf = (scene: Scene): number => (scene.present ? 30 : scene.height < 260 ? 17 : 22);

export function goalOf(scene: Scene, picture: BoundPicture): Goal {
  const { film, fitted } = scene;
  const goal: Goal = {
    x: [...fitted.x],
    y: [...fitted.y],
    scale: 1,
    gates: [],
    arcs: new Map(),
    cut: null,
    bars: null,
    rings: null,
    growth: null,
  };
  switch (picture.kind) {
    case "cut":
      if (picture.sending !== undefined) pullApart(goal, scene, bitsOf(picture.sending, film.network.nodes));
      break;
    case "ports":
      pullApart(
        goal,
        scene,
        range(film.network.nodes).map((node) => (node === picture.node) === picture.out),
      );
      break;
    case "parts":
      spread(goal, scene, picture.of);
      break;
    case "distance":
      ring(goal, scene, picture.from);
      break;
    case "growth":
      grow(goal, scene, picture.root, picture.reversed);
      break;
    case "amount":
    case "time":
      shrink(goal, scene);
  }
  if (!goal.bars) goal.scale = scaled(goal, scene);
  return goal;
}

/** The directed links that bind, and of a node that every packet has to leave, or reach, all its links. */
function gatesOf(film: Film, sending: readonly boolean[]): number[] {
  const { from, to } = film.network;
  const across = (link: number): boolean => sending[from[link]!]! && !sending[to[link]!];
  const links = film.data.bound!.links.filter(across);
  return links.length > 0 ? links : range(film.network.directed).filter(across);
}

const means = (values: readonly number[], otherwise: number): number =>
  values.length > 0 ? values.reduce((a, b) => a + b, 0) / values.length : otherwise;

/** Nodes in columns, by how far they are from those of the first one; neighbours stand at about the same height. */
function columnsFrom(network: Network, first: readonly number[], among: (node: number) => boolean): number[][] {
  const seen = new Set(first);
  const columns: number[][] = [];
  for (let column = [...first]; column.length > 0; ) {
    columns.push(column);
    const place = new Map(column.map((node, i) => [node, i / column.length]));
    const next = new Map<number, number[]>();
    for (const node of column)
      for (const link of network.leaving(node)) {
        const other = network.to[link]!;
        if (!among(other) || seen.has(other)) continue;
        next.set(other, [...(next.get(other) ?? []), place.get(node)!]);
      }
    column = [...next.keys()].sort((a, b) => means(next.get(a)!, 0) - means(next.get(b)!, 0) || a - b);
    column.forEach((node) => seen.add(node));
  }
  const rest = range(network.nodes).filter((node) => among(node) && !seen.has(node) && !network.lacks(node));
  return rest.length > 0 ? [...columns, rest] : columns;
}

/** The room for nodes: between the lines of text, and the boxes inside. */
function room(scene: Scene, lines = 1): Rect {
  const { boxWidth, boxHeight, label } = scene.sizes;
  const digits = String(scene.film.network.nodes - 1).length * label * 0.62;
  const line = lineOf(scene);
  const lane = scene.aside + scene.radius + (scene.width < 520 ? 6 : 18);
  const beside = (more: number): number => Math.max(lane, Math.min(scene.width * 0.12, boxWidth / 2 + more + 8));
  return {
    left: beside(digits),
    right: scene.width - beside(0),
    top: line * lines + boxHeight * 0.5 + 4,
    bottom: scene.height - line - boxHeight * 0.5 - 4,
  };
}

/** A column; of more nodes than there is height for, every other one stands aside. */
function stand(
  goal: Goal,
  nodes: readonly number[],
  x: number,
  { top, bottom }: Rect,
  aside: number,
  high: number,
): void {
  const each = (bottom - top) / nodes.length;
  const ranks = Math.min(4, Math.max(1, Math.ceil(high / each)));
  nodes.forEach((node, i) => {
    goal.x[node] = x + (i % ranks) * aside;
    goal.y[node] = top + (i + 0.5) * each;
  });
}

function pullApart(goal: Goal, scene: Scene, sending: boolean[]): void {
  const { network } = scene.film;
  goal.gates = gatesOf(scene.film, sending);
  const senders = [...new Set(goal.gates.map((link) => network.from[link]!))].sort((a, b) => a - b);
  const place = new Map(senders.map((node, i) => [node, i]));
  const partners = new Map<number, number[]>();
  for (const link of goal.gates)
    partners.set(network.to[link]!, [...(partners.get(network.to[link]!) ?? []), place.get(network.from[link]!)!]);
  const receivers = [...partners.keys()].sort(
    (a, b) => means(partners.get(a)!, 0) - means(partners.get(b)!, 0) || a - b,
  );
  const left = columnsFrom(network, senders, (node) => sending[node]!);
  const right = columnsFrom(network, receivers, (node) => !sending[node]);
  const area = room(scene);
  const wide = area.right - area.left;
  const share = (columns: number): number => Math.min(0.4, (scene.width < 520 ? 0.06 : 0.1) + 0.1 * (columns - 1));
  const [beyond, behind] = [share(right.length) * wide, share(left.length) * wide];
  const [start, end] = [area.left + behind, area.right - beyond];
  goal.cut = start + 0.66 * (end - start);
  const high = scene.sizes.boxHeight * 0.72;
  const column = (nodes: readonly number[], i: number, all: number, gate: number, outside: number): void => {
    const x = all === 1 ? gate : gate + ((outside - gate) * i) / (all - 1);
    stand(goal, nodes, x, area, Math.sign(outside - gate) * Math.min(26, Math.abs(outside - gate) / (all + 1)), high);
  };
  left.forEach((nodes, i) => column(nodes, i, left.length, start, left.length > 1 ? area.left : start - 1));
  right.forEach((nodes, i) => column(nodes, i, right.length, end, right.length > 1 ? area.right : end + 1));
  arcs(goal, scene, sending);
}

/** Links within a side go round the nodes of a column, away from the cut. */
function arcs(goal: Goal, scene: Scene, sending: readonly boolean[]): void {
  const { from, to, directed } = scene.film.network;
  for (let link = 0; link < directed / 2; link++) {
    const [u, v] = [from[2 * link]!, to[2 * link]!];
    if (sending[u] !== sending[v]) continue;
    const [dx, dy] = [goal.x[v]! - goal.x[u]!, goal.y[v]! - goal.y[u]!];
    if (Math.abs(dx) > 40 || Math.abs(dy) < 1) continue;
    const free = sending[u] ? Math.min(goal.x[u]!, goal.x[v]!) : scene.width - Math.max(goal.x[u]!, goal.x[v]!);
    const out =
      Math.min(Math.abs(dy) * 0.3, Math.max(24, scene.width * 0.07), free - scene.aside - scene.radius - 4) *
      (sending[u] ? -1 : 1);
    const points: Points = [];
    for (let i = 0; i <= SAMPLES; i++) {
      const t = i / SAMPLES;
      points.push(goal.x[u]! + dx * t + 4 * out * t * (1 - t), goal.y[u]! + dy * t);
    }
    goal.arcs.set(link, points);
  }
}
export const SAMPLES = 8;

/** The nodes that hold the parts together in the middle, the parts on both sides of them. */
function spread(goal: Goal, scene: Scene, part: readonly number[]): void {
  const { network } = scene.film;
  const middle = range(network.nodes).filter((node) => part[node] === -1 && !network.lacks(node));
  const parts = Math.max(...part) + 1;
  const area = room(scene);
  const centre = (area.left + area.right) / 2;
  const high = scene.sizes.boxHeight * 0.8;
  stand(goal, middle, centre, area, 12, high);
  for (const [end, chosen] of [
    [area.left, (p: number) => p < parts / 2],
    [area.right, (p: number) => p >= parts / 2],
  ] as const) {
    const columns = columnsFrom(network, middle, (node) => part[node]! >= 0 && chosen(part[node]!))
      .slice(1)
      .map((nodes) => nodes.filter((node) => part[node] !== -1 && chosen(part[node]!)));
    columns.forEach((nodes, i) =>
      stand(goal, nodes, centre + ((end - centre) * (i + 1)) / columns.length, area, 0, high),
    );
  }
  const hub = new Set(middle);
  goal.gates = range(network.directed).filter((link) => hub.has(network.to[link]!) && !hub.has(network.from[link]!));
  arcs(
    goal,
    scene,
    range(network.nodes).map((node) => goal.x[node]! < centre),
  );
}

/** The radius of ring k, of `count`, as a share of the room: the first one is wider, because all others go through it. */
export const radiusOf = (k: number, count: number): number => (k < 1 ? 1.5 * k : k + 0.5) / (count + 0.5);

/** Rings around a node, one for each number of links away. */
function ring(goal: Goal, scene: Scene, centre: number): void {
  const { network } = scene.film;
  const rings = columnsFrom(network, [centre], () => true);
  const area = room(scene);
  const count = Math.max(1, rings.length - 1);
  const [x, y] = [(area.left + area.right) / 2, (area.top + area.bottom) / 2];
  const [wide, high] = [(area.right - area.left) / 2, (area.bottom - area.top) / 2];
  goal.rings = { x, y, wide, high, count };
  const angles = new Map<number, number>();
  rings.forEach((nodes, k) => {
    const own = nodes.map((node) => {
      const before = network
        .leaving(node)
        .map((link) => angles.get(network.to[link]!))
        .filter((angle) => angle !== undefined);
      const [dx, dy] = [
        before.reduce((sum, angle) => sum + Math.cos(angle), 0),
        before.reduce((sum, angle) => sum + Math.sin(angle), 0),
      ];
      return { node, angle: Math.hypot(dx, dy) < 1e-6 ? 0 : Math.atan2(dy, dx) };
    });
    if (k > 1) own.sort((a, b) => a.angle - b.angle || a.node - b.node);
    // Evenly around, turned so that as little as possible is far from where its neighbours stand.
    const each = (2 * Math.PI) / Math.max(1, own.length);
    const turn = k <= 1 ? -Math.PI / 2 + each / 2 : turned(own.map(({ angle }, i) => angle - i * each));
    own.forEach(({ node }, i) => {
      const angle = turn + i * each;
      if (k > 0) angles.set(node, angle);
      goal.x[node] = x + radiusOf(k, count) * wide * Math.cos(angle);
      goal.y[node] = y + radiusOf(k, count) * high * Math.sin(angle);
    });
  });
  goal.gates = scene.film.data.bound!.links;
}

const turned = (angles: readonly number[]): number =>
  Math.atan2(
    angles.reduce((sum, a) => sum + Math.sin(a), 0),
    angles.reduce((sum, a) => sum + Math.cos(a), 0),
  );

/** A column for every step, of those who have got the packet in it. */
function grow(goal: Goal, scene: Scene, root: number, reversed: boolean): void {
  const growth = grownBy(scene.film, root, reversed);
  const area = room(scene, 2);
  const last = Math.max(1, ...growth.step);
  const columns = range(last + 1).map((i) => area.left + ((reversed ? last - i : i) / last) * (area.right - area.left));
  const high = scene.sizes.boxHeight * 0.72;
  columns.forEach((x, step) => {
    const nodes = range(scene.film.network.nodes).filter((node) => growth.step[node] === step);
    nodes.sort((a, b) => (goal.y[growth.parent[a]!] ?? 0) - (goal.y[growth.parent[b]!] ?? 0) || a - b);
    if (nodes.length > 0) stand(goal, nodes, x, area, 14, high);
  });
  goal.growth = { ...growth, columns };
  goal.gates = growth.link.filter((link) => link >= 0);
}

/** The network becomes small, and leaves room for bars. */
function shrink(goal: Goal, scene: Scene): void {
  const { width, height, fitted } = scene;
  const line = lineOf(scene);
  const beside = width > 1.5 * height && width > 640;
  goal.scale = beside ? 0.42 : 0.46;
  const left = beside ? 14 : (width * (1 - goal.scale)) / 2;
  const top = beside ? (height * (1 - goal.scale)) / 2 : 0;
  goal.x = fitted.x.map((x) => left + x * goal.scale);
  goal.y = fitted.y.map((y) => top + y * goal.scale);
  goal.bars = beside
    ? { left: width * goal.scale + 40, right: width - 16, top: line * 1.5, bottom: height - line * 1.5 }
    : { left: 34, right: width - 12, top: height * goal.scale + line * 1.2, bottom: height - line * 1.5 };
}

/** Boxes as large as they can be without touching. */
function scaled({ x, y }: Goal, { sizes }: Scene): number {
  let most = 1;
  for (let i = 0; i < x.length; i++)
    for (let j = i + 1; j < x.length; j++) {
      const free = Math.max(
        Math.abs(x[i]! - x[j]!) / (sizes.boxWidth * 1.3),
        Math.abs(y[i]! - y[j]!) / (sizes.boxHeight * 1.2),
      );
      if (free > 1e-3) most = Math.min(most, free);
    }
  return Math.max(0.28, most);
}
