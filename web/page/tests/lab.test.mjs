// The lab, from disk: requests are run, shown and linked to; errors are shown at their fields.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { drawn, folder, launch, state, violations } from "./browser.mjs";
import { program } from "./documents.mjs";
import { faults, lostCards } from "./faults.mjs";
import { FONTS } from "./fonts.mjs";
import { field, fill, finished, missing, openLab, run, said, writeLab } from "./lab-page.mjs";
import { some, thorough } from "./thorough.mjs";

const skip = missing;
let browser;
const file = join(folder, "lab.html");
before(async () => {
  if (missing) return;
  browser = await launch();
  writeLab(file);
});
after(() => browser?.close());

/** Opens the page, does something with it, and closes it; nothing may have gone wrong on the way. */
async function on(options, act) {
  const { page, problems } = await openLab(browser, file, options);
  try {
    await act(page, problems);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
  }
}

/** A page that tests share, because to open one takes long; null before the first of them, and after one that failed.
    Its films stand still, so that they take no time. */
let shared = null;

/** Does something with the shared page as it is after it was opened: its first request has run, nothing else is open;
    or, if it need not be so, as the test before left it. */
async function onShared(act, { anew = true } = {}) {
  const known = shared;
  shared = null;
  const { page, problems } = known ?? (await openLab(browser, file, { still: true }));
  try {
    await page.bringToFront(); // other tests have pages of their own
    if (known && anew) await beginAnew(page);
    await act(page, problems);
    assert.deepEqual(problems, []);
    shared = { page, problems };
  } finally {
    if (!shared) await page.close();
  }
}

async function beginAnew(page) {
  await page.evaluate(() => {
    const { lab } = window.dcubeLab;
    lab.open(null);
    lab.form.more.open = false;
    void lab.take({ collective: "all-to-all", topology: "hypercube:4" });
  });
  await finished(page);
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

test("from disk: a total exchange on a 4-cube plays", { skip }, () =>
  on({}, async (page) => {
    const {
      title,
      nodes,
      playing,
      films: [film],
    } = await page.evaluate(() => ({
      ...window.dcube.state(),
      nodes: window.dcube.exhibit().player.film.network.nodes,
    }));
    assert.deepEqual([title, nodes, playing, film.packets], ["Total exchange on a 4-cube", 16, true, 512]);
    assert.match(
      (await said(page)).state,
      /^\S+: 8 steps, the fewest there can be; 512 packets; 256 blocks verified\.$/,
    );
    await page.evaluate(() => window.dcube.seek(1e9));
    const [end] = (await state(page)).films;
    assert.deepEqual(end.got, end.due);
  }),
);

test("what it says is what the program says", { skip }, () =>
  onShared(async (page) => {
    for (const [args, request] of [
      [["all-to-all", "--topology", "torus:4x3"], { topology: "torus:4x3" }],
      [
        ["broadcast", "--dim", "4", "--packets", "8", "--ports", "one"],
        { collective: "broadcast", packets: 8, ports: "one" },
      ],
      [
        ["reduce", "--dim", "3", "--root", "5", "--operation", "max", "--type", "int32"],
        { collective: "reduce", topology: "hypercube:3", root: 5, operation: "max", type: "int32" },
      ],
      [
        ["broadcast", "--dim", "4", "--bytes", "4KiB", "--link", "link-bound", "--tau", "1", "--beta", "100"],
        { collective: "broadcast", bytes: "4KiB", tau_ns_per_byte: "1", beta_ns: "100" },
      ],
    ]) {
      const { error, results } = await page.evaluate(
        (request) =>
          window.dcubeLab.ask({ collective: "all-to-all", topology: "hypercube:4", ...request, results: ["report"] })
            .answer,
        request,
      );
      const native = JSON.parse(program("run", ...args, "--format", "json", "--threads", "1").text);
      assert.equal(error, undefined);
      for (const key of [
        "algorithm",
        "steps",
        "steps_lower_bound",
        "transmissions",
        "virtual_time_ns",
        "result_digest",
        "blocks_verified",
      ])
        assert.deepEqual(results.report[key], native[key], `${args}: ${key}`);
    }
  }),
);

test("a link that is missing, and one that fails", { skip }, () =>
  onShared(async (page) => {
    await fill(page, "faults", "0-1");
    const without = await run(page);
    assert.equal(without.wrong, "");
    assert.equal(await page.evaluate(() => window.dcube.exhibit().player.film.network.directed), 62);
    assert.equal(without.address.split("&")[0], "faults=0-1");
    await fill(page, "faults", "");
    await fill(page, "failing", "0-1@3");
    const lost = await run(page);
    assert.match(lost.wrong, /0|1/);
    assert.notEqual(lost.wrong, "");
    assert.equal(lost.stale, false, "the film of the failure is shown");
    await fill(page, "failing", "");
    const again = await run(page);
    assert.deepEqual([again.wrong, again.stale, again.address.replace(/film=.*/, "")], ["", false, ""]);
  }),
);

test("a link of the picture can be taken out", { skip }, () =>
  on({ hash: "#film=step.2" }, async (page) => {
    await page.evaluate(() => window.dcube.choose({ link: "4" }));
    await page.waitForSelector(".lab-link:not([hidden])");
    const [u, v] = await page.evaluate(() => {
      const { from, to } = window.dcube.exhibit().player.film.network;
      return [from[4], to[4]].sort((a, b) => a - b);
    });
    await page.evaluate(() =>
      [...document.querySelectorAll(".lab-link button")]
        .find(({ textContent }) => textContent === "run without it")
        .click(),
    );
    await finished(page);
    assert.equal((await said(page)).address.split("&")[0], `faults=${u}-${v}`);
  }),
);

test("a link is offered while the film plays, too", { skip }, () =>
  on({}, async (page) => {
    assert.equal((await state(page)).playing, true);
    await page.evaluate(() => window.dcube.choose({ link: "4" }));
    assert.match(
      await page.$eval(".lab-link", (offer) => (offer.checkVisibility() ? offer.textContent : "")),
      /^Link \d+\u2013\d+:run without it/,
    );
    assert.equal((await state(page)).playing, true);
    await page.evaluate(() => window.dcube.choose({ link: "" }));
    assert.equal(await page.$eval(".lab-link", (offer) => offer.checkVisibility()), false);
  }),
);

test("Stop while it plans, and the page goes on", { skip }, () =>
  onShared(async (page) => {
    await fill(page, "topology", "ring:150");
    await page.evaluate(() => {
      void window.dcubeLab.lab.run();
    });
    await page.waitForFunction(() => document.querySelector(".lab-stop").checkVisibility());
    await wait(300);
    const took = await page.evaluate(async () => {
      const begin = performance.now();
      document.querySelector(".lab-stop").click();
      while (window.dcubeLab.lab.busy) await new Promise((done) => setTimeout(done));
      return performance.now() - begin;
    });
    const stopped = await said(page);
    assert.deepEqual([stopped.state, stopped.wrong, stopped.stale], ["Stopped.", "", true]);
    console.log(`stopped after ${Math.round(took)} ms`);
    await fill(page, "topology", "hypercube:3");
    assert.match((await run(page)).state, /4 steps/);
  }),
);

test("Stop is not there while runs are short", { skip }, () =>
  onShared(async (page) => {
    assert.equal(await page.$eval(".lab-stop", (stop) => stop.checkVisibility()), false);
  }),
);

test("what is wrong is said at its field, while one types and after Run", { skip }, () =>
  onShared(async (page) => {
    for (const [key, text, words] of [
      ["topology", "torus:4xx", /torus:4xx/],
      ["bytes", "many", /many/],
      ["topology", "hypercube:99", /./],
      ["failing", "0-1@x", /./],
      ["faults", "0-3", /no link 0-3/],
      ["seed", "x", /x/],
    ]) {
      await fill(page, key, text);
      const wrong = await run(page);
      assert.match(wrong.wrong, words, text);
      assert.equal(wrong.field, key, `${text}: ${wrong.wrong}`);
      assert.equal(wrong.stale, true);
      assert.doesNotMatch(wrong.wrong, /\n/);
      await fill(page, key, key === "topology" ? "hypercube:4" : "");
      assert.equal((await run(page)).wrong, "");
    }
    await page.click(field("topology"), { clickCount: 3 });
    await page.keyboard.type("torus:4x");
    await page.waitForFunction(() => document.querySelector('.lab-field.wrong[data-key="topology"]'));
    await page.keyboard.type("4");
    await page.waitForFunction(() => !document.querySelector(".lab-field.wrong"));
  }),
);

/** Addresses of impossible requests, with the field that is wrong. */
const WRONG = {
  "collective=send": "peer",
  "collective=broadcast&root=99": "root",
  "collective=broadcast&peer=3": "peer",
  "collective=matrix-transpose&columns=16": "rows",
  "collective=matrix-transpose&rows=17&columns=16": "rows",
  "collective=broadcast&algorithm=fastest": "algorithm",
  "topology=torus:3x3&algorithm=dimension-exchange": "algorithm",
  "bytes=many": "bytes",
  "packets=4294967297": "packets",
  "collective=permute&permutation=backwards": "permutation",
  "tau_ns_per_byte=1": "beta_ns",
  "tau_ns_per_byte=x&beta_ns=1": "tau_ns_per_byte",
  "duplex=half&machine=ncube3": "duplex",
  "topology=tours:4": "topology",
  "topology=ring:4&faults=0-1,2-3": "faults",
  "failing=0-3@1": "failing",
  "collective=broadcast&machine=ncube3&groups=2": "groups",
  "collective=reduce&operation=bit-xor&type=float": "operation",
  "collective=reduce&bytes=6&type=int32": "bytes",
  "seed=x": "seed",
  "clock=lockstep": "clock",
};

test("every mistake that a form can make is said at its field, with the field's label", { skip }, () =>
  onShared(async (page) => {
    for (const [address, key] of Object.entries(WRONG)) {
      await goTo(page, address);
      const { wrong, field } = await said(page);
      assert.equal(field, key, `${address}: ${wrong}`);
      const label = await page.$eval(
        `.lab-field[data-key="${key}"] label > span`,
        ({ firstChild }) => firstChild.textContent,
      );
      const [word] = label.split(",");
      const named = [`${label}: `, `${word} `].find((start) => wrong.startsWith(start));
      assert.ok(named && wrong.length > named.length + 8, `${address}: ${wrong}`);
      assert.doesNotMatch(wrong, /--[a-z]|[a-z]_[a-z]|\n/, address);
    }
    await goTo(page, "colour=red");
    const { wrong, field } = await said(page);
    assert.equal(field, null);
    assert.match(wrong, /^'colour' is not a key of a request: /);
  }),
);

test("a mistake in the second run is marked there", { skip }, () =>
  onShared(async (page) => {
    const marked = () =>
      page.$$eval('.lab-field[data-key="root"] [aria-invalid]', (all) => all.map((one) => one.ariaInvalid));
    await goTo(page, "collective=broadcast&root=1&versus.root=99");
    assert.match((await said(page)).wrong, /^Root in the second run: 99 /);
    assert.deepEqual(await marked(), ["false", "true"]);
    await goTo(page, "collective=broadcast&root=99&versus.root=1");
    assert.match((await said(page)).wrong, /^Root: 99 /);
    assert.deepEqual(await marked(), ["true", "false"]);
  }),
);

test("a board for links that take time is refused at a field of theirs", { skip }, () =>
  on({ hash: "#collective=broadcast&machine=ncube3" }, async (page) => {
    await finished(page);
    await page.click(".lab-tabs button");
    await page.waitForFunction(() => document.querySelector('.lab-field.wrong[data-key="tau_ns_per_byte"]'));
    assert.match((await said(page)).wrong, /^τ, ns per byte: a board has steps/);
  }),
);

test("algorithms that are not possible here are grey, with the reason", { skip }, () =>
  on({ still: true }, async (page) => {
    await page.waitForFunction(
      () => document.querySelectorAll('.lab-field[data-key="algorithm"] option:disabled').length > 0,
    );
    const offered = await page.$$eval(`${field("algorithm")} option`, (options) =>
      options.map(({ value, textContent, disabled }) => ({ value, textContent, disabled })),
    );
    assert.ok(
      offered.some(({ value, disabled }) => value === "optimal" && !disabled),
      JSON.stringify(offered),
    );
    for (const { textContent } of offered.filter(({ disabled }) => disabled)) assert.match(textContent, /: .{5,}/);
  }),
);

test("fields are there where they apply", { skip }, () =>
  onShared(async (page) => {
    const shown = () =>
      page.$$eval(".lab-field", (all) => all.filter((one) => !one.hidden).map(({ dataset }) => dataset.key));
    await page.waitForFunction(() => document.querySelectorAll('.lab-field[data-key="collective"] option').length > 10);
    assert.ok(
      !(await shown()).some((key) => ["root", "peer", "permutation", "rows", "operation"].includes(key)),
      `${await shown()}`,
    );
    for (const [collective, keys] of [
      ["broadcast", ["root"]],
      ["send", ["root", "peer"]],
      ["permute", ["permutation"]],
      ["reduce", ["root", "operation", "type"]],
      ["matrix-transpose", ["rows", "columns", "layout"]],
    ]) {
      await fill(page, "collective", collective);
      for (const key of keys) assert.ok((await shown()).includes(key), `${collective}: ${key}`);
    }
    await fill(page, "collective", "");
    for (const key of ["bytes", "packets", "type"]) assert.ok((await shown()).includes(key), `no collective: ${key}`);
  }),
);

test("every collective runs once it is chosen, and says before what it is", { skip }, () =>
  onShared(async (page) => {
    const names = `${field("collective")} option`;
    await page.waitForFunction((names) => document.querySelectorAll(names).length > 10, {}, names);
    for (const name of await page.$$eval(names, (options) => options.map(({ value }) => value).filter(Boolean))) {
      await fill(page, "collective", name);
      const idea = (await said(page)).state;
      if (name !== "all-to-all") assert.match(idea, /^[A-Z].{20,}[a-z)] ?\. Press Run\.$/, name);
      const now = await run(page);
      assert.equal(now.wrong, "", name);
      assert.match(now.state, /: [1-9]\d* steps?[ ,].* verified\.$/, name);
    }
    assert.equal(
      await page.$eval(`${field("collective")} option[value=""]`, ({ disabled }) => disabled),
      true,
      "without a program there is nothing to run for no collective",
    );
  }),
);

test("errors have the names of fields; a network is looked at, whatever is typed after it", { skip }, () =>
  onShared(async (page) => {
    await page.waitForFunction(() => document.querySelectorAll('.lab-field[data-key="collective"] option').length > 10);
    await fill(page, "collective", "send");
    await fill(page, "peer", "");
    assert.equal((await run(page)).wrong, "Peer is missing: send goes from Root to another node");
    await fill(page, "topology", "torus:5x4");
    await fill(page, "bytes", "128");
    await page.waitForFunction(
      () => document.querySelector('.lab-field[data-key="topology"] small').textContent === "20 nodes, 40 links",
    );
  }),
);

test("every field can be reached and used by keyboard", { skip }, () =>
  onShared(async (page) => {
    await page.waitForFunction(() => document.querySelectorAll('.lab-field[data-key="collective"] option').length > 10);
    await page.evaluate(() => {
      document.querySelector(".lab-more").open = true;
    });
    const wanted = await page.$$eval(
      ".lab-field :is(input, select, textarea)",
      (all) => all.filter((one) => one.checkVisibility()).length,
    );
    await page.focus(field("collective"));
    const reached = new Set();
    for (let i = 0; i < 60; i++) {
      reached.add(
        await page.evaluate(() => {
          const at = document.activeElement;
          return at.closest(".lab-field")
            ? [...document.querySelectorAll(".lab-field :is(input, select, textarea)")].indexOf(at)
            : at.closest(".lab")
              ? at.className || at.tagName
              : "";
        }),
      );
      await page.keyboard.press("Tab");
    }
    assert.equal([...reached].filter((one) => typeof one === "number").length, wanted);
    assert.ok(reached.has("lab-run"));
    await page.click(field("topology"), { clickCount: 3 });
    await page.keyboard.type("hypercube:3");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".player h1")?.textContent.includes("3-cube"));
    await page.focus(field("bytes"));
    await page.keyboard.type("128");
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await page.waitForFunction(() => location.hash.includes("bytes=128"));
    await finished(page);
    // Letters typed into a field are no keys of the film.
    await page.focus(field("bytes"));
    await page.keyboard.type("p");
    assert.equal((await state(page)).present, false);
  }),
);

/** As a person does in the address bar. */
async function goTo(page, hash) {
  await page.evaluate(
    (hash) =>
      new Promise((done) => {
        window.addEventListener("hashchange", () => setTimeout(done), { once: true });
        location.hash = hash;
      }),
    hash,
  );
  await finished(page);
}

const ADDRESSES = [
  "topology=torus:4x3",
  "collective=broadcast&packets=4&ports=one&root=3",
  "faults=0-1,9",
  "collective=reduce&topology=ring:5&operation=max&type=int16",
  "algorithm=optimal&seed=7",
  "collective=broadcast&bytes=4KiB&tau_ns_per_byte=5/2&beta_ns=10&clock=lockstep",
  "collective=permute&permutation=inversion",
  "collective=broadcast&versus.ports=one&packets=3",
  "collective=matrix-transpose&rows=16&columns=16",
  "collective=broadcast&topology=graph:mine&graph.mine=0 1\n1 2\n2 3\n3 0\n",
  "collective=broadcast&topology=hypercube:3&what=board",
  "collective=send&topology=hypercube:3&peer=5",
];

test("an address is what it was made of, and shows it again", { skip }, () =>
  onShared(async (page) => {
    for (const address of ADDRESSES) {
      await goTo(page, address.replaceAll("\n", "%0A").replaceAll(" ", "+"));
      const now = await said(page);
      assert.equal(now.wrong, "", address);
      const pairs = (text) =>
        [...new URLSearchParams(text)]
          .filter(([key]) => key !== "film")
          .sort()
          .join("&");
      assert.equal(pairs(now.address.replaceAll("\n", "%0A")), pairs(address.replaceAll("\n", "%0A")));
      // The form has the same request.
      if (address.includes("what=")) continue;
      const again = await page.evaluate(() => [window.dcubeLab.lab.request(), window.dcubeLab.lab.last.request]);
      const sorted = (request) =>
        JSON.stringify(request, Object.keys({ ...request, ...request.versus, ...request.graph }).sort());
      assert.equal(sorted({ ...again[0], collective: again[0].collective }), sorted(again[1]), address);
    }
  }),
);

test("an address has the film's state, too", { skip }, () =>
  on({ hash: "#topology=hypercube:3&film=step.2_colour.target" }, async (page) => {
    await finished(page);
    const { stop, colour, title } = await state(page);
    assert.deepEqual([stop, colour, title], [2, "target", "Total exchange on a 3-cube"]);
    await page.evaluate(() => window.dcube.seek(3));
    await page.waitForFunction(() => location.hash.includes("step.3"));
  }),
);

const HOSTILE = {
  "foo=1": /foo/,
  "topology=hypercube:99": /./,
  "topology=%3Cscript%3Ewindow.harmed=1%3C/script%3E": /./,
  "packets=4294967297": /./,
  "packets=-1": /./,
  "packets=1e9": /./,
  "bytes=NaN": /./,
  "algorithm=constructor": /constructor/,
  "__proto__=1": /__proto__/,
  "__proto__.harmed=1": /__proto__/,
  "constructor=1": /constructor/,
  "versus.foo=1": /foo/,
  "versus=1": /versus/,
  "what=everything": /everything/,
  "results=document": /results/,
  "collective=toString": /toString/,
  "topology=graph:/etc/passwd": /./,
  "topology=graph:mine&graph.mine=%00%00": /./,
  "root=5": /Root/,
  "collective=broadcast&root=99": /99/,
  [`topology=${"x".repeat(5000)}`]: /x/,
  "seed=%F0%9F%92%A9": /./,
  "topology=%E2%80%AEring:5": /./,
  "program=1": /program/,
  "ports=both": /both/,
  "in_place=yes": /In place/,
};

/** Those that a page is opened with; the others come to a page that is open. */
const OPENED = some(
  Object.keys(HOSTILE),
  Object.keys(HOSTILE).filter((address) => /script|^__proto__\.|^seed/.test(address)),
);

for (const [address, words] of Object.entries(HOSTILE)) {
  const opens = OPENED.includes(address);
  const onPage = (act) => (opens ? on({ hash: `#${address}`, still: true }, act) : onShared(act, { anew: false }));
  test(`an address that asks for what is not possible: ${address.slice(0, 50)}`, { skip }, () =>
    onPage(async (page) => {
      const { title } = opens ? { title: "" } : await said(page);
      if (opens) await finished(page);
      else await goTo(page, address);
      const now = await said(page);
      assert.match(now.wrong, words);
      assert.equal(now.stale, true);
      assert.equal(now.title, title, "nothing else is run");
      assert.deepEqual(
        await page.evaluate(() => [
          window.harmed ?? null,
          {}.harmed ?? null,
          document.querySelectorAll("img, iframe, object").length,
        ]),
        [null, null, 0],
      );
      assert.ok(now.wrong.length < 1200);
      if (!opens) return; // the test after it goes on with this page
      await goTo(page, "topology=hypercube:2");
      assert.match((await said(page)).title, /Total exchange on a .*(2-cube|square|ring)/i);
      assert.equal((await said(page)).wrong, "");
    }),
  );
}

test("two runs side by side", { skip }, () =>
  onShared(async (page) => {
    await fill(page, "collective", "broadcast");
    await fill(page, "packets", "4");
    await page.click(".lab-switch input");
    await fill(page, "ports", "one", true);
    const both = await run(page);
    assert.equal(both.wrong, "");
    assert.equal((await page.$$(".film")).length, 2);
    assert.match(both.state, /^.+: \d+ steps.*The second, .+: \d+ steps/);
    assert.match(both.address, /versus\.ports=one/);
    await page.evaluate(() =>
      [...document.querySelectorAll(".lab-tabs button")].find(({ textContent }) => textContent === "Report").click(),
    );
    await page.waitForSelector(".lab-report thead th");
    assert.equal((await page.$$(".lab-report thead th")).length, 2);
  }),
);

test("the explanation, the report, the command", { skip }, () =>
  onShared(async (page) => {
    const open = async (label) => {
      await page.evaluate(
        (label) =>
          [...document.querySelectorAll(".lab-tabs button")].find(({ textContent }) => textContent === label).click(),
        label,
      );
      await page.waitForFunction(() => !/Explaining/.test(document.querySelector(".lab-panel").textContent));
      return page.$eval(".lab-panel", (panel) => panel.innerText);
    };
    const explained = await open("Explanation");
    for (const words of [/The idea/, /Why no algorithm needs fewer than 8 steps/, /64 \/ 8 = 8 steps/])
      assert.match(explained, words);
    const report = await open("Report");
    assert.match(report, /steps\s+8/);
    assert.doesNotMatch(report, /threads asked/);
    await page.click(".lab-report .lab-switch input");
    assert.match(await page.$eval(".lab-panel", (panel) => panel.innerText), /threads asked/);
    assert.equal(JSON.parse(await page.$eval(".lab-report pre", (json) => json.textContent)).steps, 8);
    const share = await open("Command and link");
    const command = /\.\/dcube (run .*)/.exec(share)[1];
    assert.match(
      program(
        ...command
          .trim()
          .split(" ")
          .map((word) => word.replaceAll("'", "")),
      ).text,
      /steps +8/,
    );
    await open("About");
    assert.deepEqual(await violations(page), []);
  }),
);

test("a network of one's own, typed or from a file", { skip }, () =>
  onShared(async (page) => {
    await page.evaluate(() => {
      document.querySelector(".lab-more").open = true;
    });
    await page.type(".lab-graph textarea", "0 1\n1 2\n2 3\n3 0\n0 2\n");
    await page.evaluate(() =>
      [...document.querySelectorAll(".lab-graph button")].find(({ textContent }) => textContent === "Use it").click(),
    );
    assert.equal((await run(page)).wrong, "");
    assert.equal(await page.evaluate(() => window.dcube.exhibit().player.film.network.directed), 10);
  }),
);

test("a program of one's own: its film, what nodes say, what goes wrong and where, and an endless one", { skip }, () =>
  on({ still: true }, async (page) => {
    await page.evaluate(() => window.dcubeLab.lab.open("program"));
    assert.deepEqual(
      [await page.$eval(field("collective"), ({ value }) => value), (await said(page)).wrong],
      ["all-gather", ""],
    );
    const own = await run(page);
    assert.deepEqual([own.wrong, own.title], ["", "All-gather on a 4-cube"]);
    assert.match(own.state, /4 steps/);
    assert.match(own.address, /program\.source=/);
    const type = async (source) => {
      await page.$eval(
        ".editor textarea",
        (area, source) => {
          area.value = source;
          area.dispatchEvent(new Event("input", { bubbles: true }));
        },
        source,
      );
      return run(page);
    };
    const marked = () =>
      page.$eval(".editor-mark", (mark) => (mark.hidden ? 0 : Number(mark.style.getPropertyValue("--at")) + 1));
    const caption = () => page.$eval(".sentence", (sentence) => sentence.textContent);
    assert.match((await type("function* program(me) {\n  me.nothing();\n}\n")).wrong, /line 2.*The film ends there/);
    assert.match(await caption(), /TypeError.*line 2/);
    assert.equal(await marked(), 2);
    assert.match((await type("function* program(me) {\n  yield\n  if (\n}\n")).wrong, /cannot be read/);
    assert.ok((await marked()) > 0);
    assert.match(
      (await type("function* program(me) {\n  me.send(0, me.input);\n  me.send(0, me.input);\n  yield;\n}\n")).wrong,
      /line 3.*The film ends there/,
    );
    assert.match(await caption(), /second packet.*line 3/);
    await page.select(".lab-own select", "hello");
    await finished(page);
    assert.equal((await said(page)).wrong, "");
    assert.match(await page.$eval(".lab-own > pre", (pre) => pre.textContent), /node 0, step/);
    await page.$eval(".editor textarea", (area) => {
      area.value = "function* program(me) { for (;;); }";
      area.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await page.evaluate(() => {
      void window.dcubeLab.lab.run();
    });
    await page.waitForFunction(() => document.querySelector(".lab-stop").checkVisibility());
    await page.keyboard.press("Escape");
    await finished(page);
    assert.equal((await said(page)).state, "Stopped.");
  }),
);

test("your turn: a board of what is asked", { skip }, () =>
  onShared(async (page) => {
    await fill(page, "collective", "broadcast");
    await fill(page, "topology", "hypercube:3");
    await page.evaluate(() =>
      [...document.querySelectorAll(".lab-tabs button")].find(({ textContent }) => textContent === "Your turn").click(),
    );
    await page.waitForSelector(".player.board");
    assert.match((await said(page)).address, /what=board/);
  }),
);

test("board of the day: its address has nothing of the film that was there", { skip }, () =>
  on({ hash: "#topology=hypercube:3&film=step.2" }, async (page) => {
    await finished(page);
    await page.evaluate(() => {
      window.dcube.seek(3); // its address follows once it rests
      [...document.querySelectorAll(".lab-tabs button")].find((one) => one.textContent === "Board of the day").click();
    });
    await page.waitForSelector(".player.board");
    await wait(300);
    assert.match((await said(page)).address, /^what=board(&(collective|topology)=[^&]+)*$/);
  }),
);

test("nothing is evaluated, and nothing is fetched", { skip }, () =>
  onShared(async (page, problems) => {
    const policy = await page.$eval("meta[http-equiv]", (meta) => meta.content);
    assert.match(
      policy,
      new RegExp(
        "^default-src 'none'; script-src( 'sha256-[^']+'){3} 'wasm-unsafe-eval' blob:; worker-src blob:; " +
          "style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$",
      ),
    );
    // Code that a driver evaluates may evaluate more; a timer's may not.
    const tried = await page.evaluate(
      () =>
        new Promise((done) =>
          setTimeout(async () => {
            const refused = async (act) => {
              try {
                await act();
                return "allowed";
              } catch (error) {
                return error.name;
              }
            };
            done([
              await refused(() => (0, eval)("1")),
              await refused(() => new Function("1")()),
              await refused(() => fetch("https://example.org/")),
            ]);
          }),
        ),
    );
    assert.deepEqual(tried, ["EvalError", "EvalError", "TypeError"]);
    assert.ok(
      problems.every((text) => /Content Security Policy|Refused to/.test(text)),
      `${problems}`,
    );
    problems.length = 0;
  }),
);

test("without workers it runs on the page's own thread, without Stop", { skip }, () =>
  on(
    {
      before: () => {
        window.Worker = class {
          constructor() {
            throw new Error("no workers here");
          }
        };
      },
    },
    async (page) => {
      assert.match((await said(page)).state, /8 steps/);
      assert.equal(await page.evaluate(() => window.dcubeLab.can.stop), false);
    },
  ),
);

test("a page that was made without the module says so", { skip }, async () => {
  const { readFileSync, writeFileSync } = await import("node:fs");
  const empty = join(folder, "lab-empty.html");
  writeFileSync(empty, readFileSync(new URL("../dist/lab.html", import.meta.url)));
  const { page } = await openLab(browser, empty);
  assert.match((await said(page)).wrong, /without dcube's module.*dcube lab --html/);
  await page.close();
});

test("a page may have a request of its own", { skip }, async () => {
  const { page, problems } = await openLab(
    browser,
    writeLab(join(folder, "lab-own.html"), { collective: "broadcast", topology: "ring:5" }),
  );
  assert.match((await said(page)).title, /Broadcast on a ring/);
  assert.equal(await page.$eval(field("topology"), ({ value }) => value), "ring:5");
  assert.deepEqual(problems, []);
  await page.close();
});

const SIZES = [
  [1280, 900],
  [820, 1180],
  [390, 844],
  [844, 390],
  [640, 450],
];
const FEW_SIZES = [SIZES[0], SIZES[2], SIZES[3]];

/** In the page: elements that stick out of the window or are wider than their box, and text that is too small. */
const outside = () =>
  [...document.querySelectorAll("body *")].flatMap((one) => {
    if (one.closest(".hidden, script, style, option, #static, datalist, dialog") || !one.checkVisibility()) return [];
    const { left, right, width } = one.getBoundingClientRect();
    const name = `${one.tagName}.${one.className} "${one.textContent.slice(0, 30)}"`;
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    return [
      width > 0 &&
        (left < -1 || right > innerWidth + 1) &&
        getComputedStyle(one).clipPath === "none" &&
        `${name} from ${left} to ${right}`,
      text && parseFloat(getComputedStyle(one).fontSize) < 12.5 && `${name} is small`,
    ].filter(Boolean);
  });

for (const [index, [name, env]] of FONTS.entries()) {
  test(
    `${name}: nothing is cut and nothing overlaps, at every size`,
    { skip: skip || (env ? false : "this machine lacks the fonts") },
    async () => {
      const own = await launch(env);
      try {
        for (const size of some(SIZES, FEW_SIZES)) {
          const { page, problems } = await openLab(own, file, { size, dark: index > 0, hash: "#film=step.2" });
          const where = `${size.join("x")}`;
          await drawn(page);
          assert.deepEqual(
            [await page.evaluate(outside), await page.evaluate(faults), await page.evaluate(lostCards)],
            [[], [], []],
            where,
          );
          await page.evaluate(() => {
            window.dcubeLab.lab.fold(false);
            document.querySelector(".lab-more").open = true;
          });
          await page.evaluate(() => document.querySelector(".lab-switch input").click());
          await drawn(page);
          assert.deepEqual(await page.evaluate(outside), [], `${where}, the form`);
          assert.equal(
            await page.evaluate(() => {
              const run = document.querySelector(".lab-run");
              run.scrollIntoView();
              const { left, top } = run.getBoundingClientRect();
              return document.elementFromPoint(left + 9, top + 9) === run;
            }),
            true,
            `${where}: Run can be reached`,
          );
          for (const panel of ["explain", "report", "share", "about"]) {
            await page.evaluate((panel) => window.dcubeLab.lab.open(panel), panel);
            await drawn(page);
            assert.deepEqual(await page.evaluate(outside), [], `${where}, ${panel}`);
          }
          assert.deepEqual(problems, [], where);
          await page.close();
        }
      } finally {
        await own.close();
      }
    },
  );
}

test("axe-core finds nothing, light and dark, with all that can be open", { skip }, async () => {
  const light = [[1280, 900], false];
  const phone = [[390, 844], true];
  for (const [size, dark] of some([light, [[1280, 900], true], phone], [light, phone])) {
    await on({ size, dark, hash: "#film=step.2" }, async (page) => {
      assert.deepEqual(await violations(page), [], `${size}`);
      await page.evaluate(() => {
        window.dcubeLab.lab.fold(false);
        document.querySelector(".lab-more").open = true;
      });
      if (thorough) assert.deepEqual(await violations(page), [], `${size}: more`);
      await fill(page, "topology", "torus:4xx");
      await run(page);
      assert.deepEqual(await violations(page), [], `${size}: an error`);
    });
  }
});
