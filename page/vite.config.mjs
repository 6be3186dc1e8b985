import { viteSingleFile } from "vite-plugin-singlefile";

/** Summaries and lessons, script and style, are in the whole page only. */
const styles = (whole) => ({
  name: "styles",
  transformIndexHtml: { order: "pre", handler: (page) => (whole ? page : page.replace(/<link[^>]*whole\.css">\n/, "")) },
});

// One page, one script, one style.
export default ({ root, page, whole }) => ({
  root, configFile: false, logLevel: "warn",
  plugins: [styles(whole), viteSingleFile()],
  esbuild: { minifySyntax: true },
  define: { WHOLE: String(whole) },
  build: {
    write: false,
    target: "es2022",
    modulePreload: false,
    minify: "terser",
    terserOptions: {
      ecma: 2020, toplevel: true, format: { comments: false },
      compress: { passes: 4, unsafe: true, unsafe_arrows: true, unsafe_methods: true, pure_getters: true },
    },
    rollupOptions: { input: `${root}${page}.html`, output: { format: "iife" } },
  },
});
