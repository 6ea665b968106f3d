// Requests to the server: each command is POST /api/<game>/<command> with its options as JSON.
//
// The answer comes as a stream of events, so that the page can say where a request is. A request that fails although
// nothing is wrong with it is made again, and at last waits for a person to try it again.

import { Work } from "./work.js";

const PAUSES = [1, 2, 4, 8, 16]; // seconds before each further try
const SILENCE = 45_000; // milliseconds without a sign of life, which the server sends every 15 seconds
const SHORT = 10; // seconds for a request that has the process for short ones

/** An answer that could not be had. `again` says whether another try can help, and `pause` after how many seconds. */
class Failure extends Error {
  constructor(text, { again = false, pause, overdue = false } = {}) {
    super(text);
    Object.assign(this, { again, pause, overdue });
  }
}

/** Whether a request that got this status may succeed later: the server was busy, or one of its processes was ended. */
const passes = (status) => [408, 429, 500, 502, 503, 504].includes(status);

/** Send a request, and return its response. Throws a Failure. */
async function send(address, options, signal) {
  const response = await fetch(address, { ...options, signal }).catch((error) => {
    throw signal?.aborted ? error : new Failure("the server does not answer", { again: true });
  });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({ error: response.statusText }));
  throw new Failure(error, { again: passes(response.status), pause: Number(response.headers.get("Retry-After")) || undefined });
}

/** Return a signal that is aborted with another one, or when nothing has come for a while: `alive()` starts anew. */
function watched(signal) {
  const own = new AbortController();
  let timer;
  const stop = () => own.abort(signal.reason);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(), SILENCE);
  };
  alive();
  return { signal: own.signal, alive, end: () => { clearTimeout(timer); signal?.removeEventListener("abort", stop); } };
}

/** Make a request once, and return its answer. Throws a Failure. */
async function once(path, body, news, given, long) {
  const { signal, alive, end } = watched(given);
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream", ...(long ? {} : { Prefer: `wait=${SHORT}` }) };
  try {
    const response = await send(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) }, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      alive();
      text += value;
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) {
        const name = /^event: (.*)$/m.exec(event)?.[1];
        if (!name) continue; // a comment that keeps the connection open
        const content = JSON.parse(/^data: (.*)$/m.exec(event)[1]);
        if (name === "result") return content;
        if (name === "error") throw new Failure(content.error, { again: passes(content.status), overdue: content.overdue });
        news(name, content);
      }
    }
  } catch (error) {
    if (given?.aborted) throw given.reason;
    if (error instanceof Failure) throw error;
  } finally {
    end();
  }
  throw new Failure("the connection to the server ended", { again: true });
}

/** Try until it succeeds, until it is clear that it cannot, or until the signal is aborted. */
async function persist(attempt, work, signal) {
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!error.again && !error.overdue) throw error;
      const automatic = !error.overdue && failed < PAUSES.length;
      await work.pause(error.message, automatic ? (error.pause ?? PAUSES[failed]) : Infinity, signal);
      if (!automatic) failed = -1;
    }
  }
}

async function ask(path, body, news, signal, long) {
  const work = new Work();
  const hear = (name, content) => {
    work.hear(name, content);
    news?.(name, content);
  };
  try {
    const answer = await persist(async () => {
      try {
        return await once(path, body, hear, signal, long);
      } catch (error) {
        if (long || !error.overdue) throw error;
        long = true; // it takes more than a short request may
        return once(path, body, hear, signal, long);
      }
    }, work, signal);
    if (answer.no_solution) throw new Failure(answer.no_solution);
    return answer;
  } finally {
    work.end();
  }
}

/**
 * Return the answer to a request that is short, such as a check, so that it passes those that search. Throws an Error with
 * one line if something is wrong with it, or if there is no solution.
 */
export const call = (path, body, signal) => ask(path, body, null, signal, false);

/**
 * Follow a request that may search, and return its answer. `news` gets the name and the content of each event on the way:
 * interim and object, and job at the start of each try. Aborting the signal ends the search on the server.
 */
export const follow = (path, body, news, signal) => ask(path, body, news, signal, true);

/** Return what the server has at an address, as JSON. */
export async function read(address) {
  const work = new Work();
  try {
    return await persist(async () => (await send(address)).json(), work);
  } finally {
    work.end();
  }
}

/** Return the names of the word lists, shipped and downloaded, of the user's own lists, of the files in the server's folder, and the lists in use. */
export const names = () => (known ??= read("/names.json"));
let known;
