#include "demos/gallery/style.hpp"

namespace dcube::gallery {

std::string index_style()
{
    return R"(
:root { --back: #fff; --panel: #f6f7f9; --ink: #16191d; --muted: #58626f; --line: #c3cad3; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0e1116; --panel: #161b22; --ink: #eceff3; --muted: #9da8b5; --line: #465160; --link: #6cb6ff; }
}
body { margin: 0; background: var(--back); color: var(--ink); font: 17px/1.5 Inter, system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: clamp(28px, 4vw, 42px); line-height: 1.15; margin: .4em 0; }
main > p { max-width: 62ch; color: var(--muted); }
.cards { list-style: none; counter-reset: lesson; padding: 0; display: grid; gap: 18px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); }
.card { counter-increment: lesson; display: flex; flex-direction: column; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: var(--panel); position: relative; }
.card figure { margin: 0; padding: 14px; background: #fff; display: flex; justify-content: center; }
.card figure svg { width: 100%; height: 190px; color: #000; }
.card div { padding: 14px 18px 16px; }
.card h2 { font-size: 19px; line-height: 1.3; margin: 0 0 .4em; }
.card h2::before { content: counter(lesson) ". "; color: var(--muted); }
.card h2 a { color: var(--ink); text-decoration: none; }
.card h2 a::after { content: ""; position: absolute; inset: 0; }
.card:hover { border-color: var(--link); }
.card:focus-within { outline: 3px solid var(--link); outline-offset: 2px; }
.card p { margin: .3em 0 0; }
.card .about { color: var(--muted); font-size: 14.5px; }
.card .about a { position: relative; color: var(--link); }
)";
}

}  // namespace dcube::gallery
