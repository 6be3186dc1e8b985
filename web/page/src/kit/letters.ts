// The keys that the page may take.

/** Some tools for speech send letters by themselves. The choice holds for the whole page. */
export const letters = { areKeys: true };

/** False: it is the browser's, a dialog's, or was taken already. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !(event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"));

/** Columns and rows that an arrow key moves by. */
export const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};
