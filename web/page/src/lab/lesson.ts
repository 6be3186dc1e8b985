// The part of lab.js for lessons: forms in place of films, films of sliders, exercises that are done by a run or a program of
// one's own, and the judge.

import { element, say, wordButton } from "../kit/dom";
import { amount } from "../kit/numbers";
import { plain } from "../kit/words";
import type { LessonLab } from "../lesson/lab";
import { contentOf } from "../lesson/options";
import { editor } from "./editor";
import { ask, can, prepare, type Running } from "./engine";
import { withLine } from "./failed";
import { Lab } from "./lab";
import type { Answer } from "./protocol";
import type { Request } from "./request";
import { errorLine, keyWords, resultWords, type Report } from "./words";

interface Condition {
  key: string;
  relation: string;
  value: string;
}

/** "steps<=5 topology=ring:6", as the lesson has it. */
const conditionsOf = (text: string): Condition[] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const [, key = "", relation = "", value = ""] = /^([a-z_]+)(<=|>=|!=|=|<|>)(.+)$/.exec(word) ?? [];
      return { key, relation, value };
    });

const RELATIONS: Record<string, (a: number, b: number) => boolean> = {
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
};

const WORDS: Record<string, string> = {
  "=": "",
  "!=": "anything but ",
  "<=": "at most ",
  ">=": "at least ",
  "<": "less than ",
  ">": "more than ",
};

/** Whether a report satisfies it; a key that is missing does not. */
export function holds({ key, relation, value }: Condition, report: Report): boolean {
  const found = report[key];
  if (found === undefined || found === null) return relation === "!=";
  const [a, b] = [amount(found), amount(value)];
  if (a !== null && b !== null) return RELATIONS[relation]!(a, b);
  return relation === "=" ? String(found) === value : relation === "!=" && String(found) !== value;
}

/** The verdict on an answer to an exercise. */
export function verdictOf(root: HTMLElement, { error, results }: Answer): { right: boolean; words: Node[] } {
  const report = { ...(results.report as Report | undefined), error: error?.kind ?? "none" } as Report;
  const wanted = conditionsOf(root.dataset.wanted ?? "");
  const unmet = error ? undefined : wanted.find((one) => !holds(one, report));
  if (!error && !unmet)
    return { right: true, words: [element("b", "Right."), document.createTextNode(` ${resultWords(report)}`)] };
  const hint = [...root.querySelectorAll<HTMLElement>(".hints > li")].find((one) =>
    conditionsOf(one.dataset.answer ?? "").every((condition) => holds(condition, report)),
  );
  const words = hint
    ? contentOf(hint)
    : [
        document.createTextNode(
          error
            ? errorLine(error)
            : `${keyWords(unmet!.key)}: ${plain(report[unmet!.key] ?? "none", 60)}; expected ${WORDS[unmet!.relation]}${unmet!.value}.`,
        ),
      ];
  return { right: false, words: [element("b", "Not yet."), document.createTextNode(" "), ...words] };
}

const requestIn = (root: HTMLElement): Request => JSON.parse(root.dataset.request ?? "{}") as Request;

function judgeInto(root: HTMLElement, output: HTMLElement, answer: Answer): void {
  const { right, words } = verdictOf(root, answer);
  output.classList.toggle("right", right);
  output.replaceChildren(...words);
}

/** The editor with its buttons. */
function programIn(
  root: HTMLElement,
  place: HTMLElement,
  output: HTMLElement,
  show: (document: string) => Promise<void>,
): void {
  const { algorithm: _, ...question } = requestIn(root);
  let running: Running | null = null;
  const state = element("span", { role: "status" });
  const run = wordButton("Run", () => void start(), "button.lab-run");
  const stop = wordButton("Stop", () => running?.stop(), "button.lab-stop");
  stop.hidden = true;
  const given = root.querySelector<HTMLElement>("pre:has(> code.language-js)");
  const made = editor(place, { source: given?.textContent?.trimEnd() ?? "", run: () => void start() });
  if (given && !given.closest("details")) given.hidden = true; // it stands in the editor
  place.append(element("div.lab-line", run, stop, state));
  const start = async (): Promise<void> => {
    running?.stop();
    made.setError(null);
    say(state, "");
    const mine = (running = ask({
      ...question,
      program: { name: "mine", source: made.source },
      results: ["report", "document"],
    }));
    const waits = setTimeout(() => {
      stop.hidden = !can.stop;
      say(state, "Running..");
    }, 200);
    const answer = await mine.answer;
    clearTimeout(waits);
    if (mine !== running) return;
    running = null;
    stop.hidden = true;
    say(state, "");
    const error = answer.error as (Answer["error"] & { line?: number; column?: number }) | undefined;
    if (error?.kind === "stopped") {
      say(state, "Stopped.");
      return;
    }
    if (error) made.setError(error.line ?? null, errorLine(error), error.column);
    judgeInto(root, output, answer);
    if (typeof answer.results.document === "string") await show(withLine(answer.results.document, answer.error));
  };
}

export const lesson: LessonLab = {
  open(place, request, show) {
    new Lab(place, { request: request as Request, show: (document) => show(document) });
  },
  film(request) {
    const { answer, stop } = ask({ ...request, results: ["document"] } as Request);
    return {
      stop,
      document: answer.then(({ error, results }) => {
        if (error || typeof results.document !== "string")
          throw new Error(error ? errorLine(error) : "there is no film of it");
        return results.document;
      }),
    };
  },
  async run(request) {
    const { error, results } = await ask({ ...request, results: ["report", "document"] } as Request).answer;
    if (error) throw new Error(errorLine(error));
    return { document: results.document as string, words: resultWords(results.report as Report) };
  },
  exercise(root, place, output, show) {
    prepare();
    if (root.dataset.by === "program") programIn(root, place, output, show);
    else {
      let asked = false;
      const lab: Lab = new Lab(place, {
        request: requestIn(root),
        waits: true,
        changed: () => {
          asked = true;
        },
        async show(document, answer) {
          await show(document);
          if (asked) judgeInto(root, output, answer);
        },
        stale: (stale) => {
          if (stale && lab.last) judgeInto(root, output, lab.last.answer);
        },
      });
    }
  },
  async judge(trace, files) {
    const { error, results } = await ask({ what: "judge", trace, graph: files } as Request).answer;
    if (error) return { accepted: false, words: errorLine(error) };
    const { accepted, reason } = results.judge as { accepted: boolean; reason?: string };
    return { accepted, words: plain(reason ?? "", 600) };
  },
};
