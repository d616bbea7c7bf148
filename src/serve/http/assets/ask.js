// Questions to the server.

/** A question's answer as JSON; what the server refuses is thrown. */
export async function ask(path, parameters = {}, options = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  }
  const text = query.toString();
  let response;
  try {
    response = await fetch(text ? `${path}?${text}` : path, { headers: { accept: "application/json" }, ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.error ?? `the server says ${response.status}`);
  return answer;
}

/** Sends something. */
export const send = (path, body) => ask(path, {}, { method: "POST", body });
