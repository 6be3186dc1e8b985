// Doubts about a cell: each names a cause ("few: only 3 samples were not disturbed"), and the cause stands for it wherever
// the whole doubt has been told.

import type { Cell } from "./document";

export const causeOf = (doubt: string): string => /^[a-z]{3,20}(?=:)/.exec(doubt)?.[0] ?? doubt;

export const causesOf = ({ doubts }: Cell): string[] => [...new Set(doubts.map(causeOf))];

/** A limit in doubt says nothing of times. */
export const doubtsTimes = (cell: Cell): boolean => causesOf(cell).some((cause) => cause !== "limit");
export const doubtsShare = ({ doubts }: Cell): boolean => doubts.length > 0;
