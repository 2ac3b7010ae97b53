// Paints panes of HTML that Python sends, and sends back what was clicked, typed or chosen. No text, no rules.
const WAYS = "[data-square],[data-verb],[data-step],[data-action]";
const same = (a, b) => JSON.stringify({ ...a.dataset }) === JSON.stringify({ ...b.dataset });

// Makes `old` like `fresh`, and keeps each element that may stay: what has the focus, a slider that is being
// dragged, an opened fold; and the browser lays out and paints again no more than differs.
function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName || (old.matches?.(WAYS) && !same(old, fresh))) { old.replaceWith(fresh); return; }
  if (old.nodeType !== Node.ELEMENT_NODE) { old.data = fresh.data; return; }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  morphChildren(old, fresh);
  if (old.matches("select")) old.value = fresh.value;
}
function morphChildren(old, fresh) {
  const [was, now] = [[...old.childNodes], [...fresh.childNodes]];
  const least = Math.min(was.length, now.length);
  let [head, tail] = [0, 0]; // as many as are equal at the start and at the end
  while (head < least && was[head].isEqualNode(now[head])) head++;
  while (tail < least - head && was.at(-1 - tail).isEqualNode(now.at(-1 - tail))) tail++;
  const gone = was.slice(head, was.length - tail);
  const come = now.slice(head, now.length - tail);
  gone.forEach((node, n) => { if (n < come.length) morph(node, come[n]); else node.remove(); });
  come.slice(gone.length).forEach((node) => old.insertBefore(node, was[was.length - tail] ?? null));
}

function render({ model, el }) {
  el.innerHTML = model.get("frame");
  const root = el.firstElementChild;
  const changed = new Set(); // panes; a message may change many, and they are painted together
  let hovered = "";

  function paint() {
    const held = root.contains(document.activeElement) ? document.activeElement : null;
    const place = held?.closest("[data-pane]");
    const ready = root.querySelector("[data-ready]");
    for (const pane of changed) {
      const fresh = document.createElement("template");
      fresh.innerHTML = model.get(pane.dataset.pane);
      morphChildren(pane, fresh.content);
      pane.hidden = !pane.firstChild;
    }
    const painted = [...changed];
    changed.clear();
    const now = root.querySelector("[data-ready]");
    if (now && now !== ready && held) now.focus({ preventScroll: true });
    else if (held && !held.isConnected) {
      const again = [...(place?.querySelectorAll(WAYS) ?? [])].find((n) => same(n, held));
      (again || place?.querySelector("[tabindex='0'],button") || root).focus({ preventScroll: true });
    }
    requestAnimationFrame(() => painted.forEach(settle));
  }
  function settle(pane) { // where a slider and the lists that scroll stand
    pane.querySelectorAll(".qg-scroll").forEach((n) => { n.scrollLeft = 0; }); // the end, in a strip from right to left
    const range = pane.querySelector("input[type=range]");
    if (range) { range.value = range.getAttribute("value"); show(pane, range.value); }
    const current = pane.querySelector("[aria-current]"); // the chip of the move on screen; the page stays
    const list = current?.closest("[role='list']");
    if (list) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  }
  function show(pane, at) { // one of the stages that came with the pane: no way to Python and back
    const parts = [...pane.querySelectorAll("[data-at]")];
    const told = parts.find((n) => n.dataset.at === at && n.dataset.told);
    if (!told) return false;
    const range = pane.querySelector("input[type=range]");
    range.value = at;
    range.setAttribute("aria-valuetext", told.dataset.told);
    parts.forEach((n) => n.toggleAttribute("hidden", n.dataset.at !== at));
    pane.querySelectorAll("[data-now]").forEach((n) => n.classList.toggle("qg-now", n.dataset.now === at));
    const mark = pane.querySelector(".qg-scroll [data-at]:not([hidden])");
    const strip = mark?.closest(".qg-scroll");
    if (strip && strip.scrollWidth > strip.clientWidth) {
      const [box, frame] = [mark.getBoundingClientRect(), strip.getBoundingClientRect()];
      strip.scrollLeft += Math.min(box.left - frame.left - 24, 0) + Math.max(box.right - frame.right + 24, 0);
    }
    return true;
  }
  for (const pane of root.querySelectorAll("[data-pane]")) {
    const change = () => { if (!changed.size) queueMicrotask(paint); changed.add(pane); };
    model.on("change:" + pane.dataset.pane, change);
    change();
  }

  const circuit = root.querySelector("[data-pane=circuit]");
  let [room, waiting] = [0, 0];
  if (circuit) new ResizeObserver(([{ contentRect: { width } }]) => { // a circuit is drawn as wide as its pane
    clearTimeout(waiting);
    if (width > 0 && Math.abs(width - room) > 8) waiting = setTimeout(() => { room = width; send("room", null, { width: Math.floor(width) }); }, room && 150);
  }).observe(circuit);

  const send = (on, node, more) => model.send({ on, ...node?.dataset, ...more });
  root.addEventListener("click", (event) => {
    const node = event.target.closest(WAYS);
    if (!node || node.matches("input,select")) return;
    if (node.dataset.action === "stage") show(node.closest("[data-pane]"), node.dataset.value);
    send("click", node);
  });
  root.addEventListener("input", (event) => {
    const node = event.target;
    if (node.type === "file") {
      node.files[0]?.text().then((text) => send("load", node, { text, name: node.files[0].name })).finally(() => { node.value = ""; });
    } else if (node.matches("[data-action]") && !show(node.closest("[data-pane]"), node.value)) send("input", node, { value: node.value });
  });
  root.addEventListener("change", (event) => { // the end of a drag through stages that needed no answer
    if (event.target.dataset.action === "stage") send("input", event.target, { value: event.target.value });
  });
  const hover = (event) => {
    const node = event.target.closest?.("[data-branch]");
    const key = node ? node.dataset.branch : "";
    if (key !== hovered) { hovered = key; model.send({ on: "hover", outcome: key }); }
  };
  for (const kind of ["mouseover", "mouseleave", "focusin"]) root.addEventListener(kind, hover);

  function move(grid, from, dx, dy) {
    const cells = [...grid.querySelectorAll("[data-square]")];
    const place = (n) => { const b = n.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };
    const [x, y] = place(from);
    const ahead = cells.map((n) => { const [u, v] = place(n); const along = (u - x) * dx + (v - y) * dy; return [along, Math.abs((u - x) * dy) + Math.abs((v - y) * dx), n]; })
      .filter(([along, , n]) => n !== from && along > 4).sort((a, b) => a[0] + 3 * a[1] - b[0] - 3 * b[1]);
    ahead[0]?.[2].focus();
  }
  root.addEventListener("keydown", (event) => {
    event.stopPropagation(); // else JupyterLab's own shortcuts fire: 'x' deletes the cell
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input,select,summary")) return;
    const node = event.target.closest(WAYS);
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const grid = event.target.closest("[role='grid']");
    if (arrow && grid && node) move(grid, node, ...arrow);
    else if ((event.key === "Enter" || event.key === " ") && node) { if (!node.matches("button")) send("click", node); else return; }
    else if (event.key === "Escape" || /^[0-9]$/.test(event.key)) send("key", null, { key: event.key });
    else return;
    event.preventDefault();
  });

  model.on("msg:custom", (message) => {
    if (!message.download) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([message.text], { type: "application/json" }));
    link.download = message.download;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}
export default { render };
