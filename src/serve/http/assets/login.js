// The page that asks for the token, and the one that was opened with it.

import { login, remember, secret } from "./session.js";

const RETRIED = "loatune-retried";
const RETRY_PAUSE = 5000;

const given = document.querySelector('meta[name="loatune-session"]');
if (given) {
  remember(given.content);
  // The address with the token stays in no history.
  location.replace("/");
}

const form = document.getElementById("login");

/** The page that was asked for, or the overview. */
function destination() {
  const isElsewhere = location.pathname === "/login" || location.search.includes("token=");
  return isElsewhere ? "/" : location.pathname + location.search;
}

// A browser that comes from another site leaves the cookie at home, and sends it
// when the page asks itself. Where it has none, asking again does not help.
function retry() {
  if (!form || !secret() || location.pathname === "/login") return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(RETRIED) ?? 0) < RETRY_PAUSE) return;
    sessionStorage.setItem(RETRIED, String(Date.now()));
  } catch {
    return;
  }
  location.replace(destination());
}
retry();

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = document.getElementById("token");
  const problem = document.getElementById("problem");
  problem.hidden = true;
  try {
    await login(field.value.trim());
    location.replace(destination());
  } catch (error) {
    problem.hidden = false;
    problem.textContent = error.message;
    field.select();
  }
});
