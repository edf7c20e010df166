// A network whose boxes show how probable each level is; a click on a level sets it as known, or clears it.
// Boxes are buttons of the page, so that the keyboard and a screen reader reach them; every text goes through textContent.

import { element, sample } from "./network_svg.js";

const LOW = 800;  // CSS pixels of a screen on which all has to be small
const LETTERS = 12, LEAST = 11;  // CSS pixels of a letter, and below which it is not read
const HEAD = 8, MARK = 9;  // pixels of an arrow's head, and from the middle to the edge of its mark

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Where the line from the middle of a box towards another's leaves it.
function border(box, x, y) {
  const cx = box.x + box.width / 2, cy = box.y + box.height / 2, dx = x - cx, dy = y - cy;
  const share = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity, 1);
  return [cx + dx * share, cy + dy * share];
}

class Beliefs {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "db"));
    (window.diptychDrawings ??= new Set()).add(this.root);  // the projector steps through them
    this.tell = () => {};
  }

  update(data) {
    const focus = this.root.getRootNode().activeElement?.dataset?.place;
    this.data = data;
    for (const [name, value] of Object.entries(data.style)) this.root.style.setProperty(`--db-${name}`, value);
    const field = make("div", "db-field");
    field.style.width = `${data.width}px`;
    field.style.height = `${data.height}px`;
    field.append(this.arcs(), ...data.nodes.map((node, place) => this.node(node, place)));
    const legend = make("div", "db-legend");
    legend.append(...data.legend.map((entry) => {
      const item = make("span");
      if (entry.kind) item.append(sample(entry, data.style));
      item.append(make("span", "", entry.words));
      return item;
    }));
    this.note = make("div", "db-note");
    this.root.replaceChildren(this.note, field, legend);
    this.fit(field);
    this.watch ??= new ResizeObserver(() => this.fit(this.root.querySelector(".db-field")));
    this.watch.observe(this.root);
    if (focus) this.root.querySelector(`[data-place="${focus}"]`)?.focus();
  }

  // A field that is wider than its card, or on a low screen, is drawn smaller, as far as its letters can be read.
  fit(field) {
    const room = this.root.clientWidth;
    if (room) field.style.zoom = innerHeight < LOW ? LEAST / LETTERS : Math.max(Math.min(room / this.data.width, 1), LEAST / LETTERS);
    const wide = room && this.data.width * field.style.zoom > room + 1;
    this.note.textContent = wide ? "Swipe or scroll sideways to see the rest." : "";
  }

  arcs() {
    const svg = element("svg", { width: this.data.width, height: this.data.height, "aria-hidden": "true" });
    for (const arc of this.data.arcs) {
      const a = this.data.nodes[arc.from], b = this.data.nodes[arc.to];
      const [x1, y1] = border(a, b.x + b.width / 2, b.y + b.height / 2);
      const [x2, y2] = border(b, a.x + a.width / 2, a.y + a.height / 2);
      const length = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / length, uy = (y2 - y1) / length;
      const short = arc.directed ? HEAD : 0;
      svg.append(element("line", {
        x1, y1, x2: x2 - ux * short, y2: y2 - uy * short, stroke: arc.colour, "stroke-width": arc.width, "stroke-dasharray": arc.dash.join(" "),
      }));
      const [bx, by] = [x2 - ux * (HEAD + 2), y2 - uy * (HEAD + 2)];
      const head = [[x2, y2], [bx - uy * 4.5, by + ux * 4.5], [bx + uy * 4.5, by - ux * 4.5]];
      if (arc.directed) svg.append(element("polygon", { points: head.map((point) => point.join(",")).join(" "), fill: arc.colour }));
      if (!arc.mark) continue;
      const away = Math.min(length / 2, Math.max(MARK, length - HEAD - MARK));  // the head of a short arrow stays in sight
      const x = x1 + ux * away, y = y1 + uy * away;
      svg.append(
        element("circle", { cx: x, cy: y, r: MARK, fill: this.data.style.paper, stroke: this.data.style.ink, "stroke-width": 1.4 }),
        element("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 14, "font-weight": 700, fill: this.data.style.ink }, arc.mark),
      );
    }
    return svg;
  }

  node(node, place) {
    const box = make("div", "db-node");
    box.classList.toggle("db-known", node.known !== null);
    box.classList.toggle("db-outcome", node.outcome);
    box.classList.toggle("db-unexpected", node.unexpected);
    Object.assign(box.style, { left: `${node.x}px`, top: `${node.y}px`, width: `${node.width}px`, height: `${node.height}px` });
    box.setAttribute("role", "radiogroup");
    box.setAttribute("aria-label", node.words);
    const name = box.appendChild(make("div", "db-name", `${node.unexpected ? "▲ " : ""}${node.name}`));
    name.title = node.words;
    box.append(...node.levels.map((level, number) => this.level(node, place, level, number)));
    return box;
  }

  level(node, place, level, number) {
    const row = make("button", "db-level");
    const known = node.known === level.code, open = node.known === null, first = open ? number === 0 : known;
    row.type = "button";
    row.dataset.place = `${place}.${number}`;
    row.setAttribute("role", "radio");
    row.setAttribute("aria-checked", String(known));
    row.tabIndex = first ? 0 : -1;
    const p = level.p === null ? "" : String(Math.round(100 * level.p));
    const given = p ? `${p} % given the others, ` : "";
    const share = open ? (p ? `${p} %, ` : "not worked out, ") : known ? `${node.said || "known"}, ${given}` : given;
    row.title = `${level.words}: ${share}everybody ${Math.round(100 * level.everybody)} %`;
    row.setAttribute("aria-label", row.title);
    row.append(make("span", "db-word", level.name));
    if (open) {  // where the value is known nothing is predicted, so that no bar can be read as a risk: its own share alone
      const bar = make("span", "db-bar"), part = bar.appendChild(make("span", "db-share")), tick = bar.appendChild(make("span", "db-tick"));
      part.style.width = `${100 * (level.p ?? 0)}%`;
      tick.style.left = `${100 * level.everybody}%`;
      row.append(bar, make("span", "db-number", p));
    } else if (known) row.append(make("span", "db-said", node.said), make("span", "db-number", p && `${p} %`));
    row.addEventListener("click", () => this.tell({ node: place, level: known ? null : level.code }));
    row.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const rows = [...row.parentElement.querySelectorAll(".db-level")];
      rows[(number + step + rows.length) % rows.length].focus();
    });
    return row;
  }
}

const shown = new WeakMap();

export function mount({ parentElement, data, setTriggerValue }) {
  let beliefs = shown.get(parentElement);
  if (!beliefs) {
    beliefs = new Beliefs(parentElement);
    shown.set(parentElement, beliefs);
  }
  beliefs.tell = (event) => setTriggerValue("set", event);
  beliefs.update(data);
}
