// The keyboard: a group of controls is one stop of the Tab key, and the arrow keys go from control to control.

const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const ASIDE = 3; // how much a pixel across the way counts beside one along it
let walking = true; // whether the focus was moved by keys after the last click and the last character that was typed

addEventListener("pointerdown", () => { walking = false; }, true);
addEventListener("keydown", ({ key }) => {
  if (key in WAYS || ["Tab", "Home", "End"].includes(key)) walking = true;
  else if (key.length === 1 && key !== " ") walking = false;
}, true);

/** Return whether a key belongs to what has the focus, such as a field, or is a shortcut of the browser. */
export function isTaken(event) {
  const command = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  return command || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || Boolean(document.querySelector("dialog[open]"));
}

/**
 * Return whether the Enter key works what has the focus, a button or a link. It does not after a click or after typing: then it
 * enters what is on the board. Nor does it work tiles, which have the space key.
 */
export const isWorked = ({ target }) => walking && Boolean(target.closest?.("a, button:not(.tile), summary"));

const controlsIn = (element) => [...element.querySelectorAll("button:not(:disabled)")];

/** Make the controls in an element one stop of the Tab key: the `start`-th of them, or the one that had the focus last. */
export function oneStop(element, start = 0) {
  const choose = (chosen) => controlsIn(element).forEach((each) => { each.tabIndex = each === chosen ? 0 : -1; });
  choose(controlsIn(element).at(start));
  element.addEventListener("focusin", (event) => event.target.tagName === "BUTTON" && choose(event.target));
  return element;
}

/**
 * Make the controls in an element one stop of the Tab key, in which the arrow keys go to the nearest control in their
 * direction, and Home and End to the first and the last one.
 */
export function rove(element, start = 0) {
  element.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    const ends = { Home: 0, End: -1 };
    if (event.target.tagName !== "BUTTON" || isTaken(event) || !(way || event.key in ends)) return;
    const controls = controlsIn(element);
    event.preventDefault();
    event.stopPropagation();
    (way ? nearest(event.target, controls, way) : controls.at(ends[event.key]))?.focus();
  });
  return oneStop(element, start);
}

/** Return the control that is nearest in a direction, or nothing. */
function nearest(from, controls, [right, down]) {
  const middle = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(from);
  let [found, least] = [undefined, Infinity];
  for (const each of controls) {
    const [toX, toY] = middle(each);
    const along = (toX - x) * right + (toY - y) * down;
    const across = Math.abs((toX - x) * down + (toY - y) * right);
    const far = along + ASIDE * across;
    if (along > 1 && along >= across && far < least) [found, least] = [each, far];
  }
  return found;
}
