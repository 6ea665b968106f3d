// The controls of a page that plays something: COUNT steps of some UNIT, shown by draw() as they are after `at` of them.
let at = 0, timer = null;
function go(to) { at = Math.min(Math.max(to, 0), COUNT); draw(); $("at").value = at; if (at === COUNT) pause(); }
function perSecond() { return 2 ** Number($("speed").value); }
function tick() {
  const frame = 1000 / 60, rate = perSecond();  // several steps for each picture where there are more of them
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
