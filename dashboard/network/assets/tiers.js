// Columns of the table in the order of time: dragged from box to box, or moved by the arrows on each.

const MOST = 60;  // cards of a box that are drawn; of more one looks for a column by its name

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

class Board {
  constructor(parent, tell) {
    this.tell = tell;
    this.words = new Map();  // box -> what was typed to look for a column in it
    this.root = parent.appendChild(make("div", "dt-board"));
  }

  show({ names, boxes, titles }) {
    const asked = JSON.stringify([names, boxes, titles]);
    if (asked === this.asked) return;  // a run of the page that changes nothing must not take a card out of the hand
    this.asked = asked;
    this.names = names;
    this.boxes = boxes.map((one) => [...one]);
    this.titles = titles;
    this.draw();
  }

  draw(focus) {
    this.root.replaceChildren(...this.boxes.map((cards, at) => this.box(cards, at)));
    if (focus !== undefined) this.root.querySelector(`[data-card="${focus}"]`)?.focus();
  }

  box(cards, at) {
    const box = make("section", at ? "dt-box" : "dt-box dt-rest");
    box.setAttribute("aria-label", this.titles[at]);
    box.append(make("h4", "", this.titles[at]));
    const list = box.appendChild(make("div", "dt-cards"));
    if (cards.length > MOST) list.before(this.search(list, cards, at));
    this.fill(list, cards, at);
    box.addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("dt-over"); });
    box.addEventListener("dragleave", () => box.classList.remove("dt-over"));
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      box.classList.remove("dt-over");
      if (this.held !== undefined) this.move(this.held, at);
    });
    return box;
  }

  fill(list, cards, at) {
    const typed = cards.length > MOST ? (this.words.get(at) ?? "").trim().toLowerCase() : "";
    const fit = typed ? cards.filter((card) => this.names[card].toLowerCase().includes(typed)) : cards;
    list.replaceChildren(...fit.slice(0, MOST).map((card) => this.card(card, at)));
    const rest = fit.length - MOST;
    if (!cards.length) list.append(make("p", "dt-empty", at ? "Drag columns here" : "All columns have a place"));
    else if (!fit.length) list.append(make("p", "dt-empty", "No column is called so"));
    else if (rest > 0) list.append(make("p", "dt-empty", `and ${rest.toLocaleString("en")} more: find them by name`));
  }

  search(list, cards, at) {
    const input = make("input", "dt-find");
    input.type = "search";
    input.placeholder = "Find a column";
    input.value = this.words.get(at) ?? "";
    input.setAttribute("aria-label", `Find a column in ${this.titles[at]}`);
    input.addEventListener("input", () => { this.words.set(at, input.value); this.fill(list, cards, at); });
    return input;
  }

  card(card, at) {
    const one = make("div", "dt-card");
    one.draggable = true;
    one.tabIndex = 0;
    one.dataset.card = card;
    one.title = this.names[card];
    one.setAttribute("role", "group");
    one.setAttribute("aria-label", `${this.names[card]}, in ${this.titles[at]}; arrow keys move it`);
    one.append(this.step("‹", card, at, -1), make("span", "dt-name", this.names[card]), this.step("›", card, at, 1));
    one.addEventListener("dragstart", (event) => { this.held = card; event.dataTransfer.setData("text/plain", ""); });
    one.addEventListener("dragend", () => { this.held = undefined; });
    one.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (way === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.move(card, at + way);
    });
    return one;
  }

  step(sign, card, at, way) {
    const button = make("button", "dt-step", sign);
    const to = at + way;
    button.type = "button";
    button.tabIndex = -1;
    button.disabled = to < 0 || to >= this.boxes.length;
    button.setAttribute("aria-label", button.disabled ? "No box on this side" : `Move to ${this.titles[to]}`);
    button.addEventListener("click", () => this.move(card, to));
    return button;
  }

  move(card, to) {
    if (to < 0 || to >= this.boxes.length || this.boxes[to].includes(card)) return;
    this.boxes = this.boxes.map((cards) => cards.filter((one) => one !== card));
    this.boxes[to].push(card);
    this.asked = JSON.stringify([this.names, this.boxes, this.titles]);
    this.draw(card);
    this.tell(this.boxes);
  }
}

const boards = new WeakMap();

export function mount(component) {
  const { parentElement, data } = component;
  let board = boards.get(parentElement);
  if (!board) boards.set(parentElement, (board = new Board(parentElement, () => {})));
  board.tell = (boxes) => component.setTriggerValue("moved", { boxes });
  if (data) board.show(data);
}
