// The line below the news: which requests are under way, for how long, their place in the queue, and what failed.

import { byId, el, fill } from "./dom.js";

const QUICK = 600; // milliseconds before a request is mentioned
const works = new Set();
const line = el("span", { role: "status" });
const clock = el("span", { class: "clock" }); // no screen reader reads every second
const again = el("button", { type: "button", class: "small", hidden: true, onclick: () => [...works].forEach((work) => work.retry?.()) }, "try again now");
let ticking = 0;

/** A request that is under way. Boards do not make it: `call` and `follow` do. */
export class Work {
  #since = performance.now();
  about = "asking the server";
  state = ""; // where it is: in the queue, starting, failed
  figures = () => this.seconds; // how far it is, and for how long it has been under way
  retry = null;

  constructor() {
    works.add(this);
    ticking ||= setInterval(draw, 250);
  }

  /** Take note of an event of the request. */
  hear(name, content) {
    if (name === "job") [this.about, this.state] = [content.about.replace(/\.$/, ""), "starting"];
    else if (name === "waiting") this.state = `the server is busy: number ${content.waiting} in the queue`;
    else if (name === "began") this.state = "";
    else if (name === "progress") this.figures = () => figures(content, this.seconds);
  }

  /** Return after some seconds, or as soon as someone wants to try again or the machine is online again. */
  async pause(reason, seconds, signal) {
    const end = performance.now() + 1000 * seconds;
    const left = () => Math.ceil((end - performance.now()) / 1000);
    signal?.throwIfAborted();
    await new Promise((done, stop) => {
      this.retry = done;
      if (seconds < Infinity) setTimeout(done, 1000 * seconds);
      addEventListener("online", done, { once: true });
      signal?.addEventListener("abort", () => stop(signal.reason), { once: true });
      this.state = reason;
      this.figures = () => (seconds < Infinity ? `(trying again in ${left()} s)` : "");
      draw();
    });
    this.retry = null;
    this.state = "trying again";
    this.figures = () => this.seconds;
    draw();
  }

  /** The request has ended. */
  end() {
    works.delete(this);
    if (works.size) return;
    clearInterval(ticking);
    ticking = 0;
    draw();
  }

  get seconds() {
    return `${Math.floor((performance.now() - this.#since) / 1000)} s`;
  }

  get isSlow() {
    return this.retry !== null || performance.now() - this.#since > QUICK;
  }
}

/** Return how far a request is, and for how long it has been under way. */
function figures({ status, compiling, label, done, total, best }, seconds) {
  if (status) return `${status}, ${seconds}`;
  if (compiling) return `compiling ${compiling}; this happens once, ${seconds}`;
  const count = (value) => value.toLocaleString("en");
  const far = `${label}: ${count(done)}${total ? ` of ${count(total)}` : ""}`;
  return [label === "seconds" ? "" : far, best === null ? "" : `best so far ${best}`, label === "seconds" ? `${seconds} of ${count(total)}` : seconds].filter(Boolean).join(", ");
}

/** Show the request that has failed or waits, or else the one that has taken longest. */
function draw() {
  const rank = (work) => (work.retry ? 2 : work.state ? 1 : 0);
  const [shown] = [...works].filter((work) => work.isSlow).sort((a, b) => rank(b) - rank(a));
  const place = byId("news");
  if (place && !line.isConnected) place.after(el("p", { id: "work" }, line, " ", clock, " ", again));
  const stuck = shown?.retry;
  show(line, shown ? [stuck ? "" : shown.about, shown.state].filter(Boolean).join(": ") : "");
  show(clock, shown ? shown.figures() : "");
  again.hidden = !shown?.retry;
}

function show(element, text) {
  if (element.textContent !== text) fill(element, text);
}
