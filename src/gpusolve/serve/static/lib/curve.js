// A curve of values, one for each step, where a click or an arrow key chooses a step.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 100;

function svg(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/**
 * Return an element that draws `values`, numbers of at least 0 or null where a value is not known yet, as bars.
 * `at` is the step that is marked; `choose(step)` is called for a click on a step.
 */
export function curve(label, values, at, choose) {
  const most = Math.max(...values.map((value) => value ?? 0), 1e-9);
  const picture = svg("svg", { class: "curve", viewBox: `0 0 ${Math.max(values.length, 1)} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
  const bars = values.map((value, step) => (value ? `M${step} ${HEIGHT}v${-HEIGHT * Math.sqrt(value / most)}h1V${HEIGHT}z` : "")).join("");
  picture.append(svg("rect", { class: "now", x: at, y: 0, width: 1, height: HEIGHT }), svg("path", { d: bars }));
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    choose(Math.min(values.length - 1, Math.floor(((event.clientX - box.left) / box.width) * values.length)));
  });
  return picture;
}
