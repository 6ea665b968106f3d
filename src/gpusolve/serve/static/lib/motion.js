// Short motions that show where a part of a board came from. People who ask their system for less motion see none.

const MILLISECONDS = 180;

/** Return whether motion is wanted. */
const wanted = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Let elements glide to their places from some pixels away. */
export function glide(elements, right, down) {
  if (!wanted() || !(right || down)) return;
  for (const element of elements)
    element.animate([{ transform: `translate(${right}px, ${down}px)` }, { transform: "none" }], { duration: MILLISECONDS, easing: "ease-out" });
}

/** Turn tiles over, one after another. */
export function turnOver(elements) {
  if (!wanted()) return;
  elements.forEach((element, i) =>
    element.animate([{ transform: "rotateX(90deg)" }, { transform: "none" }], { duration: 2 * MILLISECONDS, delay: (i * MILLISECONDS) / 2, fill: "backwards", easing: "ease-out" }));
}

/** Let an element grow for a moment, because it has changed. */
export function pop(element) {
  if (wanted()) element?.animate([{ transform: "scale(1.12)" }, { transform: "none" }], { duration: MILLISECONDS });
}
