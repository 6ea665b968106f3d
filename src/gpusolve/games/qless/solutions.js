// Show one solution at a time, of all or of those with a word. Without this script the page shows the first ones.
{
  const label = grid => "grid, rows from the top: " + grid.split("/").map(row => [...row].join(" ")).join(", ");
  const wordsOf = grid => {
    const rows = grid.split("/");
    const columns = [...rows[0]].map((_, j) => rows.map(row => row[j]).join(""));
    return [...rows, ...columns].flatMap(line => line.split(".")).filter(run => run.length >= DATA.shortest);
  };
  let shown = DATA.grids, at = 0;

  function draw() {
    byId("where").textContent = shown.length ? `${at + 1} of ${shown.length.toLocaleString("en")}` : "no solutions";
    byId("grids").replaceChildren(...(shown.length ? [table(shown[at])] : []));
  }
  function table(grid) {
    const made = document.createElement("table");
    made.className = "board crossword";
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", label(grid));
    made.style.setProperty("--columns", grid.indexOf("/") < 0 ? grid.length : grid.indexOf("/"));
    for (const row of grid.split("/")) {
      const line = made.insertRow();
      for (const letter of row) {
        const cell = line.insertCell();
        if (letter !== ".") { cell.textContent = letter; cell.className = "letter"; }
      }
    }
    return made;
  }
  function move(by) {
    if (!shown.length) return;
    at = (at + by + shown.length) % shown.length;
    draw();
  }
  byId("back").onclick = () => move(-1);
  byId("next").onclick = () => move(1);
  byId("word").oninput = event => {
    const word = event.target.value.trim().toLowerCase();
    shown = word ? DATA.grids.filter(grid => wordsOf(grid).includes(word)) : DATA.grids;
    at = 0;
    draw();
  };
  onKeys({ArrowLeft: () => move(-1), ArrowRight: () => move(1)});
  onSwipe(byId("grids"), move);
  byId("grids").classList.replace("cards", "one");
  byId("finder").hidden = false;
  if (byId("more")) byId("more").hidden = true;
  draw();
}
