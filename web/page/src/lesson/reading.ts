// The beat that is being read: the last one whose heading has come above the line at which people read.

import type { Beat } from "./beats";

const UPPER = 0.4;

/** The top of the visible text: on narrow screens the player covers the part above. */
function topOfText(): number {
  const player = document.querySelector(".player")?.getBoundingClientRect();
  return player && player.width > innerWidth * 0.9 && player.top <= 1 ? Math.max(0, player.bottom) : 0;
}

export function beatRead(beats: readonly Beat[]): Beat {
  if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2 && scrollY > 0) return beats.at(-1)!;
  const top = topOfText();
  const line = top + UPPER * (innerHeight - top);
  return beats.filter(({ root }) => root.getBoundingClientRect().top < line).at(-1) ?? beats[0]!;
}

/** Brings the beat's heading to where it is read. */
export function scrollTo({ root }: Beat): void {
  const { top } = root.getBoundingClientRect();
  window.scrollTo({ top: scrollY + top - topOfText() - 12, behavior: "instant" });
}

/** Calls back at most once per frame while the text is scrolled. */
export function watchReading(moved: () => void): void {
  let waiting = false;
  addEventListener(
    "scroll",
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        moved();
      });
    },
    { passive: true },
  );
}
