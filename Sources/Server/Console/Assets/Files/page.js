// What every page needs: the reader's own time, copy buttons, the search key, live parts.

/** The token that the server wants with each change. */
export const formToken = () => document.querySelector("meta[name=form-token]")?.content ?? "";

/** The address of a call of the server's API, by its path. */
export const callAddress = (path) => document.body.dataset.console + "api" + path;

/**
 * What an answer of status 400 or more says. Hearth answers calls in JSON, and in plain text without a session; a page, or
 * nothing, comes from a proxy on the way.
 */
export function refusalText(status, text) {
  try {
    const { message } = JSON.parse(text).error;
    if (message) return message;
  } catch { /* not JSON */ }
  if (text.trim() && !text.trim().startsWith("<")) return text.trim().slice(0, 500);
  if (status === 413) {
    return "The proxy in front of the server refused the upload (413): raise its limit for bodies to at least 16 MiB, in nginx by “client_max_body_size 16m”.";
  }
  return `The proxy in front of the server did not pass this on, or its answer back (${status}). The log of the proxy says why.`;
}

/** Shows why something was not done. If the session has ended, a link leads to the sign-in, and what is on this page stays. */
export function showProblem(place, text, status) {
  place.textContent = text;
  if (status !== 401) return;
  const link = document.createElement("a");
  link.href = `${document.body.dataset.console}sign-in`;
  link.target = "_blank";
  link.rel = "noopener";
  link.textContent = "Sign in in another tab";
  place.append(" ", link);
}

/** A call of the API. Throws an Error with the server's own words, its HTTP status and the API's name of it if it is refused. */
export async function call(method, path, body, headers = {}) {
  const answer = await fetch(callAddress(path), {
    method, body, headers: { "X-Hearth-Form-Token": formToken(), ...headers }, redirect: "error",
  });
  const text = await answer.text();
  let value = null;
  try { value = JSON.parse(text); } catch { /* refusals without a session are plain text */ }
  if (!answer.ok) {
    const error = new Error(refusalText(answer.status, text));
    error.status = answer.status;
    error.code = value?.error?.status;
    throw error;
  }
  return value;
}

/** Writes the reader's own time behind the times in UTC. */
function showOwnTimes(root) {
  const sameDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of root.querySelectorAll("time[datetime]:not([data-own])")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.dataset.own = "";
    if (moment.getTimezoneOffset() === 0) continue;
    const small = document.createElement("small");
    small.textContent = ` (${sameDay.format(moment)})`;
    time.append(small);
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) return;
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select and copy it";
  }
  setTimeout(() => { button.textContent = name; }, 2000);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
  const search = document.getElementById("search");
  if (!search) return;
  event.preventDefault();
  // On a narrow screen the field is in the folded menu.
  if (!search.checkVisibility()) document.getElementById("menu").open = true;
  search.focus();
});

/** Fetches a page as a document: parsed by the browser, and its scripts do not run. */
export function fetchPage(address) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.timeout = 15000;
    request.onload = () => {
      const isPage = request.status === 200 && request.response?.getElementById("main");
      isPage ? done(request.response) : failed(new Error(`status ${request.status}`));
    };
    request.onerror = request.ontimeout = () => failed(new Error("no answer"));
    request.send();
  });
}

/** Replaces the live parts by those of the page as it is now. What the reader has opened or holds the focus stays. */
async function refresh() {
  const page = await fetchPage(location.href);
  for (const old of document.querySelectorAll("[data-live]")) {
    const now = page.getElementById(old.id);
    if (!now || now.outerHTML === old.dataset.last || old.contains(document.activeElement)) continue;
    const open = [...old.querySelectorAll("details")].map((item) => item.open);
    const part = document.adoptNode(now);
    part.dataset.last = part.outerHTML;
    [...part.querySelectorAll("details")].forEach((item, index) => { item.open = open[index] ?? item.open; });
    old.replaceWith(part);
    showOwnTimes(part);
  }
}

function keepLive() {
  const pauseSeconds = 5;
  const lost = document.getElementById("lost");
  let failures = 0;
  const turn = async () => {
    if (!document.hidden) {
      try {
        await refresh();
        failures = 0;
      } catch {
        failures += 1;
      }
      if (lost) lost.hidden = failures < 2;
    }
    setTimeout(turn, pauseSeconds * 1000 * Math.min(1 + failures, 6));
  };
  setTimeout(turn, pauseSeconds * 1000);
}

// What a form did is said once: a reload or a bookmark does not say it again.
if (new URLSearchParams(location.search).has("done")) {
  const address = new URL(location.href);
  for (const name of ["done", "template"]) address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
}
showOwnTimes(document);
if (document.querySelector("[data-live-page]")) keepLive();
