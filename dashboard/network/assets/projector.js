// One picture at a time for a room: arrow keys step through networks and charts, a bar says where we are, Escape leaves.

const CHARTS = "[data-testid='stPlotlyChart']";
const OWN_ARROWS = "input, textarea, select, [contenteditable='true'], [role='slider'], [role='tab'], [role='radio'], [role='grid']";
const bars = new WeakMap();
const TRIES = 6;  // a page is laid out anew for the room; so often its first network is looked for
const LATER = 300;  // ms after which a place that was taken off the page is gone

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Every panel of every network and every chart that is on the page and can be seen, from top to bottom.
function pictures() {
  const seen = (element) => element.isConnected && element.getClientRects().length > 0;
  const networks = [...(window.diptychPictures || [])].filter((one) => seen(one.root));
  const found = networks.flatMap((one) => one.views.map((_, i) => ({ element: one.root, at: i, show: () => one.show(i) })));
  const whole = (element) => ({ element, at: 0, show: () => {} });
  for (const root of window.diptychDrawings || []) if (seen(root)) found.push(whole(root));
  for (const chart of document.querySelectorAll(CHARTS)) if (seen(chart)) found.push({ ...whole(chart), chart: true });
  const top = ({ element }) => element.getBoundingClientRect().top;
  return found.sort((a, b) => top(a) - top(b) || a.at - b.at);
}

class Projector {
  constructor(parent, leave) {
    this.leave = leave;
    this.current = null;
    this.bar = parent.appendChild(make("div", "dp-bar"));
    this.bar.setAttribute("role", "toolbar");
    this.bar.setAttribute("aria-label", "Projector");
    this.bar.tabIndex = -1;
    this.button("‹", "Previous picture (left arrow)", () => this.step(-1));
    this.place = this.bar.appendChild(make("span", "dp-place"));
    this.place.setAttribute("aria-live", "polite");
    this.button("›", "Next picture (right arrow)", () => this.step(1));
    this.button("Leave (Esc)", "Back to the page as it was", () => this.leave());
    this.keys = (event) => this.pressed(event);
    window.addEventListener("keydown", this.keys, { capture: true });
    window.diptychProjector = true;
    for (const one of window.diptychPictures || []) one.project(true);
    window.dispatchEvent(new Event("resize"));  // a picture that fills the screen has another one now
    this.tries = TRIES;
    this.watch = setInterval(() => { this.begin(); this.say(); }, 600);  // answers come and go while it is on
    this.bar.focus({ preventScroll: true });
    this.say();
  }

  button(words, hint, action) {
    const one = this.bar.appendChild(make("button", "", words));
    one.type = "button";
    one.title = hint;
    one.setAttribute("aria-label", hint);
    one.addEventListener("click", action);
  }

  pressed(event) {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const target = event.composedPath()[0];
    if ((way === undefined && event.key !== "Escape") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (target instanceof Element && target.closest(OWN_ARROWS)) return;  // they have their own use for these keys
    event.preventDefault();
    event.stopPropagation();  // vis would move its picture
    if (way === undefined) this.leave(); else this.step(way);
  }

  where(all) {
    const { element, at } = this.current || {};
    return all.findIndex((one) => one.element === element && one.at === at);
  }

  step(way) {
    const all = pictures(), now = this.where(all);
    this.see(all[Math.min(Math.max(now + way, 0), all.length - 1)]);
  }

  // The first network, however far down; a page without one begins at its first chart.
  begin() {
    if (this.current || this.tries === 0) return;
    this.tries -= 1;
    const all = pictures(), network = all.find((one) => !one.chart);
    if (network || this.tries === 0) this.see(network ?? all[0]);
  }

  see(picture) {
    if (!picture) return;
    this.current = picture;
    picture.show();
    requestAnimationFrame(() => {
      const { element } = this.current, { top, bottom, height } = element.getBoundingClientRect();
      if (top >= 0 && bottom <= this.bar.getBoundingClientRect().top) return;  // it is whole where it is
      element.scrollIntoView({ block: height < window.innerHeight ? "center" : "start" });
    });
    this.say();
  }

  say() {
    const all = pictures(), now = this.where(all);
    const words = all.length ? `${now < 0 ? "–" : now + 1} of ${all.length}` : "no picture";
    if (this.place.textContent !== words) this.place.textContent = words;
  }

  destroy() {
    clearInterval(this.watch);
    window.removeEventListener("keydown", this.keys, { capture: true });
    window.diptychProjector = false;
    for (const one of window.diptychPictures || []) one.project(false);
    this.bar.remove();
    window.dispatchEvent(new Event("resize"));
  }
}

export function mount({ parentElement, setTriggerValue }) {
  let bar = bars.get(parentElement);
  if (!bar) {
    bar = new Projector(parentElement, () => bar.tell());
    bars.set(parentElement, bar);
  }
  bar.tell = () => setTriggerValue("leave", true);
  return () => {
    // Streamlit may end a mount after the next one has begun in the same place: what is still on the page stays
    const end = () => {
      if (parentElement.isConnected || bars.get(parentElement) !== bar) return;
      bars.delete(parentElement);
      bar.destroy();
    };
    end();
    setTimeout(end, LATER);
  };
}
