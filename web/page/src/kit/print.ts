// Before a page is printed, and after. Some browsers only say it by the media query, some only by the events.

export function whenPrinting(before: () => void, after: () => void, signal?: AbortSignal): void {
  let printing = false;
  const turn = (on: boolean): void => {
    if (on === printing) return;
    printing = on;
    (on ? before : after)();
  };
  const media = matchMedia("print");
  media.addEventListener("change", () => turn(media.matches), { signal });
  addEventListener("beforeprint", () => turn(true), { signal });
  addEventListener("afterprint", () => turn(false), { signal });
}
