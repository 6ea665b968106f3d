// The controls of a page that plays COUNT steps. UNIT is the name of a step. draw() shows the state after `at` steps.
let at = 0, timer = null;
function go(to) { at = Math.min(Math.max(to, 0), COUNT); draw(); $("at").value = at; if (at === COUNT) pause(); }
function perSecond() { return 2 ** Number($("speed").value); }
function tick() {
  const frame = 1000 / 60, rate = perSecond();  // several steps per frame if the rate is higher than the frame rate
  go(at + Math.max(1, Math.round(rate * frame / 1000)));
  if (timer !== null) timer = setTimeout(tick, Math.max(frame, 1000 / rate));
}
function play() { if (at === COUNT) at = 0; $("play").textContent = "pause"; timer = setTimeout(tick, 0); }
function pause() { clearTimeout(timer); timer = null; $("play").textContent = "play"; }
function toggle() { timer === null ? play() : pause(); }
function showSpeed() { $("rateOf").textContent = perSecond().toFixed(perSecond() < 10 ? 1 : 0) + " " + UNIT + " per second"; }
$("play").onclick = toggle;
$("step").onclick = () => { pause(); go(at + 1); };
$("back").onclick = () => { pause(); go(at - 1); };
$("at").max = COUNT;
$("at").oninput = () => { pause(); go(Number($("at").value)); };
$("speed").oninput = showSpeed;
document.onkeydown = event => {
  const keys = {" ": toggle, ArrowRight: $("step").onclick, ArrowLeft: $("back").onclick,
    ArrowUp: () => { $("speed").stepUp(5); showSpeed(); }, ArrowDown: () => { $("speed").stepDown(5); showSpeed(); }};
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
};
showSpeed();
go(Number(new URLSearchParams(location.search).get("at")) || 0);
