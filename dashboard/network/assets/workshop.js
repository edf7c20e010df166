// A network under one's hands: a click on a bar sets or clears a value, two variables are chosen, or arrows are drawn.
// The picture is one SVG, so that it can be saved; buttons of the page lie over it, so that the keyboard and a screen
// reader reach every bar. Every text goes through textContent.

import { FILES, element } from "./network_svg.js";

const MODES = { set: "Set evidence", end: "Choose X and Y", draw: "Draw" }, DOING = "Set: do(x)";
const NOTES = {
  end: "Click a variable for X, the next for Y.",
  draw: "Double-click: new variable or new name. Drag to a variable: arrow; beside it: move. Click and Delete: remove.",
};
const LETTER = 14, LEAST = 11, LARGEST = 1.12;  // pixels of a name's letters, the fewest of them on a screen; times its own size at most
const PROJECTED = 16, AIR = 46;  // pixels of a letter that a room's last row reads, and of an arrow that is still seen
const MARGIN = 6, SPARE = 80;  // pixels around the boxes, and below them while one draws
const EDGES = 2.4;  // rem between the picture, what is above and below it, and the foot of a room's screen
const PHONE = 400, LEAST_ON_PHONE = 10;  // pixels of room below which the whole picture matters more than a pixel of letters
const HIGH = 430, EMPTY = [600, 380], BOX = [140, 62];  // pixels: a picture of few rows, one without variables, and a new box
const HEAD = 27, ROW = 18, INSET = 10;  // of a box: its name, a level's row, beside its text
const BAR = 66, BAR_HIGH = 16;  // of a box with one bar
const TURN = 5;  // pixels that a pointer moves before a press is a drag
const CUT = 7;  // pixels from the middle of an arrow that is cut to the ends of its cross
const HELD = { cut: [1.7, "arrow", 8], open: [4.5, "strong", 14], blocked: [2.6, "muted", 9], plain: [1.7, "arrow", 8] };  // width, colour, head

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

const percent = (p) => `${Math.round(100 * p)}\u00a0%`;

// Where the line from the middle of a box towards a point leaves it.
function border(box, [x, y]) {
  const cx = box.x + box.width / 2, cy = box.y + box.height / 2, dx = x - cx, dy = y - cy;
  const share = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity, 1);
  return [cx + dx * share, cy + dy * share];
}

// What of the plane some boxes take.
function around(boxes) {
  const reach = (most, end) => most(...boxes.map(end));
  return {
    left: reach(Math.min, (box) => box.x) - MARGIN, top: reach(Math.min, (box) => box.y) - MARGIN,
    right: reach(Math.max, (box) => box.x + box.width) + MARGIN, bottom: reach(Math.max, (box) => box.y + box.height) + MARGIN,
  };
}

// How far boxes may be moved together, as a share of their distance: those beside each other, or those below each other.
function squeezed(nodes, axis, gap) {
  const needs = nodes.flatMap((a, i) => nodes.slice(0, i).map((b) => {
    const apart = a.at.map((v, at) => Math.abs(v - b.at[at])), size = [(a.width + b.width) / 2, (a.height + b.height) / 2];
    return apart[1 - axis] < size[1 - axis] + MARGIN ? (size[axis] + gap) / apart[axis] : 0;
  }));
  return Math.min(1, Math.max(0.4, ...needs));
}

const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];

function lock(style) {
  const group = element("g", { fill: "none", stroke: style.ink, "stroke-width": 1.3 });
  group.append(element("rect", { x: 0.5, y: 5.5, width: 10, height: 7, rx: 1, fill: style.ink }), element("path", { d: "M2.5 5.5V3.5a3 3 0 016 0v2" }));
  return group;
}

// Stands in a box that is set from outside.
function sign(style, width) {
  const group = element("g", {});
  group.append(element("rect", { width, height: 14, rx: 2, fill: style.ink }), element("text", { x: width / 2, y: 10.5, "text-anchor": "middle", "font-size": 10.5, "font-weight": 700, fill: style.paper }, "do"));
  return group;
}

class Workshop {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "dw"));
    const head = this.head = this.root.appendChild(make("div", "dw-head"));
    this.modes = head.appendChild(make("div", "dw-modes"));
    this.modes.setAttribute("role", "group");
    this.modes.setAttribute("aria-label", "What a click does");
    this.legend = head.appendChild(make("div", "dw-legend"));
    this.scroll = this.root.appendChild(make("div", "dw-scroll"));
    this.field = this.scroll.appendChild(make("div", "dw-field"));
    const foot = this.foot = this.root.appendChild(make("div", "dw-foot"));
    this.note = foot.appendChild(make("p", "dw-note"));
    const files = foot.appendChild(make("div", "dw-files"));
    this.remove = files.appendChild(make("button", "", "Delete"));
    this.remove.type = "button";
    this.remove.addEventListener("click", () => this.removePicked());
    for (const [name, { save, words }] of Object.entries(FILES)) {
      const button = files.appendChild(make("button", "", name));
      button.type = "button";
      button.title = words;
      button.addEventListener("click", () => save(this.picture(), this.data.file));
    }
    for (const [mode, words] of Object.entries(MODES)) {
      const button = this.modes.appendChild(make("button", "", words));
      button.type = "button";
      button.dataset.mode = mode;
      button.addEventListener("click", () => this.choose(mode));
    }
    this.field.addEventListener("dblclick", (event) => this.doubled(event));
    this.field.addEventListener("pointerdown", (event) => this.pressed(event));
    this.root.addEventListener("keydown", (event) => {
      if (this.mode !== "draw" || event.target.tagName === "INPUT") return;
      if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); this.removePicked(); }
      if (event.key === "Escape") this.pick(null);
    });
    this.mode = "set";
    this.tell = () => {};
    (window.diptychDrawings ??= new Set()).add(this.root);  // the projector steps through them
    const watch = new ResizeObserver(() => this.fit()), page = document.querySelector("[data-testid=stMainBlockContainer]");
    for (const one of [this.root, page]) if (one) watch.observe(one);
    window.addEventListener("resize", () => this.root.isConnected && this.fit());
  }

  update(data) {
    const focus = this.root.getRootNode().activeElement?.dataset?.place;
    this.data = data;
    for (const [name, value] of Object.entries(data.style)) this.root.style.setProperty(`--dw-${name}`, value);
    if (!data.nodes.length) this.mode = "draw";
    this.picked = null;
    this.draw();
    if (focus) this.field.querySelector(`[data-place="${focus}"]`)?.focus({ preventScroll: true });
  }

  choose(mode) {
    this.mode = mode;
    this.picked = null;
    this.draw();
  }

  draw() {
    const { data } = this;
    this.size = "";
    if (!this.root.clientWidth) return;  // not on the page yet
    this.settle();
    for (const button of this.modes.children) button.setAttribute("aria-pressed", String(button.dataset.mode === this.mode));
    this.modes.firstChild.textContent = data.doing ? DOING : MODES.set;
    this.field.classList.toggle("dw-drawing", this.mode === "draw");
    Object.assign(this.field.style, { width: `${this.width}px`, height: `${this.height}px` });
    this.svg = this.drawing();
    for (const part of [...this.field.children]) if (part.tagName !== "INPUT") part.remove();  // a name being typed stays
    this.field.prepend(this.svg, ...data.nodes.flatMap((node, place) => this.hits(node, place)));
    this.remark();
    this.remove.hidden = this.mode !== "draw";
    this.remove.disabled = !this.picked;
    this.drawLegend();
    if (this.sized() !== this.size) this.draw();  // the line above the picture has another height now
  }

  drawLegend() {
    const { style, arcs, nodes } = this.data, entries = [];
    const entry = (width, height, words, ...parts) => {
      const item = make("span"), svg = element("svg", { width, height, "aria-hidden": "true" });
      svg.append(...parts);
      item.append(svg, words);
      entries.push(item);
    };
    if (nodes.length) {
      if (this.data.doing) entry(20, 14, "set", sign(style, 20));
      else entry(12, 14, "known", lock(style));
      entry(3, 14, this.data.doing ? "where it is seen" : "prior", element("path", { d: "M1.5 0v5m0 4v5", stroke: style.ink, "stroke-width": 2.5 }));
    }
    if (arcs.some((arc) => arc.status === "cut")) entry(24, 10, "cut", element("path", { d: "M0 5h24M8 1l8 8m0-8l-8 8", stroke: style.arrow, "stroke-width": 1.7 }));
    for (const [status, words] of [["open", "open path"], ["blocked", "blocked path"]]) {
      const [width, colour] = HELD[status];
      if (arcs.some((arc) => arc.status === status)) {
        entry(24, 8, words, element("path", { d: "M0 4h24", stroke: style[colour], "stroke-width": width }));
      }
    }
    this.legend.replaceChildren(...entries);
  }

  // The picture, without what is only there to be pressed.
  drawing() {
    const { nodes, arcs, style } = this.data;
    const svg = element("svg", {
      xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${this.width} ${this.height}`, width: this.width, height: this.height,
      "font-family": style.font, "font-size": LETTER,
    });
    svg.setAttribute("aria-hidden", "true");
    const order = ["cut", "plain", "blocked", "open"];
    for (const arc of [...arcs].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))) svg.append(this.arc(arc));
    for (const node of nodes) svg.append(this.box(node));
    return svg;
  }

  arc(arc) {
    const { nodes, style } = this.data, a = nodes[arc.from], b = nodes[arc.to], [width, colour, head] = HELD[arc.status];
    const group = element("g", { class: "dw-arc" });
    const points = this.way(a, b);
    const [px, py] = points[points.length - 2], [x2, y2] = points[points.length - 1];
    const length = Math.hypot(x2 - px, y2 - py) || 1, ux = (x2 - px) / length, uy = (y2 - py) / length;
    const stop = [x2 - ux * (head - 1), y2 - uy * (head - 1)];
    const line = [...points.slice(0, -1), stop].map((point) => point.map((v) => v.toFixed(1)).join(",")).join(" ");
    group.append(element("polyline", { points: line, fill: "none", stroke: style[colour], "stroke-width": width, "stroke-linejoin": "round", ...(arc.status === "cut" && { "stroke-dasharray": "5 4" }) }));
    if (arc.status === "cut") {
      const [x, y] = points.length > 2 ? points[1] : [(points[0][0] + x2) / 2, (points[0][1] + y2) / 2];
      group.append(element("path", { d: `M${x - CUT} ${y - CUT}l${2 * CUT} ${2 * CUT}m0 ${-2 * CUT}l${-2 * CUT} ${2 * CUT}`, stroke: style.ink, "stroke-width": 2 }));
    }
    const wide = head * 0.42, back = [x2 - ux * head, y2 - uy * head];
    const corners = [[x2, y2], [back[0] - uy * wide, back[1] + ux * wide], [back[0] + uy * wide, back[1] - ux * wide]];
    group.append(element("polygon", { points: corners.map((point) => point.map((v) => v.toFixed(1)).join(",")).join(" "), fill: style[colour] }));
    if (this.mode === "draw") {
      const hit = element("polyline", { points: line, fill: "none", stroke: "transparent", "stroke-width": 16 });
      hit.addEventListener("click", (event) => { event.stopPropagation(); this.pick({ kind: "unlink", node: arc.from, other: arc.to }, group); });
      group.append(hit);
    }
    return group;
  }

  // From border to border; round a box that would lie on the line.
  way(a, b) {
    const from = middle(a), to = middle(b), start = border(a, to), end = border(b, from);
    const inTheWay = this.data.nodes.find((box) => box !== a && box !== b && crosses(start, end, box));
    if (!inTheWay) return [start, end];
    const [bx, by] = middle(inTheWay), side = Math.sign((to[0] - from[0]) * (by - from[1]) - (to[1] - from[1]) * (bx - from[0])) || 1;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const nx = (to[1] - from[1]) / length, ny = -(to[0] - from[0]) / length;
    const away = Math.abs(nx) * inTheWay.width / 2 + Math.abs(ny) * inTheWay.height / 2 + 12;
    const bend = [bx + side * nx * away, by + side * ny * away];
    return [border(a, bend), bend, border(b, bend)];
  }

  box(node) {
    const { style } = this.data, known = node.known !== null, strong = node.end || node.opening;
    const group = element("g", { transform: `translate(${node.x},${node.y})` });
    group.append(element("rect", {
      x: 0.5, y: 0.5, width: node.width - 1, height: node.height - 1, rx: 4, fill: known ? style.fill : style.paper,
      stroke: strong ? style.strong : style.quiet, "stroke-width": strong ? 2.4 : 1,
    }));
    group.append(element("text", { x: INSET, y: 20, "font-weight": 650, fill: style.ink }, node.name));
    if (node.end) group.append(element("text", { x: node.width - INSET, y: 20, "text-anchor": "end", "font-weight": 700, fill: style.ink }, node.end));
    if (known) {
      const mark = this.data.doing ? sign(style, 20) : lock(style), wide = this.data.doing ? 20 : 11;
      mark.setAttribute("transform", `translate(${node.width - INSET - wide - (node.end ? 18 : 0)},8)`);
      group.append(mark);
      if (this.data.doing) group.append(element("rect", { x: 3.5, y: 3.5, width: node.width - 7, height: node.height - 7, rx: 2, fill: "none", stroke: style.ink, "stroke-width": 1 }));
    }
    if (node.binary) {
      const level = node.levels[1];
      this.bar(group, level, known, INSET, 33, BAR, BAR_HIGH);
      group.append(element("text", { x: node.width - INSET, y: 46, "text-anchor": "end", "font-size": 13.5, fill: style.ink }, percent(level.p)));
    } else {
      node.levels.forEach((level, row) => {
        const y = HEAD + ROW * row, own = node.known === level.code;
        group.append(element("text", { x: INSET, y: y + 13, "font-size": 12, "font-weight": own ? 650 : 400, fill: style.ink }, level.name));
        this.bar(group, level, known, node.width - 68, y + 4, 32, 10);
        group.append(element("text", { x: node.width - INSET, y: y + 13, "text-anchor": "end", "font-size": 12, fill: style.ink }, percent(level.p).replace("\u00a0%", "")));
      });
    }
    return group;
  }

  bar(group, level, known, x, y, width, height) {
    const { style } = this.data, tick = x + width * level.before;
    group.append(element("rect", { x, y, width, height, fill: style.paper, stroke: style.border, "stroke-width": 0.8 }));
    group.append(element("rect", { x, y, width: (width * level.p).toFixed(2), height, fill: known ? style.known : style.strong }));
    group.append(element("path", { d: `M${tick.toFixed(1)} ${y - 5}v5m0 ${height}v5`, stroke: style.ink, "stroke-width": 2.5 }));
  }

  // What can be pressed: a bar, a level's row, or the whole box.
  hits(node, place) {
    if (this.mode !== "set") return [this.boxHit(node, place)];
    if (node.binary) {
      const level = node.levels[1];
      const next = node.known === null ? Number(level.p > 0) : node.known === 1 && !node.certain ? 0 : null;
      const hit = this.hit(node, place, [1, 24, node.width - 2, node.height - 26]);
      const now = node.known === null ? this.said(level) : `${this.data.doing ? "set" : "known"}, ${node.levels[node.known].words}`;
      const then = next === null ? "clear it" : `set ${node.levels[next].words}`;
      hit.setAttribute("aria-label", `${node.words}: ${now}; press to ${then}`);
      hit.setAttribute("aria-pressed", String(node.known !== null));
      hit.title = `${node.words}: ${now}\nClick to ${then}`;
      hit.addEventListener("click", () => this.tell({ kind: "set", node: place, level: next }));
      return [hit];
    }
    const group = make("div", "dw-group");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", node.words);
    Object.assign(group.style, { left: `${node.x}px`, top: `${node.y}px`, width: `${node.width}px`, height: `${node.height}px` });
    group.append(...node.levels.map((level, row) => {
      const known = node.known === level.code;
      const hit = this.hit({ x: 0, y: 0 }, `${place}.${row}`, [2, HEAD + ROW * row, node.width - 4, ROW]);
      const now = this.said(level);
      hit.setAttribute("aria-label", `${node.words}: ${now}${known ? `; ${this.data.doing ? "set" : "known"}, press to clear it` : ""}`);
      hit.setAttribute("aria-pressed", String(known));
      hit.title = `${node.words}: ${now}`;
      hit.addEventListener("click", () => this.tell({ kind: "set", node: place, level: known ? null : level.code }));
      return hit;
    }));
    return [group];
  }

  said(level) {
    return `${level.words} ${percent(level.p)}, ${this.data.doing ? "where it is seen" : "nothing known"} ${percent(level.before)}`;
  }

  hit(node, place, [x, y, width, height]) {
    const hit = make("button", "dw-hit");
    hit.type = "button";
    hit.dataset.place = String(place);
    Object.assign(hit.style, { left: `${node.x + x}px`, top: `${node.y + y}px`, width: `${width}px`, height: `${height}px` });
    return hit;
  }

  boxHit(node, place) {
    const hit = this.hit(node, place, [0, 0, node.width, node.height]);
    hit.dataset.node = String(place);
    if (this.mode === "end") {
      hit.setAttribute("aria-label", `${node.words}${node.end ? `, is ${node.end}` : ""}: choose it`);
      hit.addEventListener("click", () => this.tell({ kind: "end", node: place }));
      return hit;
    }
    hit.setAttribute("aria-label", `${node.words}: select it; then another for an arrow, Delete to remove it`);
    hit.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      const from = this.picked?.kind === "remove" ? this.picked.node : null;
      if (from !== null && from !== place) this.tell({ kind: "link", node: from, other: place });
      else this.pick({ kind: "remove", node: place }, hit);
    });
    return hit;
  }

  pick(event, part) {
    for (const other of this.field.querySelectorAll(".dw-picked, .dw-lit")) other.classList.remove("dw-picked", "dw-lit");
    this.picked = event;
    part?.classList.add(event.kind === "remove" ? "dw-picked" : "dw-lit");
    if (event?.kind === "unlink") part.querySelector("polyline").style.stroke = this.data.style.strong;
    this.remove.disabled = !event;
  }

  removePicked() {
    if (this.picked) this.tell(this.picked);
  }

  at(event) {
    const box = this.field.getBoundingClientRect(), scale = box.width / this.width || 1;
    return [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
  }

  // The middle of a box in the units of the page's layout, wholly within the field.
  place([x, y], { width, height } = { width: BOX[0], height: BOX[1] }) {
    const within = (at, half, most) => Math.min(Math.max(at, half + MARGIN), most - half - MARGIN);
    return { x: (within(x, width / 2, this.width) + this.left) / this.across, y: (within(y, height / 2, this.height) + this.top) / this.down };
  }

  under([x, y]) {
    return this.data.nodes.findIndex((node) => x >= node.x && x <= node.x + node.width && y >= node.y && y <= node.y + node.height);
  }

  doubled(event) {
    if (this.mode !== "draw" || event.target.tagName === "INPUT") return;
    const point = this.at(event), node = this.under(point);
    if (node < 0) return this.askName("", point, (name) => this.tell({ kind: "add", ...this.place(point), name }));
    const box = this.data.nodes[node];
    this.askName(box.own, middle(box), (name) => { if (name !== box.own) this.tell({ kind: "rename", node, name }); });
  }

  askName(text, [x, y], then) {
    const input = make("input", "dw-name");
    Object.assign(input, { value: text, maxLength: this.data.longest });
    input.setAttribute("aria-label", "Name of the variable");
    Object.assign(input.style, { left: `${x - 70}px`, top: `${y - 16}px` });
    let open = true;  // a name is given or not once: taking the field away ends its focus, too
    const end = (wanted) => {
      if (!open) return;
      open = false;
      const name = input.value.trim();
      input.remove();
      if (wanted && name) then(name);
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") end(true);
      if (event.key === "Escape") end(false);
    });
    input.addEventListener("blur", () => end(true));
    this.field.append(input);
    input.focus();
    input.select();
  }

  // A press in the drawing: on a box the beginning of an arrow or a move, beside all boxes the end of a choice.
  pressed(event) {
    if (this.mode !== "draw" || event.button !== 0 || event.target.tagName === "INPUT") return;
    const begin = this.at(event), from = this.under(begin);
    if (from < 0) { if (event.target.tagName !== "polyline") this.pick(null); return; }
    const box = this.data.nodes[from], line = element("line", { x1: begin[0], y1: begin[1], stroke: this.data.style.strong, "stroke-width": 2.4, "stroke-dasharray": "6 4" });
    let dragged = false;
    const moved = (next) => {
      const [x, y] = this.at(next);
      if (!dragged && Math.hypot(x - begin[0], y - begin[1]) < TURN) return;
      dragged = true;
      line.setAttribute("x2", x);
      line.setAttribute("y2", y);
      if (!line.isConnected) this.svg.append(line);
    };
    const over = new AbortController();
    const left = () => { over.abort(); line.remove(); };  // taken away by the browser: nothing was drawn
    const ended = (last) => {
      left();
      const point = this.at(last), to = this.under(point);
      if (!dragged) return this.pick({ kind: "remove", node: from }, this.field.querySelector(`[data-node="${from}"]`));
      if (to === from) return;
      if (to >= 0) this.tell({ kind: "link", node: from, other: to });
      else this.tell({ kind: "move", node: from, ...this.place(middle(box).map((v, i) => v + point[i] - begin[i]), box) });
    };
    for (const [type, hear] of [["pointermove", moved], ["pointerup", ended], ["pointercancel", left]]) addEventListener(type, hear, { signal: over.signal });
  }

  // What the picture's size depends on beside the network.
  sized() {
    const tall = window.diptychProjector ? this.tall() : 0;
    return [this.root.clientWidth, tall, getComputedStyle(document.documentElement).fontSize].join();
  }

  fit() {
    if (this.data && this.root.clientWidth && this.sized() !== this.size) this.draw();
  }

  // Pixels that a room's screen has left for the picture, between the page's sentence and the picture's last line.
  tall() {
    const page = document.querySelector("[data-testid=stMain]");
    if (!page) return Infinity;
    const above = this.root.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop;
    const edges = EDGES * parseFloat(getComputedStyle(document.documentElement).fontSize);
    return Math.floor(page.clientHeight - above - this.head.offsetHeight - this.foot.offsetHeight - edges);
  }

  // Where boxes stand on the page. What is shown, and how large, stays as long as no box leaves it at a side, whatever
  // is done and whichever view of the network is open; on a phone, and before a room, boxes move together.
  settle() {
    const { nodes } = this.data, room = this.root.clientWidth, last = window.diptychWorkshop;
    this.size = this.sized();
    const stand = (down) => {
      this.down = down;
      for (const node of nodes) Object.assign(node, { x: node.at[0] * this.across - node.width / 2, y: node.at[1] * down - node.height / 2 });
      return nodes.length ? around(nodes) : { left: -EMPTY[0] / 2, top: -EMPTY[1] / 2, right: EMPTY[0] / 2, bottom: EMPTY[1] / 2 };
    };
    this.across = room < PHONE ? squeezed(nodes, 0, MARGIN) : 1;
    let own = stand(1);
    const small = this.zoomed(own.right - own.left, own.bottom - own.top, room) * LETTER < PROJECTED;
    if (window.diptychProjector && small) own = stand(squeezed(nodes, 1, AIR));
    const stays = last?.size === this.size && (nodes.some((node) => String(last.at.get(node.words)) === String(node.at)) || (nodes.length === 1 && last.at.size < 2));
    const fits = stays && own.left >= last.shown.left && own.right <= last.shown.right;
    const frame = !stays ? own : {
      left: Math.min(last.frame.left, fits ? Infinity : own.left), right: Math.max(last.frame.right, fits ? -Infinity : own.right),
      top: Math.min(last.frame.top, own.top), bottom: Math.max(last.frame.bottom, own.bottom),
    };
    const width = frame.right - frame.left, height = frame.bottom - frame.top;
    const zoom = fits ? last.zoom : this.zoomed(width, height, room);
    this.width = Math.max(width, Math.floor(room / zoom));
    this.height = this.mode === "draw" && !window.diptychProjector ? Math.max(height + SPARE, EMPTY[1]) : height;
    this.left = frame.left - (this.width - width) / 2;
    this.top = frame.top;
    for (const node of nodes) Object.assign(node, { x: node.x - this.left, y: node.y - this.top });
    const at = new Map(nodes.map((node) => [node.words, node.at])), shown = { left: this.left, right: this.left + this.width };
    window.diptychWorkshop = { size: this.size, frame, shown, zoom, at };
    this.field.style.zoom = zoom;
    this.wide = width * zoom > 1.04 * room;  // what is around it may be cut off
  }

  // A picture that is larger than its room is drawn smaller, as far as its letters can be read.
  zoomed(width, height, room) {
    const least = room < PHONE ? LEAST_ON_PHONE : LEAST;
    const large = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;  // more than 1 for a room
    const most = large * Math.min(Math.max(HIGH / height, 1), LARGEST);
    const tall = window.diptychProjector ? this.tall() / height : Infinity;
    return Math.max(Math.min(room / width, most, tall), least / LETTER);
  }

  // Below the picture: what a click does, and whether some of it is outside.
  remark() {
    this.note.textContent = `${NOTES[this.mode] ?? this.data.note}${this.wide ? " Swipe or scroll sideways to see the rest." : ""}`;
  }

  picture() {
    const mode = this.mode;
    this.mode = "set";
    const svg = this.drawing();
    this.mode = mode;
    const { left, top, right, bottom } = around(this.data.nodes), box = { x: left, y: top, width: right - left, height: bottom - top };
    svg.prepend(element("rect", { ...box, fill: this.data.style.paper }));
    for (const [name, value] of Object.entries({ viewBox: Object.values(box).join(" "), width: box.width, height: box.height })) svg.setAttribute(name, value);
    return svg;
  }
}

// Whether a line from one point to another passes through a box.
function crosses([x1, y1], [x2, y2], box) {
  for (let i = 1; i < 24; i++) {
    const x = x1 + (x2 - x1) * i / 24, y = y1 + (y2 - y1) * i / 24;
    if (x > box.x + 3 && x < box.x + box.width - 3 && y > box.y + 3 && y < box.y + box.height - 3) return true;
  }
  return false;
}

const shown = new WeakMap();

export function mount({ parentElement, data, setTriggerValue }) {
  let workshop = shown.get(parentElement);
  if (!workshop) {
    workshop = new Workshop(parentElement);
    shown.set(parentElement, workshop);
  }
  workshop.tell = (event) => setTriggerValue("event", event);
  workshop.update(data);
}
