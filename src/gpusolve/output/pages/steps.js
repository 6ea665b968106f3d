// Show one of the page's steps at a time. Without this script, and on paper, the page shows all of them.
{
  const stage = document.querySelector(".stage"), steps = [...stage.children];
  stage.classList.replace("cards", "one");
  stage.style.minHeight = Math.max(...steps.map(step => step.offsetHeight)) + "px";  // so that the controls stay put
  player(steps.length - 1, DATA.unit, at => {
    steps.forEach((step, number) => { step.hidden = number !== at; });
    return `${at} of ${steps.length - 1} ${DATA.unit}s`;
  });
}
