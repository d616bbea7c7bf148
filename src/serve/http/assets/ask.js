// Questions to the server.

import { authorized, toLogin } from "./session.js";

/** The server's answer; what it refuses is thrown. */
async function answered(path, options = {}) {
  let response;
  try {
    response = await authorized(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer");
  }
  if (response.ok) return response;
  if (response.status === 401) toLogin();
  const answer = await response.json().catch(() => null);
  throw Object.assign(new Error(answer?.error ?? `the server says ${response.status}`), { status: response.status });
}

/** A question's answer as JSON. */
export async function ask(path, parameters = {}, options = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  }
  const text = query.toString();
  const response = await answered(text ? `${path}?${text}` : path, { headers: { accept: "application/json" }, ...options });
  // An answer without a body is null; one that is not waited for any more is not.
  return response.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return null;
  });
}

/** What a server says that has too much to do. */
const BUSY = 503;

/** The longest pause before a busy server is asked again, in milliseconds, and how often. */
const LONGEST_PAUSE = 2000;
const TRIES = 8;

/** A search's answer: asked again, after growing pauses, while the engine is busy. */
export async function askEngine(path, parameters = {}, options = {}) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(path, parameters, options);
    } catch (error) {
      if (error.status !== BUSY || tries === TRIES) throw error;
    }
    await new Promise((done) => setTimeout(done, Math.min(LONGEST_PAUSE, 150 * 2 ** tries)));
    options.signal?.throwIfAborted();
  }
}

/** Sends something. */
export const send = (path, body) => ask(path, {}, { method: "POST", body });

/** A stream of events. */
export const listen = (path, signal) => answered(path, { headers: { accept: "text/event-stream" }, signal });

/** A picture, once it can be shown. */
export async function picture(path) {
  const response = await answered(path);
  const address = URL.createObjectURL(await response.blob());
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  return image;
}

/** Saves a file that a link leads to. */
export async function save(link) {
  const response = await answered(link.href);
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const address = URL.createObjectURL(await response.blob());
  const saved = document.createElement("a");
  saved.href = address;
  saved.download = link.download || named || "";
  saved.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}
