"use strict";
const byId = id => document.getElementById(id);
const DATA = JSON.parse(byId("data").textContent);

// Work the controls of a page that plays `count` steps. draw(at) shows the state after `at` steps and returns its name;
// `unit` is the name of a step. The address keeps the position, so that a copy of it opens the same step.
function player(count, unit, draw) {
  let at = 0, timer = null;
  const playing = () => timer !== null;
  const perSecond = () => 2 ** Number(byId("speed").value);

  function go(to) {
    at = Math.min(Math.max(Math.trunc(to) || 0, 0), count);
    byId("where").textContent = draw(at, perSecond());
    byId("at").value = at;
    byId("back").disabled = byId("first").disabled = at === 0;
    byId("step").disabled = byId("last").disabled = at === count;
    if (at === count && playing()) pause();
  }
  function remember() { history.replaceState(null, "", "#" + at); }
  function jump(to) { pause(); go(to); remember(); }
  function tick() {  // several steps at a time if there are more steps per second than frames
    const frame = 1000 / 60;
    go(at + Math.max(1, Math.round(perSecond() * frame / 1000)));
    if (playing()) timer = setTimeout(tick, Math.max(frame, 1000 / perSecond()));
  }
  function play() {
    if (at === count) go(0);
    byId("where").ariaLive = "off";  // a screen reader need not read every step aloud
    byId("play").textContent = "pause";
    timer = setTimeout(tick, 1000 / perSecond());
  }
  function pause() {
    if (!playing()) return;
    clearTimeout(timer);
    timer = null;
    byId("where").ariaLive = "polite";
    byId("play").textContent = "play";
    remember();
  }
  function toggle() { if (playing()) pause(); else play(); }
  function showSpeed() {
    const rate = perSecond();
    byId("rate").textContent = (rate < 10 ? rate.toFixed(1) : Math.round(rate)) + " " + unit + "s per second";
  }

  byId("play").onclick = toggle;
  byId("first").onclick = () => jump(0);
  byId("back").onclick = () => jump(at - 1);
  byId("step").onclick = () => jump(at + 1);
  byId("last").onclick = () => jump(count);
  byId("at").max = count;
  byId("at").oninput = () => jump(Number(byId("at").value));
  byId("speed").oninput = showSpeed;
  const keys = {
    " ": toggle, ArrowLeft: () => jump(at - 1), ArrowRight: () => jump(at + 1), Home: () => jump(0), End: () => jump(count),
    ArrowUp: () => { byId("speed").stepUp(); showSpeed(); }, ArrowDown: () => { byId("speed").stepDown(); showSpeed(); },
  };
  onKeys(keys);
  onSwipe(document.querySelector(".stage"), by => jump(at + by));
  addEventListener("hashchange", () => { pause(); go(Number(location.hash.slice(1))); });
  byId("player").hidden = false;
  showSpeed();
  go(Number(location.hash.slice(1)));
}

// Call the function of a key, except where the key already means something: in an input, or on a button.
function onKeys(keys) {
  addEventListener("keydown", event => {
    const own = event.target.tagName === "INPUT" || event.target.isContentEditable;
    const pressed = event.key === " " && ["BUTTON", "SUMMARY"].includes(event.target.tagName);
    if (own || pressed || event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
}

// Call move(1) when a finger swipes to the left over an element, and move(-1) to the right.
function onSwipe(element, move) {
  let from = null;
  element.style.touchAction = "pan-y";
  element.addEventListener("pointerdown", event => { from = event.pointerType === "mouse" ? null : event.clientX; });
  element.addEventListener("pointercancel", () => { from = null; });
  element.addEventListener("pointerup", event => {
    const by = from === null ? 0 : event.clientX - from;
    from = null;
    if (Math.abs(by) > 40) move(by < 0 ? 1 : -1);
  });
}
