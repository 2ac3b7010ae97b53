// Paints panes of HTML that Python sends, and sends back what was clicked, typed or chosen. No text, no rules.
const WAYS = "[data-square],[data-verb],[data-step],[data-action]";
const same = (a, b) => JSON.stringify({ ...a.dataset }) === JSON.stringify({ ...b.dataset });

function render({ model, el }) {
  el.innerHTML = model.get("frame");
  const root = el.firstElementChild;
  let hovered = "";

  function paint(pane) {
    if (slid(pane)) return;
    const held = pane.contains(document.activeElement) ? document.activeElement : null;
    const focused = held || root.contains(document.activeElement);
    const opened = new Map([...pane.querySelectorAll("details")].map((n) => [n.firstElementChild?.textContent, n.open]));
    const ready = pane.querySelector("[data-ready]");
    pane.innerHTML = model.get(pane.dataset.pane);
    pane.hidden = !pane.firstChild;
    pane.querySelectorAll("details").forEach((n) => { n.open = opened.get(n.firstElementChild?.textContent) ?? n.open; });
    show(pane, pane.querySelector("input[type=range]")?.value);
    const current = pane.querySelector("[aria-current]");
    if (current) requestAnimationFrame(() => { // to the chip of the move on screen; the page stays
      const list = current.closest("[role='list']");
      if (list) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    });
    const now = pane.querySelector("[data-ready]");
    if (now && !ready && focused) now.focus({ preventScroll: true });
    else if (held) {
      const again = [...pane.querySelectorAll(WAYS)].find((n) => same(n, held));
      (again || pane.querySelector("[tabindex='0'],button") || root).focus({ preventScroll: true });
    }
  }
  function slid(pane) { // a slider that is being dragged must stay the same element
    const range = pane.querySelector("input[type=range]");
    const fresh = document.createElement("template");
    fresh.innerHTML = model.get(pane.dataset.pane);
    const next = fresh.content.querySelector("input[type=range]");
    const [parts, others] = [[...pane.children], [...fresh.content.children]];
    if (!range || !next || parts.length !== others.length) return false;
    for (const { name, value } of next.attributes) range.setAttribute(name, value);
    range.value = next.getAttribute("value");
    parts.forEach((part, i) => { if (!part.contains(range) && part.outerHTML !== others[i].outerHTML) part.replaceWith(others[i]); });
    show(pane, range.value);
    return true;
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
  const panes = [...el.querySelectorAll("[data-pane]")];
  for (const pane of panes) {
    paint(pane);
    model.on("change:" + pane.dataset.pane, () => paint(pane));
  }

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
