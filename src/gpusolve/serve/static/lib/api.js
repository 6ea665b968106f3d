// Requests to the server: each command is POST /api/<game>/<command> with its options as JSON.

const JSON_TYPE = { "Content-Type": "application/json" };

async function post(path, body, signal, accept) {
  const response = await fetch(`/api/${path}`, {
    method: "POST",
    headers: { ...JSON_TYPE, Accept: accept },
    body: JSON.stringify(body),
    signal,
  });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({ error: response.statusText }));
  throw new Error(error);
}

/** Return an answer. Throws an Error if it only says why there is no solution. */
function solved(answer) {
  if (answer.no_solution) throw new Error(answer.no_solution);
  return answer;
}

/** Return the answer to a short request. Throws an Error with one line if there is none. */
export async function call(path, body, signal) {
  return solved(await (await post(path, body, signal, "application/json")).json());
}

/**
 * Follow a long request, and return its answer. `news` gets the name and the content of each event on the way:
 * waiting, progress and object. Aborting the signal ends the search on the server.
 */
export async function follow(path, body, news, signal) {
  const response = await post(path, body, signal, "text/event-stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the connection to the server ended");
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1];
      if (!name) continue; // a comment that keeps the connection open
      const content = JSON.parse(/^data: (.*)$/m.exec(event)[1]);
      if (name === "result") return solved(content);
      if (name === "error") throw new Error(content.error);
      news(name, content);
    }
  }
}

/** Return the names of the word lists, shipped and downloaded, of the user's own lists, and of the files in the server's folder. */
export async function names() {
  return (await fetch("/names.json")).json();
}
