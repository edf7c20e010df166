// The first page of a server that is opened by a link with a token: posts the token, takes it out of the address, and
// goes on. A browser that came by the link before goes on without one: after a link from elsewhere it sends no key with
// the page itself, but it does with what this page posts.
const NAME = `diptych.secret ${new URL(".", import.meta.url).pathname}`; // servers may share a port, not a path
const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
const words = document.getElementById("words");
history.replaceState(null, "", location.pathname + location.search);
addEventListener("hashchange", () => location.reload()); // the link put into this tab's address loads nothing anew

try {
  let secret = "";
  try {
    secret = localStorage.getItem(NAME) ?? "";
  } catch {
    // this browser keeps nothing; the page says so below
  }
  const answer = await fetch(new URL("token", import.meta.url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token, secret }),
  });
  if (answer.ok) {
    try {
      localStorage.setItem(NAME, (await answer.json()).secret);
      location.reload();
    } catch {
      words.textContent = "This browser keeps nothing for pages, so Diptych cannot know it again. Allow it, and load this page anew.";
    }
  } else {
    words.textContent = token
      ? "This link is not the one of the server that runs now. Ask for the new one."
      : "This server is opened by its link. Use the link that you were given; after signing out, use it once more.";
  }
} catch {
  words.textContent = "The server cannot be reached. Load this page anew in a while.";
}
