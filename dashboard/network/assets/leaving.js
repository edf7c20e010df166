// Asks before the page is left while results are not saved. The browser's own words are shown, not ours.
let unsaved = false;

window.addEventListener("beforeunload", (event) => {
  if (unsaved) {
    event.preventDefault();
  }
});

export function mount(component) {
  unsaved = Boolean(component.data && component.data.unsaved);
}
