// Live forms: a form with data-live asks for its own address again while it is changed, and puts the new page in place
// of the old one. Without this file the same form has a button. Nothing is asked of any other server.
let asked = 0;
let waiting = 0;
const here = () => location.pathname + location.search;
let shown = here();

const address = (form) => {
  const url = new URL(form.action, location.href);
  url.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== "")).toString();
  return url;
};

const place = () => {
  const now = document.activeElement;
  return now && now.id ? { id: now.id, start: now.selectionStart, end: now.selectionEnd } : null;
};

const back = (kept) => {
  const field = kept && document.getElementById(kept.id);
  if (!field) return;
  field.focus({ preventScroll: true });
  try {
    if (kept.start !== null && kept.start !== undefined) field.setSelectionRange(kept.start, kept.end);
  } catch {
    // Numbers and sliders have no selection.
  }
};

// A picture that can be explored gets a button. The drawing library is asked for when somebody presses it, not before.
const explored = new Set();

const offer = () => {
  for (const figure of document.querySelectorAll("figure[data-drawing]")) {
    const button = document.createElement("button");
    const words = `Explore this picture: ${figure.dataset.title.toLowerCase()}`;
    let close = null;
    const toggle = async () => {
      button.disabled = true;
      if (close) {
        close();
        close = null;
        explored.delete(figure.id);
      } else {
        explored.add(figure.id);
        close = await (await import("./exploring.js")).explore(figure);
      }
      button.textContent = close ? "Show the picture as it was" : words;
      button.disabled = false;
    };
    Object.assign(button, { type: "button", className: "second", textContent: words });
    button.addEventListener("click", toggle);
    figure.append(button);
    if (explored.has(figure.id)) toggle(); // It was open before the form was changed.
  }
};
offer();

const show = async (url, { keep, remember }) => {
  const mine = ++asked;
  let text;
  try {
    text = await (await fetch(url, { headers: { Accept: "text/html" } })).text();
  } catch {
    return; // The server is away: the page stays as it is.
  }
  if (mine !== asked) return; // A newer question is on its way.
  const next = new DOMParser().parseFromString(text, "text/html");
  const main = next.querySelector("main");
  if (!main) return location.assign(url);
  const kept = keep ? place() : null;
  const open = [...document.querySelectorAll("main details[open][id]")].map((each) => each.id);
  document.querySelector("main").replaceWith(main);
  document.title = next.title;
  offer();
  open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  if (remember) history.replaceState({}, "", url);
  shown = here();
  back(kept);
};

document.addEventListener("input", (event) => {
  const twin = event.target.dataset?.twin && document.getElementById(event.target.dataset.twin);
  if (twin) twin.value = event.target.value; // A slider and its number box say the same.
  const form = event.target.form;
  if (!form?.matches("form[data-live]")) return;
  asked++; // An answer that is on its way would undo what is typed now.
  clearTimeout(waiting);
  waiting = setTimeout(() => show(address(form), { keep: true, remember: true }), 150);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("form[data-live]")) {
    event.preventDefault();
    clearTimeout(waiting);
    const url = address(form);
    history.pushState({}, "", url);
    show(url, { keep: true, remember: false });
  } else if (form.method === "post") {
    // A second click sends nothing more; a server that gets a form twice still makes one entry.
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  }
});

addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));
addEventListener("popstate", () => {
  // A link within the page changes nothing of what is asked.
  if (here() !== shown) show(location.href, { keep: false, remember: false });
});
