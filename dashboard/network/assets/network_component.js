// The bridge to Streamlit: loads the drawing script once a page, keeps one `Panels` for each place on it.

import { Panels } from "./network.js";

let library;
const shown = new WeakMap();
const LATER = 300;  // ms after which a place that was taken off the page is gone

function load() {
  library ??= new Promise((resolve, reject) => {
    if (window.vis) return resolve(window.vis);
    const script = document.createElement("script");
    script.src = new URL("./vis-network.js", import.meta.url).href;
    script.onload = () => resolve(window.vis);
    script.onerror = () => reject(new Error("The drawing script did not load; reload the page."));
    document.head.append(script);
    return undefined;
  });
  return library;
}

export async function mount({ parentElement, data, setTriggerValue }) {
  const vis = await load();
  let panels = shown.get(parentElement);
  if (!panels) {
    panels = new Panels(parentElement, vis, (event) => panels.tell(event));
    shown.set(parentElement, panels);
  }
  panels.tell = (event) => setTriggerValue("event", event);
  panels.update(structuredClone(data));
  return () => {
    // Streamlit may end a mount after the next one has begun in the same place: what is still on the page stays
    const end = () => {
      if (parentElement.isConnected || shown.get(parentElement) !== panels) return;
      shown.delete(parentElement);
      panels.destroy();
    };
    end();
    setTimeout(end, LATER);
  };
}
