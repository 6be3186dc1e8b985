// What lab.js defines: window.dcubeLab. It holds no viewer: films are played by the page that it is on.

import style from "lab:style";
import { ask, can, prepare } from "./engine";

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

const dcubeLab = { ask, can, prepare };
export type DcubeLab = typeof dcubeLab;
Object.assign(window, { dcubeLab });
