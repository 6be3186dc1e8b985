// The reader's answers, while the page is open; also after it is loaded again, where the browser stores them.

const KEY = `dcube ${location.pathname}`;

function kept(): Map<string, string> {
  try {
    return new Map(Object.entries(JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, string>));
  } catch {
    return new Map(); // pages from disk may have no storage
  }
}

const answers = kept();

export const remembered = (question: string): string | undefined => answers.get(question);

export function remember(question: string, answer: string): void {
  answers.set(question, answer);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(answers)));
  } catch {
    // It is remembered while the page is open.
  }
}
