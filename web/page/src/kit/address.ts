// Choices stand in the address, so that a state can be linked to: #step=5&colour=origin.

export type Choices = Record<string, string>;

export function readAddress(): Choices {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Replaces the address without a new entry in the history. */
export function writeAddress(choices: Choices): void {
  const { embed } = readAddress(); // the kind of page stays
  const text = new URLSearchParams(embed ? { embed, ...choices } : choices).toString();
  try {
    history.replaceState(null, "", text === "" ? location.pathname + location.search : `#${text}`);
  } catch {
    // Some browsers forbid this to pages from disk; the page works without.
  }
}

/** Calls back when the address is changed from outside: by a link, or in the address bar. */
export function watchAddress(changed: (choices: Choices) => void): void {
  window.addEventListener("hashchange", () => changed(readAddress()));
}
