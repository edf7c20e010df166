// Asks before the page is left while results are not saved (in the browser's own words), and notices when the server
// was started again: Streamlit would go on showing the old page as if nothing had happened. Notices too when the page
// turned light or dark: the charts are drawn in Python, so the page has to run anew. On a phone the list of pages,
// which covers the page there, goes away once a page is chosen.
const EVERY = 4000; // ms
const GLANCE = 500; // ms
const PHONE = 640; // px
const STAYS = 6; // glances that a closed list of pages has to last

let unsaved = false;
let wake = () => {};
let known = null; // the server that drew this page
let latest = null; // the one that answered last
let paper = ""; // the colour of the page
let place = new URL(performance.getEntriesByType("navigation")[0].name).pathname; // the page that is shown

window.addEventListener("beforeunload", (event) => {
  if (unsaved) {
    event.preventDefault();
  }
});

async function look() {
  try {
    const answer = await fetch(new URL("boot", import.meta.url), { cache: "no-store" });
    if (answer.status === 403) {
      unsaved = false; // the session is gone with the server that had it
      location.reload(); // this one wants its link first
      return;
    }
    latest = await answer.text();
    known = known ?? latest;
    if (known !== latest) {
      wake(); // again and again until the page is drawn: the connection may not stand yet
    }
  } catch {
    // no server just now; it is asked again
  }
}

function compare() {
  const page = document.querySelector("[data-testid=stApp]");
  const colour = page ? getComputedStyle(page).backgroundColor : paper;
  if (paper && colour !== paper) {
    wake();
  }
  paper = colour;
  if (location.pathname !== place) {
    place = location.pathname;
    foldMenu(); // the press that chose it may have come before this was here
  }
}

function foldMenu(closed = 0) {
  if (innerWidth > PHONE) {
    return;
  }
  // a list that is just being opened takes no notice, and a slow page opens it again: asked until it stays closed
  const stays = document.querySelector("[data-testid=stSidebar]")?.getAttribute("aria-expanded") === "false";
  if (!stays) {
    document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  }
  if (closed < STAYS) {
    setTimeout(foldMenu, GLANCE / 2, stays ? closed + 1 : 0);
  }
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-testid=stSidebarNavLink]")) {
    foldMenu();
  }
});
look();
setInterval(look, EVERY);
setInterval(compare, GLANCE);

export function mount(component) {
  unsaved = Boolean(component.data && component.data.unsaved);
  if (component.data && component.data.alone) {
    return; // said between two runs of the page: what wakes it stays
  }
  known = latest;
  wake = () => component.setTriggerValue("restarted", Date.now());
}
