// The session of this page. Its secret is kept in the storage of this origin,
// which other servers of this host cannot read, and goes with every question in
// a header. A cookie could not do that: browsers send it to every port.

const KEY = "loatune-session";

/** The secret, where there is a session. */
export function secret() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps the secret of a session. */
export function remember(text) {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    throw new Error("this browser keeps nothing for this page, and so no session");
  }
}

export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // There was nothing to forget.
  }
}

/** A question to the server, with the session where there is one. */
export function authorized(path, options = {}) {
  const own = secret();
  const headers = own ? { ...options.headers, authorization: `Bearer ${own}` } : options.headers;
  return fetch(path, { cache: "no-store", ...options, headers });
}

/** Goes to the page that asks for the token. */
export function toLogin() {
  forget();
  location.assign("/login");
}

/** Exchanges the token for a session. */
export async function login(token) {
  let response;
  try {
    response = await fetch("/api/login", { method: "POST", headers: { authorization: `Bearer ${token}` } });
  } catch {
    throw new Error("The server does not answer.");
  }
  if (response.status === 401) throw new Error("That is not the token of this population.");
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.error ?? `The server says ${response.status}.`);
  remember(answer.session);
}

/** Ends the session, here and at the server. */
export async function logout() {
  try {
    await authorized("/api/logout", { method: "POST" });
  } finally {
    forget();
  }
}
