// Reads a stream of server-sent events, as the HTML standard describes it.

/** The messages of a stream of bytes: event, data and id each. */
export async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let message = {};
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line !== "") {
        take(message, line);
        continue;
      }
      if (message.data !== undefined) yield { event: "message", id: null, ...message };
      message = {};
    }
  }
}

function take(message, line) {
  const colon = line.indexOf(":");
  // A line that begins with a colon is a comment.
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (name === "data") message.data = message.data === undefined ? value : `${message.data}\n${value}`;
  else if (name === "event" || name === "id") message[name] = value;
}
