// Drawings of buttons that several kinds of pages have.

export const PLAY = "M7 4.5 20 12 7 19.5z";
export const THEME = "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16";
