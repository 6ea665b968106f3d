// Drags with mouse, pen or finger: what is dragged follows the pointer, and letting go away from its start ends the drag.

const FAR = 10; // pixels; a shorter way is a click

/**
 * Follow a drag that begins with this pointerdown event. `move(right, down)` is called on the way, with the pixels from
 * the start, and `drop(target, right, down)` at the end, with the element under the pointer. A click calls neither.
 */
export function drag(event, { move, drop }) {
  if (event.button) return;
  const { clientX, clientY, pointerId } = event;
  let dragging = false;

  const way = (at) => [at.clientX - clientX, at.clientY - clientY];
  const follow = (at) => {
    if (at.pointerId !== pointerId) return;
    const [right, down] = way(at);
    dragging ||= Math.hypot(right, down) >= FAR;
    if (dragging) move(right, down);
  };
  const end = (at) => {
    if (at.pointerId !== pointerId) return;
    removeEventListener("pointermove", follow);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!dragging) return;
    addEventListener("click", swallow, { capture: true, once: true }); // a drag that ends where it began is no click
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    move(0, 0);
    if (at.type === "pointerup") drop(document.elementFromPoint(at.clientX, at.clientY), ...way(at));
  };
  addEventListener("pointermove", follow);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

/** Move elements by some pixels from where they are. */
export function shift(elements, right, down) {
  for (const element of elements) {
    element.style.transform = right || down ? `translate(${right}px, ${down}px)` : "";
    element.classList.toggle("dragged", Boolean(right || down));
  }
}
