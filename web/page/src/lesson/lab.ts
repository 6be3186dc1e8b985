// dcube itself, for lessons: lab.js lies beside the page, and is loaded with the first run. All that is not
// needed before is in there (lab/lesson.ts).

import { element } from "../kit/dom";

export type Request = Record<string, unknown>;

/** The functions of lab.js for lessons. */
export interface LessonLab {
  /** A form with this request, at a place; `show` plays its film. */
  open(place: HTMLElement, request: Request, show: (document: string) => Promise<void>): void;
  /** The film of a request; throws an error with a sentence. */
  film(request: Request): { document: Promise<string>; stop(): void };
  /** A run with its film, and its result in one line; throws an error with a sentence. */
  run(request: Request): Promise<{ document: string; words: string }>;
  /** An exercise that is done by a run or by a program; verdicts go to `output`. */
  exercise(root: HTMLElement, place: HTMLElement, output: HTMLElement, show: (document: string) => Promise<void>): void;
  /** The verdict of the program's judge on a trace; `files` has the files that the trace names. */
  judge(trace: string, files: Record<string, string>): Promise<{ accepted: boolean; words: string }>;
}

const found = (): LessonLab | undefined => (window as { dcubeLab?: { lesson: LessonLab } }).dcubeLab?.lesson;

/** Whether the page may load it: lessons may. */
export const mayRun = (): boolean => found() !== undefined || document.querySelector("article[data-lesson]") !== null;

export const isLoaded = (): boolean => found() !== undefined;

let loading: Promise<LessonLab> | null = null;

/** Throws an error with the sentence for a reader who has only the page. */
export function theLab(): Promise<LessonLab> {
  const there = found();
  if (there) return Promise.resolve(there);
  return (loading ??= new Promise((done, failed) => {
    const script = element("script", { src: "lab.js" });
    const missing = (): void => {
      loading = null; // it may be put there meanwhile
      script.remove();
      failed(
        new Error(
          "To run dcube here, the file lab.js must lie in the folder of this page: ./dcube docs --lessons makes both.",
        ),
      );
    };
    script.addEventListener("error", missing);
    script.addEventListener("load", () => {
      const lab = found();
      if (lab) done(lab);
      else missing();
    });
    document.head.append(script);
  }));
}
