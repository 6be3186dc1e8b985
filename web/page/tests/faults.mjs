// Faults of a picture. Run in the page.

/** In the page: faults of the text. */
export function faults() {
  const found = [];
  const player = document.querySelector(".player");
  const shown = [...player.querySelectorAll("*")].filter(
    (one) => !one.closest(".hidden, option, dialog, svg") && one.checkVisibility({ visibilityProperty: true }),
  );
  for (const one of shown) {
    const { left, right, width } = one.getBoundingClientRect();
    const name = `${one.tagName}.${one.className} "${one.textContent.slice(0, 30)}"`;
    const clipped = getComputedStyle(one).clipPath !== "none" || one.closest("label > span");
    if (width > 0 && !clipped && (left < -1 || right > innerWidth + 1))
      found.push(`${name} from ${Math.round(left)} to ${Math.round(right)}`);
    if (
      !clipped &&
      getComputedStyle(one).overflowX === "visible" &&
      one.clientWidth > 0 &&
      one.scrollWidth > one.clientWidth + 1
    )
      found.push(`${name} is wider than its box`);
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (text && parseFloat(getComputedStyle(one).fontSize) < 12.5) found.push(`${name} is small`);
  }
  return [...found, ...overlaps(shown)];

  /** The places of the visible text of elements. */
  function boxesOf(one) {
    const clips = [];
    for (let around = one; around && around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflowX !== "visible" || getComputedStyle(around).overflowY !== "visible")
        clips.push(around.getBoundingClientRect());
    }
    return [...one.childNodes]
      .filter((node) => node.nodeType === 3 && node.textContent.trim())
      .flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()];
      })
      .map((box) =>
        clips.reduce(
          (a, b) => ({
            left: Math.max(a.left, b.left),
            right: Math.min(a.right, b.right),
            top: Math.max(a.top, b.top),
            bottom: Math.min(a.bottom, b.bottom),
          }),
          box,
        ),
      )
      .filter(({ left, right, top, bottom }) => right - left > 1 && bottom - top > 1);
  }

  function overlaps(elements) {
    const texts = elements
      .filter((one) => getComputedStyle(one).clipPath === "none")
      .flatMap((one) => boxesOf(one).map((box) => [one, box]));
    return texts.flatMap(([one, a], i) =>
      texts
        .slice(i + 1)
        .filter(
          ([other, b]) =>
            other !== one &&
            !other.contains(one) &&
            !one.contains(other) &&
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4,
        )
        .map(([other]) => `"${one.textContent.slice(0, 40)}" and "${other.textContent.slice(0, 40)}" overlap`),
    );
  }
}

/** In the page: cards that are not in sight and cannot be scrolled there. */
export function lostCards() {
  return [...document.querySelectorAll(".card")]
    .filter((card) => card.checkVisibility() && !card.closest(".board"))
    .flatMap((card) => {
      const heading = card.querySelector("h2");
      heading.scrollIntoView({ block: "nearest", behavior: "instant" });
      const { left, top, height } = heading.getBoundingClientRect();
      const there = card.contains(document.elementFromPoint(left + 4, top + height / 2));
      document.querySelector(".body").scrollTop = 0;
      return there ? [] : [heading.textContent];
    });
}

/** In the page: faults of the drawing, and clicks at its places that pick the wrong thing. */
export function drawingFaults() {
  const found = [];
  const { picture } = window.dcube.exhibit().page.views[0];
  const { scene, canvas } = picture;
  const { network } = scene.film;
  const corner = canvas.getBoundingClientRect();
  const numbers = Array.from(scene.fitted.x, (_, node) => {
    const { left, top } = scene.box(node);
    const { label } = scene.sizes;
    return {
      left: left - 3 - String(node).length * label * 0.6,
      right: left - 3,
      top: top - label * 0.3,
      bottom: top + label * 0.4,
    };
  });
  const boxes = numbers.map((_, node) => scene.box(node));
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  boxes.forEach((box, node) => {
    if (box.left < 0 || box.top < 0 || box.right > scene.width || box.bottom > scene.height)
      found.push(`box ${node} is cut`);
    if (numbers[node].left < 0) found.push(`number ${node} is cut`);
    boxes.forEach((other, i) => {
      if (i > node && over(box, other)) found.push(`boxes ${node} and ${i} overlap`);
      if (i !== node && over(numbers[node], other)) found.push(`number ${node} lies on box ${i}`);
      if (i > node && over(numbers[node], numbers[i])) found.push(`numbers ${node} and ${i} overlap`);
    });
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const picked = picture.pick(x, y, false);
    if (picked?.what !== "node" || picked.node !== node)
      found.push(`the middle of node ${node} picks ${JSON.stringify(picked)}`);
    const top = document.elementFromPoint(corner.left + x, corner.top + y);
    if (top !== canvas) found.push(`node ${node} is below ${top?.className}`);
  });
  const size = (pieces) => Math.min(...pieces.map((points) => points.length));
  const at = (points, share) => {
    const last = points.length / 2 - 1;
    const i = Math.min(last - 1, Math.floor(share * last));
    const t = share * last - i;
    return [0, 1].map((k) => points[2 * i + k] * (1 - t) + points[2 * i + 2 + k] * t);
  };
  const near = (x, y, box) => x > box.left - 6 && x < box.right + 6 && y > box.top - 6 && y < box.bottom + 6;
  const distance = (pieces, x, y) =>
    Math.min(
      ...pieces.flatMap((points) =>
        Array.from({ length: 201 }, (_, i) => {
          const [a, b] = at(points, i / 200);
          return Math.hypot(a - x, b - y);
        }),
      ),
    );
  scene.middles.forEach((pieces, link) => {
    if (size(pieces) < 4) return;
    for (const points of pieces) {
      for (let i = 0; i <= 40; i++) {
        const [x, y] = at(points, i / 40);
        if (boxes.some((box) => near(x, y, box))) continue;
        const picked = picture.pick(x, y, false);
        const hit = picked?.what === "link" ? picked.link >> 1 : -1;
        if (hit !== link && (hit < 0 || distance(scene.middles[hit], x, y) > 3))
          found.push(
            `${x}, ${y} on link ${network.from[2 * link]}-${network.to[2 * link]} picks ${JSON.stringify(picked)}`,
          );
      }
    }
    // The lanes, at their middles.
    for (const way of [2 * link, 2 * link + 1]) {
      const { x, y } = scene.lanes[way].at(0.5);
      const picked = picture.pick(x, y, false);
      if (!boxes.some((box) => near(x, y, box)) && picked?.what !== "link")
        found.push(`the lane of link ${way} picks ${JSON.stringify(picked)}`);
    }
  });
  return found.slice(0, 8);
}

/** In the page: the font of the body is the one that is drawn. */
export function fontFaults() {
  const { page } = window.dcube.exhibit();
  const sample = "Step 0123456789 wide and illicit";
  const line = document.createElement("span");
  line.style.cssText = "position:absolute;white-space:pre;font-size:40px;font-weight:400";
  line.textContent = sample;
  document.body.append(line);
  const context = document.createElement("canvas").getContext("2d");
  context.font = `400 40px ${page.theme.font}`;
  const [wide, html] = [context.measureText(sample).width, line.getBoundingClientRect().width];
  line.remove();
  const families = getComputedStyle(document.body).fontFamily;
  return [
    ...(page.theme.font === families ? [] : [`${page.theme.font} is drawn, ${families} is the body's`]),
    ...(Math.abs(wide - html) < 1 ? [] : [`text is ${wide} wide when drawn, ${html} in the page`]),
  ];
}
