// A 13x13 grid of starting hands: pairs on the diagonal, suited above, offsuit below. Cells are divided by
// how often each action is taken; what is not filled is not in the range.

const RANKS = "AKQJT98765432";
const ABSENT = "#7d8a99";

export function handName(row, column) {
  const high = RANKS[Math.min(row, column)];
  const low = RANKS[Math.max(row, column)];
  return high + low + (row === column ? "" : row < column ? "s" : "o");
}

export class DoyleGrid {
  constructor() {
    this.root = document.createElement("div");
    this.root.className = "range-grid";
    this.cells = [];
    for (let row = 0; row < 13; row += 1) {
      for (let column = 0; column < 13; column += 1) {
        const cell = document.createElement("span");
        cell.textContent = handName(row, column);
        this.root.append(cell);
        this.cells.push(cell);
      }
    }
  }

  // `cells[row][column]` are percentages by action, in the order of `names` and `colours`.
  update({ names, colours, cells }, marked = "") {
    this.cells.forEach((cell, place) => {
      const shares = cells[Math.floor(place / 13)][place % 13];
      let edge = 0;
      const stops = shares.map((share, number) => {
        const stop = `${colours[number]} ${edge}% ${edge + share}%`;
        edge += share;
        return stop;
      });
      stops.push(`${ABSENT} ${edge}% 100%`);
      cell.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
      cell.classList.toggle("marked", cell.textContent === marked);
      cell.title = `${cell.textContent}: ${names.map((name, number) => `${name} ${shares[number]}%`).join(", ")}`;
    });
  }
}

export function handClass(cards) {
  const [one, two] = [...cards].sort((a, b) => RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]));
  if (one[0] === two[0]) return one[0] + two[0];
  return one[0] + two[0] + (one[1] === two[1] ? "s" : "o");
}
