// One to three networks on one layout, side by side where they can be read: they zoom, move, select, highlight together.
// The data come from Python as JSON (built by pyvis); every text of the user's goes through textContent.

import { arrange, bendAround, bentParts, busiest, leaveTheWheel, look, via, whole } from "./network_fit.js";
import { hullAt, hulls, number, paint } from "./network_hulls.js";
import { FILES, markPlace, markSize, picture, sample } from "./network_svg.js";
import { darkened, isDark, pale, paperOf } from "./network_tones.js";

const DIM = 0.12;
const ZOOM = 1.25;
const MANY = 24;  // variables from which one looks for one by its name

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Where a box stands; vis widens it by the radius of its corners, here all are as wide as our plain boxes.
function boxOf(view, id) {
  const found = view.network.getBoundingBox(id), node = found && view.nodes.get(id);
  const more = node && node.shapeProperties ? node.shapeProperties.borderRadius - view.radius : 0;
  return found && more ? {
    left: found.left + more, right: found.right - more, top: found.top + more, bottom: found.bottom - more,
  } : found;
}

export class Panels {
  constructor(root, vis, send) {
    this.vis = vis;
    this.send = send;
    this.views = [];
    this.selected = null;
    this.depth = 1;
    this.wide = null;
    this.touched = false;
    this.root = make("div", "dn");
    this.root.append(this.toolbar());
    this.grid = this.root.appendChild(make("div", "dn-panels"));
    this.legend = this.root.appendChild(make("div", "dn-legend"));
    const details = this.root.appendChild(make("details"));
    details.append(make("summary", "", "The networks as text"));
    this.words = details.appendChild(make("div"));
    this.tip = this.root.appendChild(make("div", "dn-tip"));
    this.tip.hidden = true;
    this.tip.setAttribute("role", "tooltip");
    root.append(this.root);
    (window.diptychPictures ??= new Set()).add(this);  // the projector steps through them
    this.system = window.matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => setTimeout(() => this.light && this.update(this.light), 300);  // the page's own colours first
    this.system.addEventListener("change", this.repaint);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.grid);
  }

  toolbar() {
    const bar = make("div", "dn-bar");
    this.search = make("input");
    this.search.type = "search";
    this.search.placeholder = "Find a variable";
    this.search.setAttribute("aria-label", "Find a variable and select it");
    this.search.addEventListener("input", () => this.find(false));
    this.search.addEventListener("keydown", (event) => event.key === "Enter" && this.find(true));
    this.names = make("datalist");
    this.names.id = `dn-${Math.random().toString(36).slice(2)}`;
    this.search.setAttribute("list", this.names.id);
    const depth = make("select");
    for (const [value, words] of [["1", "direct neighbours"], ["2", "two steps"], ["0", "all"]]) {
      const option = make("option", "", words);
      option.value = value;
      depth.append(option);
    }
    depth.addEventListener("change", () => { this.depth = Number(depth.value); this.highlight(); });
    const label = make("label", "", "Highlight");
    label.append(depth);
    bar.append(this.search, this.names, label, this.slider(), make("span", "dn-gap"));
    const button = (words, hint, action, kind = "") => {
      const one = make("button", kind, words);
      one.type = "button";
      one.title = hint;
      one.addEventListener("click", action);
      bar.append(one);
    };
    this.hint = bar.appendChild(make("span", "dn-hint"));
    button("−", "Smaller", () => this.zoom(1 / ZOOM), "dn-zoom");
    button("+", "Larger", () => this.zoom(ZOOM), "dn-zoom");
    button("Whole picture", "Show everything, however small", () => this.fit());
    for (const [name, { save, words }] of Object.entries(FILES))
      button(name, words, () => save(this.picture(), this.data.file));
    return bar;
  }

  // From which probability on links are drawn; the page is not asked.
  slider() {
    const label = make("label", "dn-least");
    this.least = make("input");
    this.least.type = "range";
    this.least.min = "0";
    this.least.step = "1";
    this.least.setAttribute("aria-label", "Draw links of at least this probability");
    this.leastWords = make("span");
    this.least.addEventListener("input", () => { this.chosenLeast = Number(this.least.value); this.cut(); });
    label.append(this.leastWords, this.least);
    return label;
  }

  cut() {
    this.hideUnlikely();
    this.legend.replaceChildren(...this.drawnOf(this.data).map((entry) => {
      const item = make("span");
      item.append(sample(entry, this.data.style), make("span", "", entry.words));
      return item;
    }));
    this.words.textContent = this.data.panels.map((panel) =>
      [`${panel.title} (${panel.subtitle})`, ...panel.edges.filter((edge) => !edge.hidden).map((edge) => `  ${edge.words}`),
        ...panel.groups.map((group) => `  Group ${group.label}: ${group.words}`)].join("\n")).join("\n\n");
  }

  // The entries of the legend that explain something drawn.
  drawnOf({ legend, panels }) {
    const drawn = new Set(panels.flatMap((panel) => panel.edges.filter((edge) => !edge.hidden).map((edge) => edge.status)));
    return legend.filter((entry) => !entry.status || drawn.has(entry.status));
  }

  hideUnlikely() {
    const steps = this.data.least;
    this.least.parentElement.hidden = !steps.length;
    if (!steps.length) return;
    this.least.max = String(steps.length - 1);
    const place = Math.min(this.chosenLeast ?? Math.floor(steps.length / 2), steps.length - 1), least = steps[place];
    this.least.value = String(place);
    this.leastWords.textContent = `P(link) ≥ ${Math.round(100 * least)}\u00a0%`;
    this.views.forEach((view, i) => {
      const { edges, subtitle } = this.data.panels[i];
      for (const edge of [...edges, ...this.light.panels[i].edges]) edge.hidden = edge.p !== null && edge.p < least;
      view.edges.update(edges.map(({ id, hidden }) => ({ id, hidden })));
      const drawn = edges.filter((edge) => !edge.hidden).length;
      view.subtitle.textContent = `${subtitle}${subtitle && ", "}${drawn} link${drawn === 1 ? "" : "s"} drawn`;
    });
  }

  update(data) {
    const same = this.data && this.data.panels.length === data.panels.length &&
      this.data.names.join("\0") === data.names.join("\0");
    this.light = data;
    for (const [name, value] of Object.entries(data.style)) this.root.style.setProperty(`--dn-${name}`, value);
    this.paper = paperOf(this.root, data.style.paper);
    this.data = data = isDark(this.paper) ? darkened(data) : data;
    this.selected = data.selected;
    this.root.classList.toggle("dn-small", Boolean(data.small));
    this.root.classList.toggle("dn-many", data.names.length > MANY);
    if (!same) this.build();
    data.panels.forEach((panel, i) => this.fill(this.views[i], panel));
    this.cut();
    if (!same) this.project(Boolean(window.diptychProjector));
    // a box knows its size once it is drawn
    this.views[0]?.network.once("afterDrawing", () => requestAnimationFrame(() => { this.bend(); this.touched || this.resize(); }));
    this.highlight();
  }

  build() {
    this.views.forEach((view) => view.network.destroy());
    this.wide = null;
    this.grid.replaceChildren();
    this.names.replaceChildren(...this.data.names.map((name) => {
      const option = make("option");
      option.value = name;
      return option;
    }));
    this.views = this.data.panels.map((_, i) => this.panel(i));
  }

  panel(index) {
    const frame = this.grid.appendChild(make("section", "dn-panel"));
    const head = frame.appendChild(make("div", "dn-head"));
    const words = head.appendChild(make("div", "dn-words"));
    const view = {
      frame, index, radius: this.data.style.radius,
      sign: words.appendChild(make("div", "dn-sign")),
      title: words.appendChild(make("div", "dn-title")),
      subtitle: words.appendChild(make("div", "dn-sub")),
      button: head.appendChild(make("button", "", "Enlarge")),
      canvas: frame.appendChild(make("div", "dn-canvas")),
      nodes: new this.vis.DataSet(), edges: new this.vis.DataSet(),
    };
    view.button.type = "button";
    view.button.addEventListener("click", () => this.show(this.wide === null ? index : null));
    view.canvas.setAttribute("role", "img");
    leaveTheWheel(view.canvas, (at) => view.network.getNodeAt(at) !== undefined);
    view.network = new this.vis.Network(view.canvas, { nodes: view.nodes, edges: view.edges }, this.data.options);
    this.listen(view);
    return view;
  }

  fill(view, panel) {
    view.sign.textContent = panel.sign;
    view.sign.style.color = panel.colour;
    view.title.textContent = panel.title;
    view.title.title = panel.title;
    view.subtitle.textContent = panel.subtitle;
    view.canvas.setAttribute("aria-label",
      `Network ${panel.title}, ${panel.nodes.length} variables, ${panel.edges.length} arcs; listed as text below.`);
    const swap = (set, items) => {
      const keep = new Set(items.map((item) => item.id));
      set.remove(set.getIds().filter((id) => !keep.has(id)));
      set.update(items);
    };
    swap(view.nodes, panel.nodes.map((node) => ({ ...node })));
    swap(view.edges, panel.edges.map((edge) => ({ ...edge })));
  }

  listen(view) {
    const { network } = view;
    network.on("click", ({ nodes, edges, pointer }) => {
      this.hideTip();
      if (nodes.length) return this.choose(nodes[0]);
      if (edges.length) {
        const edge = view.edges.get(edges[0]);
        return this.send({ kind: "edge", source: edge.from, target: edge.to, panel: view.index });
      }
      const hull = hullAt(this.hulls(view), pointer.canvas.x, pointer.canvas.y);
      if (hull) return this.send({ kind: "group", group: hull.number, panel: view.index });
      if (this.selected !== null) this.choose(null);
    });
    network.on("dragging", ({ nodes }) => {
      this.hideTip();
      if (nodes.length) this.follow(view, nodes); else this.align(view);
    });
    network.on("dragEnd", ({ nodes }) => {
      if (!nodes.length) { this.touched = true; return this.align(view); }
      this.follow(view, nodes);
      const at = network.getPositions(nodes);
      for (const panel of this.data.panels)
        for (const node of panel.nodes) if (at[node.id]) Object.assign(node, at[node.id]);
      this.bend();
      this.send({ kind: "moved", positions: Object.entries(at).map(([id, p]) => [Number(id), p.x, p.y]) });
    });
    network.on("zoom", () => { this.touched = true; this.hideTip(); this.align(view); });
    network.on("hoverNode", ({ node, event }) => this.showTip(view.nodes.get(node).words, event));
    network.on("hoverEdge", ({ edge, event }) => this.showTip(view.edges.get(edge).words, event));
    network.on("beforeDrawing", (context) => {
      paint(context, this.hulls(view), this.near());
      this.around(view, context);
    });
    network.on("afterDrawing", (context) => {
      this.marks(view, context);
      number(context, this.hulls(view), this.data.style.font);
    });
    network.on("blurNode", () => this.hideTip());
    network.on("blurEdge", () => this.hideTip());
  }

  // Links bend around boxes that they would run behind, and look as if they ended there.
  bend() {
    this.views.forEach((view, i) => {
      const boxes = new Map(view.nodes.getIds().map((id) => [id, boxOf(view, id)]));
      if ([...boxes.values()].some((box) => !box)) return;
      view.edges.update(this.data.panels[i].edges.map((edge, place) => {
        const others = [...boxes].filter(([id]) => id !== edge.from && id !== edge.to).map(([, box]) => box);
        edge.bend = bendAround(boxes.get(edge.from), boxes.get(edge.to), others);
        this.light.panels[i].edges[place].bend = edge.bend;
        const type = edge.bend > 0 ? "curvedCW" : "curvedCCW";
        return { id: edge.id, smooth: edge.bend ? { enabled: true, type, roundness: Math.abs(edge.bend) } : false };
      }));
    });
  }

  hulls(view) {
    return hulls(this.data.panels[view.index].groups, (id) => boxOf(view, id));
  }

  // The edge of an arc, below it; vis draws none around a straight one.
  around(view, context) {
    for (const edge of this.data.panels[view.index].edges.filter((one) => one.around && !one.hidden)) {
      const at = view.network.getPositions([edge.from, edge.to]), from = at[edge.from], to = at[edge.to];
      const by = edge.bend && via(boxOf(view, edge.from), boxOf(view, edge.to), edge.bend);
      context.save();
      context.strokeStyle = edge.pale ? pale(edge.around.color, this.paper) : edge.around.color;
      context.lineWidth = edge.around.width;
      context.setLineDash(edge.dashes || []);
      context.beginPath();
      context.moveTo(from.x, from.y);
      if (by) context.quadraticCurveTo(by.x, by.y, to.x, to.y); else context.lineTo(to.x, to.y);
      context.stroke();
      context.restore();
    }
  }

  // The sign on an arc, half way between the two boxes; vis would put it under one of them.
  marks(view, context) {
    const taken = view.nodes.getIds().map((id) => boxOf(view, id));
    for (const edge of this.data.panels[view.index].edges.filter((one) => one.mark && !one.hidden)) {
      const ends = [boxOf(view, edge.from), boxOf(view, edge.to)];
      const size = markSize(edge.mark);
      context.font = `bold ${size}px ${this.data.style.font}`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      const half = context.measureText(edge.mark).width / 2 + 3;
      const [x, y] = markPlace(edge, ends, half, taken);
      context.lineWidth = 5;
      context.strokeStyle = this.paper;
      context.strokeText(edge.mark, x, y);
      context.fillStyle = edge.pale ? pale(edge.color.color, this.paper) : edge.color.color;
      context.fillText(edge.mark, x, y);
    }
  }

  align(view) {
    const scale = view.network.getScale(), position = view.network.getViewPosition();
    for (const other of this.views) if (other !== view) other.network.moveTo({ position, scale, animation: false });
  }

  follow(view, nodes) {
    const at = view.network.getPositions(nodes);
    for (const other of this.views)
      if (other !== view)
        for (const [id, p] of Object.entries(at)) if (other.nodes.get(Number(id))) other.network.moveNode(Number(id), p.x, p.y);
  }

  choose(id) {
    this.selected = id;
    this.highlight();
    this.send({ kind: "node", node: id });
  }

  find(surely) {
    const typed = this.search.value.trim().toLowerCase();
    if (!typed) return;
    let id = this.data.names.findIndex((name) => name.toLowerCase() === typed);
    if (id < 0 && surely) id = this.data.names.findIndex((name) => name.toLowerCase().includes(typed));
    if (id >= 0 && id !== this.selected) this.choose(id);
  }

  // The selected variable and its neighbours in any panel, so that all panels show the same ones.
  near() {
    if (this.selected === null || this.depth === 0) return null;
    let found = new Set([this.selected]);
    for (let step = 0; step < this.depth; step += 1) {
      const next = new Set(found);
      for (const panel of this.data.panels)
        for (const edge of panel.edges) {
          if (found.has(edge.from)) next.add(edge.to);
          if (found.has(edge.to)) next.add(edge.from);
        }
      found = next;
    }
    return found;
  }

  highlight() {
    const near = this.near(), faint = (colour) => pale(colour, this.paper);
    this.views.forEach((view, i) => {
      const panel = this.data.panels[i];
      view.nodes.update(panel.nodes.map((node) => {
        const shown = !near || near.has(node.id);
        const chosen = node.id === this.selected;
        return {
          id: node.id, borderWidth: chosen ? 3.5 : node.borderWidth,
          font: { ...node.font, color: shown ? node.font.color : faint(node.font.color) },
          color: {
            background: shown ? node.color.background : faint(node.color.background),
            border: chosen ? node.font.color : shown ? node.color.border : faint(node.color.border),
          },
        };
      }));
      view.edges.update(panel.edges.map((edge) => {
        const shown = !near || (near.has(edge.from) && near.has(edge.to) &&
          (this.depth > 1 || edge.from === this.selected || edge.to === this.selected));
        edge.pale = !shown;
        return { id: edge.id, color: { ...edge.color, opacity: shown ? 1 : DIM } };
      }));
      view.network.unselectAll();
    });
  }

  // One panel alone, or all of them again.
  show(index) {
    this.wide = index;
    this.views.forEach((view, i) => {
      view.frame.hidden = this.wide !== null && i !== this.wide;
      view.button.textContent = this.wide === null ? "Enlarge" : "Show all";
      view.button.hidden = this.views.length < 2 || this.projected;
    });
    this.touched = false;
    this.resize();
  }

  // On a projector one picture at a time, in larger letters.
  project(on) {
    this.projected = on;
    this.show(on ? 0 : null);
  }

  shown() { return this.views.filter((view) => !view.frame.hidden); }

  bounds() {
    const all = this.views.flatMap((view, i) => [
      ...view.nodes.getIds().map((id) => boxOf(view, id)),
      ...bentParts(this.data.panels[i].edges, (id) => boxOf(view, id)),
    ]);
    if (!all.length) return { left: 0, top: 0, right: 1, bottom: 1 };
    const room = this.data.panels.some((panel) => panel.groups.length) ? 24 : 0;
    return {
      left: Math.min(...all.map((b) => b.left)) - room, top: Math.min(...all.map((b) => b.top)) - room,
      right: Math.max(...all.map((b) => b.right)) + room, bottom: Math.max(...all.map((b) => b.bottom)) + room,
    };
  }

  resize() {
    if (!this.data || !this.grid.clientWidth) return;
    const shown = this.shown();
    this.plan = arrange(this.bounds(), this.grid.clientWidth, shown.length, this.data.style.letters, this.projected, this.data.height);
    this.grid.style.gridTemplateColumns = `repeat(${this.plan.across}, minmax(0, 1fr))`;
    for (const [place, view] of shown.entries()) {
      view.frame.classList.toggle("dn-begins", place % this.plan.across === 0);
      view.canvas.style.height = `${this.plan.height}px`;
      view.network.setSize("100%", `${this.plan.height}px`);
    }
    this.hint.textContent = [!this.plan.whole && "Drag to see the rest.", !this.data.small && "Ctrl + wheel zooms"].filter(Boolean).join(" ");
    requestAnimationFrame(() => (this.touched ? this.views.forEach((view) => view.network.redraw()) : this.start()));
  }

  // As large as the plan says; where that leaves some of it outside, with the chosen box or the busiest one in sight.
  start() {
    const { canvas, network } = this.shown()[0] || {};
    if (!canvas || !canvas.clientWidth) return;
    const { scale } = this.plan, box = this.bounds();
    const first = this.selected ?? busiest(this.data.panels);
    const at = (first !== null && network.getPositions([first])[first]) || { x: 0, y: 0 };
    this.move({ scale, position: look(box, canvas.clientWidth, canvas.clientHeight, scale, at) });
  }

  fit() {
    const { canvas } = this.shown()[0] || {};
    if (!canvas || !canvas.clientWidth) return;
    this.move(whole(this.bounds(), canvas.clientWidth, canvas.clientHeight));
    this.touched = true;
  }

  zoom(by) {
    const { network } = this.shown()[0] || {};
    if (!network) return;
    this.move({ scale: network.getScale() * by, position: network.getViewPosition() });
    this.touched = true;
  }

  move({ scale, position }) {
    this.touched = false;
    for (const view of this.views) view.network.moveTo({ position, scale, animation: false });
  }

  picture() {
    return picture(this.shown().map((view) => {
      const panel = this.light.panels[view.index];
      const boxes = new Map(panel.nodes.map((node) => [node.id, boxOf(view, node.id)]));
      return { ...panel, edges: panel.edges.filter((edge) => !edge.hidden), boxes };
    }), this.drawnOf(this.light), this.light.style);
  }

  showTip(words, event) {
    const at = event.center || event;
    const x = at.x ?? at.clientX, y = at.y ?? at.clientY;
    this.tip.textContent = words;
    this.tip.hidden = false;
    this.tip.style.left = `${Math.min(x + 14, window.innerWidth - this.tip.offsetWidth - 8)}px`;
    this.tip.style.top = `${Math.min(y + 14, window.innerHeight - this.tip.offsetHeight - 8)}px`;
  }

  hideTip() { this.tip.hidden = true; }

  destroy() {
    this.observer.disconnect();
    this.system.removeEventListener("change", this.repaint);
    window.diptychPictures.delete(this);
    this.views.forEach((view) => view.network.destroy());
    this.root.remove();
  }
}
