// Items as rings: the pictures come drawn; here one of them is shown, lines are left out below a size, and clicks are told.
// The pictures are made by our own drawing, which escapes every name.

import { FILES, element } from "./network_svg.js";

const LEAST_LETTER = 11, LETTER = 12;  // CSS pixels below which a letter is not read; pixels of one in the picture
const SPARE = 1.04;  // what is around a picture may be cut off
const PHONE = 400, LEAST_ON_PHONE = 10;  // pixels of room below which the whole picture matters more than a pixel of letters
const LARGEST = 1.5;  // times its own size that a picture is drawn at most
const KINDS = { lines: "Lines", arrows: "Arrows", implied: "Implied" }, LAYOUTS = { spring: "Spring", circle: "Circle", layers: "Layers" };
const MOST_SIZE = 0.6, STEP = 0.05;  // of the slider

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

class Rings {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "dr"));
    (window.diptychDrawings ??= new Set()).add(this.root);  // the projector steps through them
    this.tools = this.root.appendChild(make("div", "dr-tools"));
    this.warning = this.root.appendChild(make("p", "dr-warning"));
    this.field = this.root.appendChild(make("div", "dr-field"));
    this.note = this.root.appendChild(make("p", "dr-note"));
    const files = this.root.appendChild(make("div", "dr-files"));
    for (const [name, { save, words }] of Object.entries(FILES)) {
      const button = files.appendChild(make("button", "", name));
      button.type = "button";
      button.title = words;
      button.addEventListener("click", () => save(this.picture(), this.data.file));
    }
    this.field.addEventListener("click", (event) => this.clicked(event.target));
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.clicked(event.target); }
    });
    new ResizeObserver(() => this.fit()).observe(this.root);
    this.tell = () => {};
  }

  update(data) {
    const drawn = JSON.stringify([data.pictures, data.least, data.height, data.warning]);
    this.data = data;
    for (const [name, value] of Object.entries(data.style)) this.root.style.setProperty(`--dr-${name}`, value);
    if (drawn === this.drawn) return this.light();  // a click draws nothing anew, so that the focus stays where it is
    this.drawn = drawn;
    const layouts = Object.keys(LAYOUTS).filter((name) => data.pictures[name]);
    const kinds = Object.keys(data.pictures[layouts[0]]);
    if (!layouts.includes(this.layout)) this.layout = layouts[0];
    if (!kinds.includes(this.kind)) this.kind = kinds[0];
    this.tools.replaceChildren(
      ...(kinds.length > 1 ? [this.choice("Links", KINDS, kinds, this.kind, (name) => { this.kind = name; })] : []),
      ...(layouts.length > 1 ? [this.choice("Layout", LAYOUTS, layouts, this.layout, (name) => { this.layout = name; })] : []),
      ...(data.least === null ? [] : [this.slider()]));
    this.draw();
  }

  choice(label, words, names, chosen, choose) {
    const group = make("span", "dr-choice");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    for (const name of names) {
      const button = group.appendChild(make("button", "", words[name]));
      button.type = "button";
      button.setAttribute("aria-pressed", String(name === chosen));
      button.addEventListener("click", () => {
        choose(name);
        for (const other of group.children) other.setAttribute("aria-pressed", String(other === button));
        this.draw();
      });
    }
    return group;
  }

  slider() {
    const label = make("label", "dr-least");
    this.words = label.appendChild(make("span"));
    const input = label.appendChild(make("input"));
    Object.assign(input, { type: "range", min: "0", max: String(MOST_SIZE), step: String(STEP) });
    input.value = String(this.chosen ?? this.data.least);
    input.setAttribute("aria-label", "Draw links of at least this size");
    input.addEventListener("input", () => { this.chosen = Number(input.value); this.cut(); });
    return label;
  }

  draw() {
    this.field.innerHTML = this.data.pictures[this.layout][this.kind];
    this.svgs = [...this.field.querySelectorAll("svg")];
    for (const part of this.field.querySelectorAll(".rings-node, .rings-link")) {
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "button");
      part.setAttribute("aria-label", part.querySelector("title").textContent);
    }
    for (const svg of this.svgs) svg.setAttribute("role", "group");
    this.light();
    this.cut();
    this.fit();
  }

  // Fewer lines at once, without a run.
  cut() {
    const sized = this.kind !== "arrows" && this.data.least !== null;
    const least = sized ? this.chosen ?? this.data.least : 0;
    if (this.data.least !== null) this.tools.querySelector(".dr-least").style.display = sized ? "" : "none";
    const lines = this.kind === "lines", clear = lines && this.data.warning && this.chosen === undefined;
    this.warning.textContent = lines ? this.data.warning : "";
    if (sized) this.words.textContent = clear ? "Clear links; move for others" : `Links of at least ${least.toFixed(2).replace(/^0/, "")}`;
    const links = [...this.field.querySelectorAll(".rings-link")];
    const hidden = ({ size, kind }) => (clear ? kind.includes("pale") : Number(size) < least - 1e-9);
    for (const link of links) link.style.display = hidden(link.dataset) ? "none" : "";
    for (const sign of this.field.querySelectorAll("[data-explains]")) {
      const explained = (link) => link.style.display !== "none" && link.dataset.kind.split(" ").includes(sign.dataset.explains);
      sign.parentElement.style.display = links.some(explained) ? "" : "none";
    }
    const none = links.every((link) => link.style.display === "none");
    const other = clear ? "No link is clear; move the slider for others." : "No link is as large as that; move the slider for smaller ones.";
    this.empty = !none ? "" : links.length ? other : "No link was found.";
    this.remark();
  }

  // Below the picture: why it is empty, or that some of it is outside.
  remark() {
    this.note.textContent = this.empty || (this.wide ? "Swipe or scroll sideways to see the rest." : "");
  }

  // What is shown now, for a file: in its own size, without what was left out.
  picture() {
    const copies = this.svgs.map((svg) => this.copy(svg));
    if (copies.length === 1) return copies[0];
    const all = element("svg", { "font-family": "sans-serif", "font-size": LETTER });
    let right = 0, bottom = 0;
    copies.forEach((copy, i) => {
      const title = this.field.querySelectorAll("figcaption")[i].textContent;
      all.append(element("text", { x: right, y: 16, "font-weight": 700 }, title), copy);
      copy.setAttribute("x", right);
      copy.setAttribute("y", 24);
      right += Number(copy.getAttribute("width")) + 24;
      bottom = Math.max(bottom, Number(copy.getAttribute("height")) + 24);
    });
    for (const [key, value] of Object.entries({ viewBox: `0 0 ${right} ${bottom}`, width: right, height: bottom })) all.setAttribute(key, value);
    return all;
  }

  copy(svg) {
    const copy = svg.cloneNode(true);
    for (const part of copy.querySelectorAll("g")) if (part.style.display === "none") part.remove();
    const [, , width, height] = copy.getAttribute("viewBox").split(" ");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    return copy;
  }

  light() {
    const picked = this.data.picked.map(String);
    for (const node of this.field.querySelectorAll(".rings-node")) node.classList.toggle("dr-lit", picked.includes(node.dataset.node));
    for (const link of this.field.querySelectorAll(".rings-link")) {
      link.classList.toggle("dr-lit", picked.length === 2 && picked.includes(link.dataset.a) && picked.includes(link.dataset.b));
    }
  }

  fit() {
    const room = this.root.clientWidth, least = room < PHONE ? LEAST_ON_PHONE : LEAST_LETTER;
    this.wide = false;
    for (const svg of (room ? this.svgs ?? [] : [])) {
      const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
      const scale = Math.max(Math.min(room / width, this.data.height / height, this.svgs.length > 1 ? 1 : LARGEST), least / LETTER);
      svg.setAttribute("width", (width * scale).toFixed(2));
      svg.setAttribute("height", (height * scale).toFixed(2));
      this.wide ||= width * scale > room * SPARE;
    }
    this.remark();
  }

  clicked(target) {
    const node = target.closest?.(".rings-node"), link = target.closest?.(".rings-link");
    if (node) this.tell({ kind: "node", node: Number(node.dataset.node) });
    else if (link) this.tell({ kind: "edge", source: Number(link.dataset.a), target: Number(link.dataset.b), panel: 0 });
    else this.tell({ kind: "node", node: null });
  }
}

const shown = new WeakMap();

export function mount({ parentElement, data, setTriggerValue }) {
  let rings = shown.get(parentElement);
  if (!rings) {
    rings = new Rings(parentElement);
    shown.set(parentElement, rings);
  }
  rings.tell = (event) => setTriggerValue("event", event);
  rings.update(data);
}
