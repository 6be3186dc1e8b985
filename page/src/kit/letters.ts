// Whether letters are keys: some tools for speech send them by themselves. The choice holds for the whole page.

export const letters = { areKeys: true };
