// Light or dark colours, of the documents' pages and the reference's: this stands at the beginning of site.js and of
// reference.js.
"use strict";

const root = document.documentElement;
const icon = (path) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS(svg.namespaceURI, "path");
  line.setAttribute("d", path);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.append(line);
  return svg;
};

// Where pages from disk may not keep anything, the theme is chosen anew on each page.
const kept = (value) => {
  try {
    if (value === undefined) return localStorage.getItem("dcube-theme");
    localStorage.setItem("dcube-theme", value);
  } catch { /* nothing is kept */ }
  return null;
};
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
if (["dark", "light"].includes(kept())) root.dataset.theme = kept();

function offerThemes(button) {
  const sun = "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5";
  const moon = "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z";
  const show = () => {
    button.replaceChildren(icon(isDark() ? sun : moon));
    button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  };
  button.addEventListener("click", () => {
    kept(root.dataset.theme = isDark() ? "light" : "dark");
    show();
  });
  prefersDark.addEventListener("change", show);
  button.hidden = false;
  show();
}
