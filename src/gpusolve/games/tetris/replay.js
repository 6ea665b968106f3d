// Play a recorded game on the board, a table of 20 rows and 10 columns.
{
  const {turns, start, hidden: HIDDEN} = DATA;  // a turn: piece, cells [row, column]; score, lines, level after it
  const ROWS = 22, COLUMNS = 10;
  const SHAPES = {I: [[0,0],[0,1],[0,2],[0,3]], L: [[0,0],[0,1],[0,2],[1,0]], J: [[0,0],[0,1],[0,2],[1,2]],
    T: [[0,0],[0,1],[0,2],[1,1]], Z: [[0,0],[0,1],[1,1],[1,2]], S: [[0,1],[0,2],[1,0],[1,1]], O: [[0,0],[0,1],[1,0],[1,1]]};
  const cells = [...byId("board").querySelectorAll("td")], small = [...byId("next").querySelectorAll("td")];
  const boards = [];  // the board before each turn, for stepping back
  const tetrises = [0];  // the number of tetrises before each turn

  let board = start.board;
  for (const [piece, placed] of turns) {
    boards.push(board);
    board = board.map(row => row.slice());
    for (const [row, column] of placed) board[row][column] = piece;
    const left = board.filter(row => row.includes(""));
    tetrises.push(tetrises.at(-1) + (left.length === ROWS - 4));
    board = [...Array.from({length: ROWS - left.length}, () => Array(COLUMNS).fill("")), ...left];
  }
  boards.push(board);

  byId("coming").hidden = false;
  player(turns.length, "piece", at => {
    const board = boards[at];
    cells.forEach((cell, i) => { cell.className = board[HIDDEN + Math.floor(i / COLUMNS)][i % COLUMNS]; });
    if (at < turns.length)
      for (const [row, column] of turns[at][1])
        if (row >= HIDDEN) cells[(row - HIDDEN) * COLUMNS + column].className = turns[at][0] + " falling";
    const heights = board[0].map((_, column) => ROWS - (board.findIndex(row => row[column]) + ROWS + 1) % (ROWS + 1));
    byId("board").ariaLabel = "board; heights of the columns: " + heights.join(" ");
    const [, , score, lines, level] = at ? turns[at - 1] : ["", [], 0, start.lines, start.level];
    byId("score").textContent = score.toLocaleString("en");
    byId("lines").textContent = lines;
    byId("level").textContent = level;
    byId("tetris-rate").textContent = lines > start.lines ? Math.round(400 * tetrises[at] / (lines - start.lines)) + " %" : "-";
    const next = at + 1 < turns.length ? turns[at + 1][0] : "";
    small.forEach(cell => { cell.className = ""; });
    if (next) for (const [row, column] of SHAPES[next]) small[row * 4 + column].className = next;
    byId("next").ariaLabel = "next piece: " + (next || "none");
    return `${at} of ${turns.length} pieces` + (at < turns.length ? `, ${turns[at][0]} falls` : "");
  });
}
