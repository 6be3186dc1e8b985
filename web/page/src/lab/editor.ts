// An editor for a node's program: an ordinary text area, whose letters are transparent, over the same text in colours. So
// undoing, selecting, searching and screen readers are the browser's own.

import { element, say } from "../kit/dom";

export interface EditorSetting {
  source: string;
  /** Called with the text whenever it changes. */
  changed?(source: string): void;
  /** Ctrl+Enter. */
  run?(source: string): void;
  label?: string;
}

export interface Editor {
  readonly root: HTMLElement;
  source: string;
  /** Puts another text there, which Undo takes back. */
  replace(source: string): void;
  /** Marks a line, from 1, with a message; null: no mark. */
  setError(line: number | null, message?: string, column?: number): void;
  focus(): void;
}

const KEYWORDS =
  "break|case|catch|class|const|continue|default|delete|do|else|extends|finally|for|function|if|in|" +
  "instanceof|let|new|of|return|static|switch|throw|try|typeof|var|void|while|yield|true|false|null|undefined|this";
const TOKEN = new RegExp(
  [
    String.raw`(?<comment>//[^\n]*|/\*[^]*?(?:\*/|$))`,
    String.raw`(?<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|${"`"}(?:\\[^]|[^${"`"}\\])*${"`"}?)`,
    String.raw`(?<![\w$.])(?<word>${KEYWORDS})(?![\w$])`,
    String.raw`(?<![\w$.])(?<me>me\.\w+)`,
    String.raw`(?<![\w$])(?<number>\d[\w.]*)`,
  ].join("|"),
  "g",
);

/** A text as pieces of one kind each; a piece without a kind is plain. */
export function coloured(source: string): { kind: string; text: string }[] {
  const pieces: { kind: string; text: string }[] = [];
  let at = 0;
  for (const found of source.matchAll(TOKEN)) {
    if (found.index > at) pieces.push({ kind: "", text: source.slice(at, found.index) });
    pieces.push({
      kind: Object.keys(found.groups!).find((kind) => found.groups![kind] !== undefined)!,
      text: found[0],
    });
    at = found.index + found[0].length;
  }
  if (at < source.length) pieces.push({ kind: "", text: source.slice(at) });
  return pieces;
}

/** The text that Enter inserts: the line's indentation, and two more spaces after an opening bracket. */
export function newLine(before: string): string {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const indented = /^ */.exec(line)![0];
  return `\n${indented}${/[{([]\s*$/.test(line) || /^\s*(for|if|else|while)\b.*[)e]\s*$/.test(line) ? "  " : ""}`;
}

let editors = 0;
/** The width of a letter, as a share of its size. */
const LETTER = 0.62;

export function editor(
  place: HTMLElement,
  { source, changed, run, label = "Your program, in JavaScript" }: EditorSetting,
): Editor {
  const id = `editor-${++editors}`;
  const area = element("textarea", {
    "aria-label": label,
    "aria-describedby": `${id}-keys ${id}-wrong`,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    autocorrect: "off",
    wrap: "off",
  });
  const colours = element("pre", { "aria-hidden": "true" });
  const mark = element("div.editor-mark", { "aria-hidden": "true" });
  const numbers = element("pre.editor-numbers", { "aria-hidden": "true" });
  const box = element("div.editor-box", numbers, element("div.editor-text", mark, colours, area));
  const wrong = element("p.editor-wrong", { role: "alert", id: `${id}-wrong` });
  const root = element(
    "div.editor",
    box,
    wrong,
    element("p.editor-keys", { id: `${id}-keys` }, "Tab inserts two spaces; Esc, then Tab leaves. Ctrl+Enter runs."),
  );
  mark.hidden = wrong.hidden = true;
  let lines = 0;
  let leaving = false;

  const draw = (): void => {
    const text = area.value;
    colours.replaceChildren(
      ...coloured(text).map(({ kind, text: part }) => (kind ? element(`span.code-${kind}`, part) : part)),
      "\n",
    );
    const now = text.split("\n").length;
    if (now !== lines) numbers.textContent = Array.from({ length: now }, (_, i) => String(i + 1)).join("\n");
    lines = now;
  };
  const setError: Editor["setError"] = (line, message = "", column = 1) => {
    mark.hidden = line === null;
    wrong.hidden = message === "";
    say(wrong, message);
    area.setAttribute("aria-invalid", String(line !== null || message !== ""));
    if (line === null) return;
    mark.style.setProperty("--at", String(line - 1));
    const starts = area.value
      .split("\n")
      .slice(0, line - 1)
      .reduce((sum, one) => sum + one.length + 1, 0);
    const at = Math.min(starts + column - 1, area.value.length);
    if (document.activeElement !== area) area.setSelectionRange(at, at);
    // A smooth scroll through a lesson takes too long. The mark is as wide as the text: its beginning is what counts.
    mark.scrollIntoView({ block: "nearest", inline: "start", behavior: "instant" });
    box.scrollLeft = 0;
  };
  /** As typed, so that Undo knows it. */
  const insert = (text: string): void => {
    if (!document.execCommand("insertText", false, text))
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    edited();
  };
  /** Lines are seen from their beginnings, as long as the cursor is in sight then. */
  const unscroll = (): void => {
    const column = area.selectionEnd - (area.value.lastIndexOf("\n", area.selectionEnd - 1) + 1);
    const letter = LETTER * parseFloat(getComputedStyle(area).fontSize);
    if ((column + 2) * letter < box.clientWidth - numbers.offsetWidth) box.scrollLeft = 0;
  };
  const edited = (): void => {
    draw();
    unscroll();
    setError(null);
    changed?.(area.value);
  };

  area.addEventListener("input", edited);
  area.addEventListener("blur", () => {
    leaving = false;
  });
  area.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      run?.(area.value);
    } else if (event.key === "Escape") {
      if (!leaving) event.stopPropagation(); // the second one is the page's
      leaving = true;
      return;
    } else if (event.key === "Tab" && plain && !event.shiftKey && !leaving) {
      event.preventDefault();
      insert("  ");
    } else if (event.key === "Enter" && plain && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      insert(newLine(area.value.slice(0, area.selectionStart)));
    }
    if (event.key !== "Shift") leaving = false;
  });

  area.value = source;
  draw();
  place.append(root);
  return {
    root,
    get source() {
      return area.value;
    },
    set source(text: string) {
      if (text === area.value) return;
      area.value = text;
      draw();
      setError(null);
    },
    replace(text: string) {
      area.focus();
      area.select();
      insert(text);
      area.setSelectionRange(0, 0);
      box.scrollTo(0, 0);
    },
    setError,
    focus: () => area.focus(),
  };
}
