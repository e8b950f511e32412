// Connect Four by boardgame.io: node server.cjs PORT memory | FOLDER | postgresql://…
const { Server, FlatFile } = require("boardgame.io/server");

const COLUMNS = 7;
const ROWS = 6;

function wins(cells, column, row, player) {
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    let count = 1;
    for (const way of [1, -1]) {
      let x = column + way * dx;
      let y = row + way * dy;
      while (x >= 0 && x < COLUMNS && y >= 0 && y < ROWS && cells[y * COLUMNS + x] === player) {
        count += 1;
        x += way * dx;
        y += way * dy;
      }
    }
    if (count >= 4) return true;
  }
  return false;
}

const connectFour = {
  name: "connect_four",
  setup: () => ({ cells: Array(COLUMNS * ROWS).fill(null), winner: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      const row = [...Array(ROWS).keys()].find((y) => G.cells[y * COLUMNS + column] === null);
      if (row === undefined) return "INVALID_MOVE";
      G.cells[row * COLUMNS + column] = playerID;
      if (wins(G.cells, column, row, playerID)) G.winner = playerID;
      return undefined;
    },
  },
  endIf: ({ G }) => {
    if (G.winner !== null) return { winner: G.winner };
    return G.cells.includes(null) ? undefined : { draw: true };
  },
};

function store(where) {
  if (where === "memory") return undefined;
  if (!where.startsWith("postgresql:")) return new FlatFile({ dir: where });
  const { PostgresStore } = require("bgio-postgres");
  return new PostgresStore(where, { logging: false });
}

const [port, where] = process.argv.slice(2);
Server({ games: [connectFour], db: store(where), origins: [] }).run(Number(port));
