// Play the moves of the blank on the board, a table whose cells exchange their tiles.
{
  const {columns, tiles: start, solved, moves} = DATA;
  const STEP = {U: -columns, D: columns, L: -1, R: 1};
  const boards = [start];  // the board before each move and after the last one, so that the player can step back
  for (const move of moves) {
    const board = boards.at(-1).slice(), blank = board.indexOf(0), other = blank + STEP[move];
    [board[blank], board[other]] = [board[other], 0];
    boards.push(board);
  }
  const cells = [...byId("board").querySelectorAll("td")];
  const past = document.createElement("b"), future = document.createTextNode("");
  byId("moves").replaceChildren(past, future);
  let before = 0;

  player(moves.length, "move", (at, rate) => {
    const board = boards[at], last = at ? boards[at - 1][board.indexOf(0)] : 0;  // the tile that moved last
    cells.forEach((cell, i) => {
      cell.textContent = board[i] || "";
      cell.className = board[i] === 0 ? "blank" : board[i] === last ? "yellow" : board[i] === solved[i] ? "green" : "grey";
    });
    if (Math.abs(at - before) === 1) slide(before < at ? boards[before] : boards[at], boards[Math.max(at, before)], at > before, rate);
    before = at;
    byId("board").ariaLabel = "board, rows from the top: " + rowsOf(board).map(row => row.map(tile => tile || "blank").join(" ")).join(", ");
    past.textContent = moves.slice(0, at);
    future.data = moves.slice(at);
    byId("moves").scrollTop = (byId("moves").scrollHeight - byId("moves").clientHeight) * at / moves.length;
    return `${at} of ${moves.length} move${moves.length === 1 ? "" : "s"}` + (last ? `, tile ${last}` : "");
  });

  function rowsOf(board) {
    return Array.from({length: board.length / columns}, (_, row) => board.slice(row * columns, (row + 1) * columns));
  }
  // Let the tile that changed its cell glide there.
  function slide(earlier, later, forward, rate) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [from, to] = [later.indexOf(0), earlier.indexOf(0)], [source, target] = forward ? [from, to] : [to, from];
    const box = cells[source].getBoundingClientRect(), end = cells[target].getBoundingClientRect();
    cells[target].animate([{transform: `translate(${box.x - end.x}px, ${box.y - end.y}px)`}, {transform: "none"}],
      {duration: Math.min(200, 700 / rate)});
  }
}
