// The whole screen for a presentation; where the browser refuses it, the presentation stays in the window.

const html = document.documentElement;

export function fillScreen(): void {
  if (!document.fullscreenElement) html.requestFullscreen?.().catch(() => undefined);
}

export function leaveScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
}

/** Calls back when the screen is left by a key of the browser's. */
export function watchScreen(left: () => void, signal?: AbortSignal): void {
  document.addEventListener(
    "fullscreenchange",
    () => {
      if (!document.fullscreenElement) left();
    },
    { signal },
  );
}
