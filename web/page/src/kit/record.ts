// A canvas as a film in a file. It takes as long as the film does: browsers record what is painted when it is painted.

const BITS = 8_000_000; // per second: text stays sharp
const FRAMES = 30;

/** Slide programs take MP4; WebM is what every browser with a recorder makes. */
const KINDS = [
  "video/mp4;codecs=avc1.64002A",
  "video/mp4;codecs=avc1.42E028",
  "video/webm;codecs=vp9",
  "video/webm;codecs=vp8",
  "video/webm",
];

/** The kind of file that this browser makes; null if it makes none. */
export function recordedKind(): string | null {
  if (typeof MediaRecorder === "undefined" || !("captureStream" in HTMLCanvasElement.prototype)) return null;
  return KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null;
}

export const ending = (kind: string): string => (kind.startsWith("video/mp4") ? "mp4" : "webm");

/** Records `length` ms, in which `paint` gets the ms since the beginning. Null if it was cancelled. */
export function record(
  canvas: HTMLCanvasElement,
  kind: string,
  length: number,
  paint: (ms: number) => void,
  cancelled: AbortSignal,
): Promise<Blob | null> {
  return new Promise((resolve, reject) => {
    paint(0);
    const stream = canvas.captureStream(FRAMES);
    const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: BITS });
    const pieces: Blob[] = [];
    let request = 0;
    let begin = 0;
    const end = (): void => {
      cancelAnimationFrame(request);
      for (const track of stream.getTracks()) track.stop();
    };
    const stop = (): void => {
      if (recorder.state !== "inactive") recorder.stop();
    };
    recorder.addEventListener("dataavailable", ({ data }) => pieces.push(data));
    recorder.addEventListener("stop", () => {
      end();
      resolve(cancelled.aborted ? null : new Blob(pieces, { type: kind }));
    });
    recorder.addEventListener("error", () => {
      end();
      reject(new Error("the browser's recorder has failed"));
    });
    cancelled.addEventListener("abort", stop);
    const frame = (now: number): void => {
      begin ||= now;
      paint(Math.min(length, now - begin));
      if (now - begin >= length) stop();
      else request = requestAnimationFrame(frame);
    };
    recorder.start();
    request = requestAnimationFrame(frame);
  });
}
