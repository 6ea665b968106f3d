// Go through the placements of a game: where each piece was placed, and where it is best.
{
  const {placements, hidden: HIDDEN} = DATA;  // a placement: board, piece, cells placed, cells best, text
  const COLUMNS = 10;
  const cells = [...byId("board").querySelectorAll("td")], here = document.getElementById("here");

  function mark(where, classes) {
    for (const [row, column] of where) {
      const cell = cells[(row - HIDDEN) * COLUMNS + column];
      if (cell) cell.className = (cell.className + " " + classes).trim();
    }
  }

  player(placements.length, "placement", at => {
    const last = at === placements.length;
    const [board, piece, placed, best, text] = placements[Math.min(at, placements.length - 1)];
    cells.forEach((cell, i) => {
      cell.className = board[HIDDEN + Math.floor(i / COLUMNS)][i % COLUMNS] === "#" ? "filled" : "";
    });
    mark(placed, piece + " falling");
    mark(best, "better");
    byId("board").ariaLabel = `placement ${text}`;
    if (here) here.setAttribute("transform", `translate(${1000 * at / placements.length} 0)`);
    return `${at} of ${placements.length} placements` + (last ? "" : `; number ${text}`);
  });
  for (const button of byId("costly").querySelectorAll("button"))
    button.onclick = () => { location.hash = "#" + button.value; };
  byId("costly").hidden = byId("legend").hidden = false;
}
