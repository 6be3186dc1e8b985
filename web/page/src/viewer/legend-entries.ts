// The legend's marks, each drawn as on the stage, and their words.

import { css, readable, type Rgb } from "../kit/colour";
import { nominal, ordinal, type Theme } from "../kit/theme";
import { isScatter, type FilmData } from "./document";
import { drawCell, rootOf } from "./draw-boxes";
import type { Film } from "./film";
import type { Options } from "./options";
import type { Entry, Shown } from "./picture";
import type { Scene } from "./scene";
import { registerOf } from "./sentence";

const MOST_PHASES = 12;
export const WIDTH = 38;
export const HEIGHT = 28;

const disc =
  (colour: (theme: Theme) => Rgb, text: string): Entry[0] =>
  (painter, theme) => {
    const fill = colour(theme);
    painter.disc(WIDTH / 2, HEIGHT / 2, 10.5, {
      fill: css(fill),
      stroke: theme.dark ? theme.background : theme.ink,
      width: 1,
    });
    painter.text(WIDTH / 2, HEIGHT / 2, text, { size: 12, colour: readable(fill), weight: 650 });
  };

const box =
  (full: readonly number[], frame: "frame" | "complete", outer: boolean): Entry[0] =>
  (painter, theme) => {
    const [x, y] = [WIDTH / 2 - 11, HEIGHT / 2 - 11];
    if (outer) painter.rect(x - 2, y - 2, 26, 26, 5, { stroke: theme.ink, width: 1.6 });
    painter.rect(x + (outer ? 2 : 0), y + (outer ? 2 : 0), outer ? 18 : 22, outer ? 18 : 22, 3, {
      fill: theme.background,
      stroke: theme[frame],
      width: frame === "frame" ? 1.2 : 2.4,
    });
    if (!outer)
      for (let i = 0; i < 4; i++)
        drawCell(
          painter,
          x + 2 + (i % 2) * 9,
          y + 2 + (i >> 1) * 9,
          9,
          full.includes(i) ? 1 : 0,
          nominal(theme, i, 8),
          theme,
        );
  };

const shownBox =
  (origin: number, nodes: number): Entry[0] =>
  (painter, theme) => {
    painter.rect(WIDTH / 2 - 11, HEIGHT / 2 - 11, 22, 22, 3, {
      fill: theme.background,
      stroke: theme.frame,
      width: 1.2,
    });
    painter.rect(WIDTH / 2 - 8.5, HEIGHT / 2 - 8.5, 17, 17, 1.5, { fill: css(nominal(theme, origin, nodes)) });
  };

const pill: Entry[0] = (painter, theme) => {
  painter.rect(WIDTH / 2 - 12, HEIGHT / 2 - 9, 24, 18, 9, { fill: theme.background, stroke: theme.frame, width: 1 });
  painter.text(WIDTH / 2, HEIGHT / 2, "3", { size: 12.5, colour: theme.ink, weight: 600 });
};

const binding: Entry[0] = (painter, theme) => {
  painter.opacity(theme.dark ? 0.3 : 0.2);
  painter.line([0, HEIGHT / 2, WIDTH, HEIGHT / 2], { colour: theme.bound, width: 9 });
  painter.opacity(1);
  painter.line([0, HEIGHT / 2, WIDTH, HEIGHT / 2], { colour: theme.bound, width: 1.8 });
};

const idle: Entry[0] = (painter, theme) =>
  painter.line([0, HEIGHT / 2, WIDTH, HEIGHT / 2], { colour: theme.wrong, width: 1.4, dash: [5, 5] });

const lostLink: Entry[0] = (painter, theme) =>
  painter.line([0, HEIGHT / 2, WIDTH, HEIGHT / 2], { colour: theme.wrong, width: 1.6, dash: [3, 6] });

const ghost: Entry[0] = (painter, theme) => {
  const [x, y] = [WIDTH / 2 - 10, HEIGHT / 2 - 10];
  painter.rect(x, y, 20, 20, 0, { stroke: theme.wrong, width: 1.2 });
  for (const points of [
    [x, y, x + 20, y + 20],
    [x, y + 20, x + 20, y],
  ])
    painter.line(points, { colour: theme.wrong, width: 1.2, dash: [3, 3] });
};

const filling: Entry[0] = (painter, theme) => {
  painter.line([0, HEIGHT / 2, WIDTH, HEIGHT / 2], { colour: theme.link, width: 1.2 });
  painter.line([0, HEIGHT / 2, 24, HEIGHT / 2], { colour: css(theme.hues[0]!), width: 7 });
  painter.disc(24, HEIGHT / 2, 5.5, { fill: css(theme.hues[0]!) });
};

/** From the most hops to none. */
export const ramp: Entry[0] = (painter, theme) => {
  for (let i = 0; i < WIDTH; i++)
    painter.rect(i, HEIGHT / 2 - 7, 1.2, 14, 0, { fill: css(ordinal(theme, 1 - i / (WIDTH - 1))) });
};

const grey: Entry[0] = (painter, theme) => painter.disc(WIDTH / 2, HEIGHT / 2, 3.5, { fill: theme.link });

const burst: Entry[0] = (painter, theme) => {
  const [x, y] = [WIDTH / 2, HEIGHT / 2];
  painter.line([0, y, WIDTH, y], { colour: theme.wrong, width: 1.6, dash: [3, 5] });
  for (const side of [-1, 1])
    painter.line([x - 7, y - 7 * side, x + 7, y + 7 * side], { colour: theme.wrong, width: 2.6, round: true });
};

const followed: Entry[0] = (painter, theme) =>
  painter.disc(WIDTH / 2, HEIGHT / 2, 10, { stroke: theme.select, width: 2.6 });

const ringed: Entry[0] = (painter, theme) => {
  painter.rect(WIDTH / 2 - 8, HEIGHT / 2 - 8, 16, 16, 3, {
    fill: theme.background,
    stroke: theme.frame,
    width: 1.2,
  });
  painter.rect(WIDTH / 2 - 12, HEIGHT / 2 - 12, 24, 24, 6, { stroke: theme.wrong, width: 2.6 });
};

const waits: Entry[0] = (painter, theme) => {
  const y = HEIGHT / 2;
  painter.rect(3, y - 7, 14, 14, 3, { fill: theme.background, stroke: theme.wrong, width: 2.4 });
  for (const points of [
    [18, y, 35, y],
    [28, y - 5, 35, y],
    [28, y + 5, 35, y],
  ])
    painter.line(points, { colour: theme.wrong, width: 2.4, round: true });
};

/** What the ringed node is, by what went wrong. */
const WHERE = {
  rejected: "the node that it is about",
  rule: "the node that breaks the rule, and its link",
  deadlock: "a node that waits",
  lost: "the node whose packet was lost",
  threw: "the node whose program failed",
  "wrong-bytes": "a node that does not hold what it should",
  impossible: "a node that holds what no packet brought, or sends too much at once",
} as const;

/** The marks of the stage that are shown now. */
export function entriesOf(film: Film, scene: Scene | null, options: Options, shown: Shown): Entry[] {
  const { data } = film;
  const { kind, signals } = data.messages;
  const entries: Entry[] = [];
  if (registerOf(film, options) === "one" && film.followed.size > 0)
    entries.push([followed, `the text follows ${data.one!.name}`]);
  if (options.show >= 0) entries.push(...(kind === "sums" ? blockOfSums(film) : blocksOfOne(film, options)));
  else {
    entries.push(...(options.values.length > 0 ? valueEntries() : packetEntries(film, scene, options)));
    if (options.values.length === 0) entries.push(...cellEntries(film));
    if (shown.kept && rootOf(film) < 0 && (scene?.sizes.side ?? 0) >= 30)
      entries.push([pill, `${data.messages.parts > 1 ? "parts" : "blocks"} kept here for others, to be sent on`]);
  }
  if (shown.complete)
    entries.push([
      box([], "complete", false),
      signals ? "has heard of every node" : kind === "sums" ? wholeSum(data.messages) : "has all that it needs",
    ]);
  if (rootOf(film) >= 0)
    entries.push([
      box([], "frame", true),
      film.everybody ? `node ${rootOf(film)}, whose blocks are shown` : "the root",
    ]);
  const decided = (data.bound?.links.length ?? 0) > 0;
  if (options.bound && decided) entries.push([binding, bindingWords(film)]);
  if (scene && scene.lost.length > 0) entries.push([lostLink, "a link that this network lacks"]);
  if (scene && film.network.lacksSome) entries.push([ghost, "a node that this network lacks"]);
  if (film.network.switches.size > 0)
    entries.push([
      (painter, theme) => painter.disc(WIDTH / 2, HEIGHT / 2, 8, { stroke: theme.ink, width: 1.2 }),
      "a switch, which only passes packets on",
    ]);
  if (film.lost.size > 0) entries.push([burst, "a packet that is lost there: its link has failed"]);
  if (film.event?.waiting.length) entries.push([waits, "a node that waits, and for which port"]);
  else if ((film.event?.node ?? -1) >= 0) entries.push([ringed, WHERE[film.event!.what]]);
  if (film.offending >= 0)
    entries.push([
      (painter, theme) => painter.disc(WIDTH / 2, HEIGHT / 2, 10, { stroke: theme.wrong, width: 3 }),
      "the packet that breaks a rule",
    ]);
  if (options.idle && shown.idle)
    entries.push([idle, `a link that ${decided ? "decides the bound and " : ""}carries nothing now`]);
  return entries;
}

/** What a sum is when it is whole: in scans not every node's share belongs to it. */
function wholeSum({ terms, groups }: FilmData["messages"]): string {
  if (terms === "before") return "has its sum: the shares of all nodes before it";
  if (terms === "up-to") return "has its sum: its own share, and those of all nodes before it";
  return `the whole sum: the share of every node ${groups ? "of the group " : ""}is in it`;
}

/** What the links are that the bound counts. */
function bindingWords({ data: { bound } }: Film): string {
  const picture = bound!.picture;
  if (picture?.kind === "ports")
    return `the links ${picture.out ? "out of" : "into"} node ${picture.node}, which the bound counts`;
  return picture?.kind === "cut" ? "links across the cut, which the bound counts" : "links that the bound counts";
}

function blocksOfOne(film: Film, { show }: Options): Entry[] {
  const { nodes } = film.network;
  const entries: Entry[] = [
    [disc((theme) => nominal(theme, show, nodes), ""), `a block of node ${show} on its way`],
    [grey, "blocks of other nodes"],
    [shownBox(show, nodes), `a node that has its block from node ${show}`],
  ];
  if (film.data.messages.kind === "moves") entries.push([pill, `blocks of node ${show} that wait here to be sent on`]);
  return entries;
}

/** What is shown alone: every node's sum has its node's number, blocks of one sum are counted. */
export function shownName({ data }: Film, show: number): string {
  const { kind, sums } = data.messages;
  if (kind !== "sums") return `the blocks of node ${show}`;
  return sums!.length > 1 ? `the sum for node ${sums![show] ?? show}` : `block ${show + 1}`;
}

function blockOfSums({ data }: Film): Entry[] {
  const [name, others] =
    data.messages.sums!.length > 1 ? ["the sum", "sums for other nodes"] : ["the block", "sums of other blocks"];
  return [
    [box([0, 1], "frame", false), `a packet: the filled cells say whose shares of ${name} are in it`],
    [box([0, 1, 2], "frame", false), `a node: the filled cells say whose shares of ${name} it holds`],
    [grey, others],
  ];
}

function packetEntries(film: Film, scene: Scene | null, { colour }: Options): Entry[] {
  if (film.network.directed === 0) return [];
  const { data } = film;
  const { kind, parts } = data.messages;
  const { single } = film;
  const numbered = film.inSteps && scene !== null && scene.radius >= scene.numbered;
  const number = !numbered ? "" : kind === "moves" ? "target" : !single ? "origin" : parts > 1 ? "which packet" : "";
  if (kind === "sums" && film.inSteps) {
    const tail =
      data.messages.sums!.length > 1
        ? `; its tail's colour = ${colour === "dimension" ? "dimension of the link" : "the node that it is for"}`
        : "";
    if (data.messages.signals)
      return [[box([0, 1], "frame", false), "an empty packet: the filled cells say of whom its sender has heard"]];
    return [[box([0, 1], "frame", false), `a partial sum: the filled cells say whose shares are in it${tail}`]];
  }
  const head: Entry[0] = film.inSteps
    ? disc(
        (theme) =>
          ["origin", "target", "dimension", "phase", "group"].includes(colour) ? theme.hues[0]! : ordinal(theme, 0.5),
        number === "" ? "" : "5",
      )
    : filling;
  const thing = film.inSteps ? "a packet" : "a packet under way: the link fills from sender to receiver";
  const words: Record<string, string> = {
    origin: !single ? "origin" : parts > 1 ? "which packet" : "",
    target: "target",
    hops: "hops left",
    dimension: "dimension of the link",
    phase: "phase",
    age: "hops made",
    group: "group",
  };
  const meaning = words[colour] ?? "";
  const both = number !== "" && number === meaning;
  const told = both
    ? `colour and number = ${number}`
    : [meaning && `colour = ${meaning}`, number && `number = ${number}`].filter(Boolean).join(", ");
  const entries: Entry[] = [[head, [thing, told].filter(Boolean).join(film.inSteps ? ": " : "; ")]];
  if (colour === "hops") entries.push([ramp, `${film.network.diameter} hops left, down to 1`]);
  if (colour === "phase") entries.push(...phaseEntries(film));
  if (colour === "age") entries.push([ramp, "first hop, up to the last"]);
  return entries;
}

/** The colours of the phases; hues take turns where there are more than that. */
function phaseEntries({ data: { phases } }: Film): Entry[] {
  const count = Math.max(8, phases.length);
  const entries = phases
    .slice(0, MOST_PHASES)
    .map(({ name }, i): Entry => [disc((theme) => nominal(theme, i, count), ""), name]);
  if (phases.length > MOST_PHASES) entries.push([() => undefined, `and ${phases.length - MOST_PHASES} more phases`]);
  return entries;
}

/** Of numbers that are added up: they stand where shares would. */
const valueEntries = (): Entry[] => [
  [numbered(22, 3), "a node, with the sum that it holds"],
  [numbered(18, 2.5), "a sum on its way"],
];

const numbered =
  (side: number, round: number): Entry[0] =>
  (painter, theme) => {
    painter.rect((WIDTH - side) / 2, (HEIGHT - side) / 2, side, side, round, { stroke: theme.frame, width: 1.2 });
    painter.text(WIDTH / 2, HEIGHT / 2, "8", { size: 12.5, colour: theme.ink, weight: 650 });
  };

function cellEntries(film: Film): Entry[] {
  const { kind, parts, signals } = film.data.messages;
  const { count } = film.data.cells;
  const draw = box([0, 1, 2], "frame", false);
  if (signals) return [[draw, "a node: the filled cells say of which nodes it has heard"]];
  if (kind === "sums") return [[draw, "a node: the filled cells say whose shares are in the sum that it holds"]];
  const whole = shownBox(0, film.network.nodes);
  if (film.single)
    return count === 1
      ? [[whole, "a node, filled when it has the message"]]
      : [
          [
            draw,
            count === parts
              ? "a node: one cell for each packet, filled when it is here"
              : "a node: its cells fill as the message comes",
          ],
        ];
  const cells = isScatter(film.data.messages)
    ? "target, filled when the block for it is here"
    : "origin, filled when its block is here";
  if (count === film.network.nodes) return [[draw, `a node: one cell for each ${cells}`]];
  if (count === 1) return [[whole, "a node, filled when what is meant for it is here"]];
  return [[draw, "a node: its cells fill with what is meant for it"]];
}
