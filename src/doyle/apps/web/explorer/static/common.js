// What the pages of the explorer share: elements, requests, cards, colours and the 13x13 grid.

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
export const STREETS = ["preflop", "flop", "turn", "river"];

const FOLD = "#7fa6dc", CALL = "#6cbd7d", ALL_IN = "#e5675f", RAISE = [0xd9, 0x8e, 0x32], LIGHT = [0xff, 0xf0, 0xd0];

/** An element with properties, styles and children; text is always text, never markup. */
export function h(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    if (name === "style") Object.assign(element.style, value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** Calls `start(root)` once the page has put the element there. */
export function whenThere(id, start) {
  const look = () => {
    const root = document.getElementById(id);
    if (root && !root.dataset.started) {
      root.dataset.started = "yes";
      start(root);
    } else if (!root) {
      requestAnimationFrame(look);
    }
  };
  look();
}

/** The answer to a request as JSON; refusals become errors with the server's words. */
export async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("the server does not answer");
  }
  let document_ = {};
  try { document_ = await answer.json(); } catch { /* no JSON: the status must do */ }
  if (answer.ok) return document_;
  throw new Error(reason(document_.detail) || `the server refuses (${answer.status})`);
}

function reason(detail) {
  if (Array.isArray(detail)) return detail.map((one) => `${(one.loc || []).slice(1).join(".")}: ${one.msg}`).join("; ");
  return typeof detail === "string" ? detail : "";
}

/** Watches a job until it has ended; `shown` gets every document. */
export async function watch(job, shown, cancelled) {
  let found = job;
  while (found.status === "running" || found.status === "waiting") {
    await new Promise((resolve) => setTimeout(resolve, 350));
    if (cancelled()) return null;
    found = await ask(`/api/jobs/${job.job}`);
    shown(found);
  }
  return found;
}

export function colours(names) {
  const raises = names.filter((name) => name.startsWith("raise")).length;
  let seen = 0;
  return names.map((name) => {
    if (name === "fold") return FOLD;
    if (name === "check" || name === "call") return CALL;
    if (name === "all-in") return ALL_IN;
    seen += 1;
    const part = 1.4 * (1 - 0.72 ** (raises - seen));
    return `rgb(${RAISE.map((n, k) => Math.min(255, Math.round(n + (LIGHT[k] - n) * part))).join(",")})`;
  });
}

export const cardName = (card) => RANKS[card >> 2] + SUITS[card & 3];
export const cardNumber = (name) => 4 * RANKS.indexOf(name[0]) + SUITS.indexOf(name[1]);
export const cardsOf = (text) => (text.match(/../g) || []);

export function cardElement(name) {
  return h("span", { class: `card ${name[1]}` }, name[0] + SIGNS[name[1]]);
}

export function cardRow(text) {
  return h("span", { class: "cards" }, cardsOf(text).map(cardElement));
}

/** Hole pairs in the order of the server: the pair (low, high) is high (high - 1) / 2 + low. */
export const HOLES = [];
for (let high = 1; high < 52; high += 1) for (let low = 0; low < high; low += 1) HOLES.push([low, high]);

export function cellOf(hole) {
  const [low, high] = HOLES[hole];
  const a = 12 - (high >> 2), b = 12 - (low >> 2);
  return (low & 3) === (high & 3) ? [a, b] : [b, a];
}

export function className(row, column) {
  const [a, b] = [RANKS[12 - row], RANKS[12 - column]];
  return row === column ? a + b : row < column ? `${a}${b}s` : `${b}${a}o`;
}

/** Means by class: how much of the class is here, and its actions. */
export function classes(place, count) {
  const found = Array.from({ length: 169 }, () => ({ hands: [], held: 0, weight: 0, shares: new Array(count).fill(0) }));
  place.rows.forEach((row, hole) => {
    if (!row) return;
    const [r, c] = cellOf(hole);
    const cell = found[13 * r + c];
    cell.hands.push(hole);
    cell.held += row[0];
    const weight = Math.max(place.weights[hole], 0);
    cell.weight += weight;
    for (let k = 0; k < count; k += 1) cell.shares[k] += weight * row[2 + k];
  });
  for (const cell of found) {
    cell.held = cell.hands.length ? cell.held / cell.hands.length : 0;
    cell.shares = cell.shares.map((share) => (cell.weight > 0 ? share / cell.weight : 0));
  }
  return found;
}

/** The grid; `onPick(cell index)` is called for the class that is clicked. */
export function grid(place, names, { chosen = null, mates = null, onPick = null } = {}) {
  const found = classes(place, names.length), shades = colours(names);
  const largest = Math.max(1e-12, ...found.map((cell) => cell.held));
  const cells = found.map((cell, index) => {
    const name = className(Math.floor(index / 13), index % 13);
    const said = names.map((action, k) => `${action} ${(100 * cell.shares[k]).toFixed(1)}%`).join(", ");
    const height = cell.weight > 0 ? Math.max(6, 100 * Math.min(1, cell.held / largest)) : 0;
    return h("button", {
      class: `cell${index === chosen ? " chosen" : ""}${mates && mates.has(index) ? " mate" : ""}`,
      title: cell.weight > 0 ? `${name}: ${said}` : `${name}: not here`,
      "aria-label": `${name} ${cell.weight > 0 ? said : "not here"}`,
      "data-class": name,
      role: "gridcell",
      onclick: () => onPick && onPick(index),
    },
    h("b", {}, name),
    h("div", { class: "fill", style: { height: `${height}%` } },
      names.map((_, k) => h("i", { style: { background: shades[k], width: `${100 * cell.shares[k]}%` } }))));
  });
  const rows = Array.from({ length: 13 }, (_, row) => h("div", { class: "grid-row", role: "row" }, cells.slice(13 * row, 13 * row + 13)));
  return h("div", { class: "grid13", role: "grid", "aria-label": "Starting hands" }, rows);
}

export function bar(names, shares) {
  const shades = colours(names);
  return h("div", { class: "bar" }, names.map((name, k) =>
    h("i", { title: `${name} ${(100 * shares[k]).toFixed(1)}%`, style: { background: shades[k], width: `${100 * (shares[k] || 0)}%` } })));
}

export function picker(chosen, most, onChange, dead = new Set()) {
  const buttons = [];
  for (const suit of "shdc") for (let rank = 12; rank >= 0; rank -= 1) {
    const name = RANKS[rank] + suit, on = chosen.includes(name);
    buttons.push(h("button", {
      class: `${suit}${on ? " on" : ""}`, "data-card": name, "aria-pressed": String(on),
      disabled: dead.has(name) || (!on && chosen.length >= most),
      onclick: () => onChange(on ? chosen.filter((one) => one !== name) : [...chosen, name]),
    }, name[0] + SIGNS[suit]));
  }
  return h("div", { class: "picker" }, buttons);
}

/** A padlock, drawn: not every machine has a sign for it. */
export function padlock() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "padlock");
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute("d", "M4 7V5a4 4 0 0 1 8 0v2h1v7H3V7zm2 0h4V5a2 2 0 0 0-4 0z");
  path.setAttribute("fill", "currentColor");
  svg.append(path);
  return svg;
}

export const fact = (value, label) => h("div", { class: "fact" }, h("b", {}, value), h("span", {}, label));
export const notice = (text, bad = false) => h("div", { class: `notice${bad ? " bad" : ""}`, role: bad ? "alert" : "status" }, text);
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}%`;
export const whole = (number) => Number(number).toLocaleString("en-US");

export function table(heads, rows, marked = () => false) {
  return h("div", { class: "scroll" }, h("table", { class: "figures" },
    h("tr", {}, heads.map((head) => h("th", {}, head))),
    rows.map((row, number) => h("tr", { class: marked(number) ? "taken" : "" }, row.map((value) => h("td", {}, value))))));
}
