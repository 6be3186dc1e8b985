// A film to take along: title, picture and sentence painted on one canvas and recorded as MP4 or WebM.

import { choice, download, element, say } from "../kit/dom";
import { ending, record, recordedKind } from "../kit/record";
import type { Theme } from "../kit/theme";
import { longestSentence, registerOf } from "./sentence";
import type { Page } from "./page";
import type { Player } from "./player";

/** So long the first picture stands still, and the last one. */
const STILL_MS = [700, 1500] as const;
const SLIDE = { width: 1280, height: 720 };

/** Lines of a text that are no wider than that. */
function lines(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const made: string[] = [];
  for (const word of text.split(" ")) {
    const longer = made.length > 0 ? `${made.at(-1)} ${word}` : word;
    if (made.length > 0 && context.measureText(longer).width <= width) made[made.length - 1] = longer;
    else made.push(word);
  }
  return made;
}

/** Paints the page's state: title and count above, pictures side by side, sentence below. */
function painted(canvas: HTMLCanvasElement, player: Player, page: Page, theme: Theme): void {
  const context = canvas.getContext("2d")!;
  const scale = Math.min(canvas.width / SLIDE.width, canvas.height / SLIDE.height);
  const [width, height] = [canvas.width / scale, canvas.height / scale];
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, height);
  const text = (
    words: string,
    x: number,
    y: number,
    size: number,
    align: CanvasTextAlign,
    colour: string,
    weight = 400,
  ): void => {
    context.font = `${weight} ${size}px ${theme.font}`;
    context.textAlign = align;
    context.textBaseline = "alphabetic";
    context.fillStyle = colour;
    context.fillText(words, x, y);
  };
  const edge = 32;
  text(player.view.title, edge, 44, 28, "left", theme.ink, 600);
  text(page.count, width - edge, 44, 24, "right", theme.muted);
  context.font = `400 24px ${theme.font}`;
  const room = Math.min(
    3,
    lines(context, longestSentence(player.film, registerOf(player.film, player.options)), width - 2 * edge).length,
  );
  const sentence = lines(context, page.sentence.textContent ?? "", width - 2 * edge).slice(0, room);
  const base = height - 20 - 32 * room;
  sentence.forEach((line, i) => text(line, edge, base + 32 * i + 24, 24, "left", theme.ink));
  const each = (width - edge) / page.views.length;
  page.views.forEach((view, i) => {
    context.save();
    context.translate(edge / 2 + i * each, 60);
    if (page.views.length > 1) text(view.label, each / 2, 22, 22, "center", theme.ink);
    const top = page.views.length > 1 ? 32 : 0;
    context.translate(0, top);
    view.picture.paint(context, each, base - 72 - top);
    context.restore();
  });
}

/** Shows `from` to the end at the chosen speed and records it; then all is as it was. */
async function filmed(
  player: Player,
  page: Page,
  canvas: HTMLCanvasElement,
  kind: string,
  from: number,
  progressed: (share: number) => void,
  cancelled: AbortSignal,
): Promise<Blob | null> {
  const [first, last] = STILL_MS;
  const before = player.now;
  const moving = (player.axis.length - from) / player.perMs;
  const whole = first + moving + last;
  player.pause();
  try {
    return await record(
      canvas,
      kind,
      whole,
      (ms) => {
        player.seekTime(from + Math.min(moving, Math.max(0, ms - first)) * player.perMs);
        painted(canvas, player, page, page.theme);
        progressed(ms / whole);
      },
      cancelled,
    );
  } finally {
    player.seekTime(before);
  }
}

/** The dialog: the choices, and then the progress. */
export function filming(
  player: Player,
  page: Page,
  shown: (title: string, ...content: Node[]) => HTMLDialogElement,
): void {
  const kind = recordedKind();
  if (!kind) {
    shown("Record a film", element("p", "This browser cannot record: it has no MediaRecorder."));
    return;
  }
  const stage = page.views[0]!.picture.root;
  const density = Math.min(2, window.devicePixelRatio || 1);
  const even = (length: number): number => 2 * Math.max(80, Math.round((length * density) / 2));
  const here = { width: even(stage.clientWidth), height: even(stage.clientHeight) };
  let part = "whole";
  let size = SLIDE;
  const note = element("p");
  const explain = (): void => {
    const length = player.axis.length - (part === "here" ? player.now : 0);
    say(
      note,
      `It takes ${Math.ceil((length / player.perMs + STILL_MS[0] + STILL_MS[1]) / 1000)} s, as long as ` +
        `the film at the chosen speed (- and +). Leave this page in front until it is done.`,
    );
  };
  const start = element("button", { type: "submit" }, "Record");
  const form = element(
    "form",
    choice(
      "Part ",
      [
        ["whole", "the whole film"],
        ["here", "from here to the end"],
      ],
      part,
      (value) => {
        part = value;
        explain();
      },
    ),
    choice(
      "Size ",
      [
        ["slide", `slides, ${SLIDE.width} \u00d7 ${SLIDE.height}`],
        ["stage", `as here, ${here.width} \u00d7 ${here.height}`],
      ],
      "slide",
      (value) => {
        size = value === "slide" ? SLIDE : here;
      },
    ),
    note,
    start,
  );
  form.className = "filming";
  explain();
  const dialog = shown("Record a film", form);
  const cancelled = new AbortController();
  dialog.addEventListener("close", () => cancelled.abort());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const progress = element("progress", { max: "1", "aria-label": "recorded" });
    form.replaceChildren(progress, element("p", "Recording. Esc cancels."));
    const canvas = element("canvas", { width: String(size.width), height: String(size.height) });
    filmed(
      player,
      page,
      canvas,
      kind,
      part === "here" ? player.now : 0,
      (share) => {
        progress.value = share;
      },
      cancelled.signal,
    ).then(
      (film) => {
        if (film) download(film, `dcube.${ending(kind)}`, kind);
        dialog.close();
      },
      (error: Error) => {
        form.replaceChildren(element("p", `Nothing was recorded: ${error.message}.`));
      },
    );
  });
  start.focus();
}
