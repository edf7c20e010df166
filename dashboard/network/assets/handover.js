// Hands over the secret that this browser keeps for this server, before the server shows a page anything. A cookie goes to
// every port of a host; what is stored here goes to none, so the two together say which browser this is. What comes back
// is a new key (a cookie that no script reads), the secret to keep, and a ticket for this tab.
const NAME = `diptych.secret ${new URL(".", import.meta.url).pathname}`; // servers may share a port, not a path
const AGAIN = 1000; // ms

let asking = false;

function read() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

function write(secret) {
  try {
    localStorage.setItem(NAME, secret);
    return navigator.cookieEnabled && localStorage.getItem(NAME) === secret;
  } catch {
    return false; // this browser keeps nothing: its work ends with the tab
  }
}

async function exchange() {
  const answer = await fetch(new URL("key", import.meta.url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ secret: read() }),
  });
  if (answer.status === 403) {
    location.reload(); // its key is worth nothing any more: the landing page says what to do
  }
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  const { secret, ticket } = await answer.json();
  return { ticket, stored: write(secret) };
}

async function ask() {
  try {
    // one tab after the other: two that came at once would each get a key, and keep the secret of the other
    return await (navigator.locks ? navigator.locks.request(NAME, exchange) : exchange());
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    return ask();
  }
}

export async function mount(component) {
  if (asking) {
    return; // drawn anew meanwhile
  }
  asking = true;
  const handed = await ask();
  asking = false;
  component.setTriggerValue("handed", handed);
}
