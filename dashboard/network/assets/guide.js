// Links to the guide, wherever they stand, are followed within this tab: a second one would have no work of its own.
// A page of the guide begins at its top, or at the heading that the link named.
const PATIENCE = 3000; // ms to wait for a page to be drawn
let follow = () => {};
let shown = null; // the page that the guide showed last
let heading = ""; // where the link that was pressed leads within its page

document.addEventListener("click", (event) => {
  const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
  const target = link && link.getAttribute("href");
  const apart = event.button || event.ctrlKey || event.metaKey || event.shiftKey; // wanted in a tab of its own
  if (!target || !target.startsWith("guide?page=") || apart || event.defaultPrevented) {
    return; // the last: Streamlit has followed a link of its own already
  }
  event.preventDefault();
  const address = new URL(target, window.location.href);
  heading = address.hash.slice(1);
  const page = address.searchParams.get("page");
  if (page === shown) {
    go(Date.now());
  } else {
    follow({ page, time: Date.now() });
  }
});

function go(since) {
  const place = heading && document.getElementById(heading);
  if (place) {
    place.scrollIntoView();
    heading = "";
  } else if (heading && Date.now() - since < PATIENCE) {
    setTimeout(() => go(since), 100);
  } else {
    document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  }
}

export function mount(component) {
  follow = (link) => component.setTriggerValue("followed", link);
  const page = component.data && component.data.page;
  if (page && shown !== null && page !== shown) {
    go(Date.now());
  }
  shown = page;
}
