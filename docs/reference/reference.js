// The reference's pages: a search among the names that Doxygen has listed in search/. Works from disk. Without this script
// they are the same text.

const load = (file) => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = `search/${file}`;
  script.addEventListener("load", () => { script.remove(); resolve(); });
  script.addEventListener("error", reject);
  document.head.append(script);
});

// Doxygen writes text as HTML: only its character references matter.
const plain = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent;

/** Names with the places where they stand. Files are read one after the other: each sets the same variable. */
async function readNames() {
  await load("searchdata.js");
  const names = [];
  for (let letter = 0; letter < indexSectionsWithContent[0].length; ++letter) {
    await load(`all_${letter.toString(16)}.js`);
    for (const [, [name, ...places]] of searchData)
      for (const [address, , scope] of places)
        names.push({ name: plain(name), scope: plain(scope), address: address.replace("../", "") });
  }
  return names;
}

const rank = (name, asked) => (name === asked ? 0 : name.startsWith(asked) ? 1 : name.includes(asked) ? 2 : 3);

function matches(names, text) {
  const typed = text.trim().split("::").at(-1).replace(/\(.*/, "");
  const asked = typed.toLowerCase();
  const within = text.includes("::") ? text.trim().toLowerCase().split("::").at(-2) : "";
  if (!asked && !within) return [];
  return names
    .map((one) => ({ ...one, rank: rank(one.name.toLowerCase(), asked) }))
    .filter((one) => one.rank < 3 && (!within || one.scope.toLowerCase().replace(/\(.*/, "").split("::").includes(within)))
    .sort((a, b) => a.rank - b.rank || b.name.startsWith(typed) - a.name.startsWith(typed) || a.name.length - b.name.length || a.name.localeCompare(b.name))
    .slice(0, 12);
}

function offerSearch(search) {
  const field = search.querySelector("input");
  const list = search.querySelector("ol");
  let names;
  let asked = 0;
  const show = (found) => {
    list.replaceChildren(...found.map(({ name, scope, address }) => {
      const line = document.createElement("li");
      const link = document.createElement("a");
      const place = document.createElement("span");
      link.href = address;
      link.textContent = name;
      place.textContent = scope;
      link.append(place);
      line.append(link);
      return line;
    }));
    if (!found.length) list.textContent = "No such name";
    list.hidden = !field.value.trim();
  };
  field.addEventListener("input", async () => {
    const turn = ++asked;
    names ??= readNames();
    const found = matches(await names, field.value);
    if (turn !== asked) return;
    show(found);
    list.dataset.asked = field.value;
  });
  const step = (event) => {
    const links = [field, ...list.querySelectorAll("a")];
    const to = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    links[Math.max(0, Math.min(to, links.length - 1))].focus();
    event.preventDefault();
  };
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event);
    else if (event.key === "Enter" && document.activeElement === field) list.querySelector("a")?.click();
    else if (event.key === "Escape") list.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || document.activeElement === field) return;
    event.preventDefault();
    field.focus();
  });
  document.addEventListener("click", (event) => {
    if (!search.contains(event.target) || event.target.closest("a")) list.hidden = true;
  });
  search.hidden = false;
}

document.addEventListener("DOMContentLoaded", () => {
  offerThemes(document.querySelector("button.theme"));
  offerSearch(document.querySelector("search"));
  const here = location.pathname.split("/").at(-1) || "index.html";
  document.querySelector(`.contents a[href="${here}"]`)?.setAttribute("aria-current", "page");
});
