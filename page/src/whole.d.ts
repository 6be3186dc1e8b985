/** The page has everything; else only what drawn networks need: no summary, no lessons. */
declare const WHOLE: boolean;
