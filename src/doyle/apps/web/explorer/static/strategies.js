// Click through the betting tree of a strategy, alone or beside another.
import { ask, bar, cardElement, cardName, className, classes, colours, fact, fill, grid, h, HOLES, notice, percent, picker, STREETS, whenThere, whole } from "./common.js";

const state = { strategies: [], agent: null, game: null, other: null, betting: "", board: [], place: null, second: null, chosen: null, problem: null, busy: 0 };
let parts;

whenThere("strategies", async (root) => {
  parts = { controls: h("div", { class: "panel" }), body: h("div", {}) };
  fill(root, parts.controls, parts.body);
  fill(parts.body, notice("Looking for strategies …"));
  try {
    state.strategies = await ask("/api/explorer/strategies");
  } catch (error) {
    fill(parts.body, notice(error.message, true));
    return;
  }
  if (!state.strategies.length) {
    fill(parts.body, notice("There is no strategy to explore yet: build one with `doyle build default-small`."));
    return;
  }
  read();
  window.addEventListener("hashchange", () => { if (location.hash.slice(1) !== written()) { read(); load(true); } });
  await load(true);
});

/** The place in the address, so that it can be kept and shared. */
function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const found = state.strategies.find((one) => one.agent === given.get("agent") && one.game === given.get("game")) || state.strategies[0];
  [state.agent, state.game] = [found.agent, found.game];
  state.betting = /^[fcr0-9/]{0,400}$/.test(given.get("betting") || "") ? given.get("betting") || "" : "";
  state.board = (/^([2-9TJQKA][cdhs]){0,5}$/.test(given.get("board") || "") ? given.get("board") || "" : "").match(/../g) || [];
  state.other = state.strategies.some((one) => one.agent === given.get("with") && one.game === state.game) ? given.get("with") : null;
}

function written() {
  const address = new URLSearchParams({ agent: state.agent, game: state.game, betting: state.betting, board: state.board.join("") });
  if (state.other) address.set("with", state.other);
  return address.toString();
}

/** Ask for the place and show it. Each place is an entry of the browser's history, unless it `replaces` one. */
async function load(replaces = false) {
  const address = `#${written()}`;
  if (replaces) history.replaceState(null, "", address);
  else if (location.hash !== address) history.pushState(null, "", address);
  if (!state.place) fill(parts.body, notice("Reading the strategy; the first answer takes some seconds …"));
  const number = (state.busy += 1);
  parts.body.classList.add("busy");
  const question = { game: state.game, betting: state.betting, board: state.board.join("") };
  try {
    const places = await Promise.all([
      ask("/api/explorer/place", { ...question, agent: state.agent }),
      state.other ? ask("/api/explorer/place", { ...question, agent: state.other }) : null,
    ]);
    if (number !== state.busy) return;
    [state.place, state.second] = places;
    state.problem = null;
  } catch (error) {
    if (number !== state.busy) return;
    state.problem = error.message;
  }
  parts.body.classList.remove("busy");
  draw();
}

function go(betting) {
  state.betting = betting;
  state.chosen = null;
  load();
}

function draw() {
  fill(parts.controls, controls(), state.place ? trail(state.place) : null);
  if (state.problem) {
    fill(parts.body, notice(state.problem, true), h("button", { onclick: () => go(""), style: { marginTop: "10px" } }, "Back to the start"));
    return;
  }
  const place = state.place;
  const board = place.board_cards || state.board.length ? boardPanel(place) : null;
  if (place.over) {
    fill(parts.body, notice(place.showdown ? "Showdown: the betting is over." : "A fold ends the hand."), board);
    return;
  }
  if (place.needs_board) {
    fill(parts.body, notice(`Pick ${place.needs_board} more board card${place.needs_board > 1 ? "s" : ""} to see the ${STREETS[place.round]}.`), board);
    return;
  }
  if (state.second) {
    fill(parts.body, h("div", { class: "columns two" }, side(state.place), side(state.second)), differences(), board, contents(place));
    return;
  }
  fill(parts.body, h("div", { class: "columns" }, h("div", { class: "panel" }, gridOf(place)), h("div", { class: "panel" }, actions(place), readings(place))),
    contents(place), board);
}

function controls() {
  const option = (one, chosen) => h("option", { value: `${one.agent}|${one.game}`, selected: chosen }, `${one.name} · ${one.game}`);
  const others = state.strategies.filter((one) => one.game === state.game && one.agent !== state.agent);
  return h("div", { class: "controls" },
    h("label", { class: "field grow" }, h("span", {}, "Strategy"), h("select", {
      id: "strategy", onchange: (event) => {
        const [agent, game] = event.target.value.split("|");
        Object.assign(state, { agent, game, other: game === state.game ? state.other : null, board: [] });
        go("");
      },
    }, state.strategies.map((one) => option(one, one.agent === state.agent && one.game === state.game)))),
    h("label", { class: "field grow" }, h("span", {}, "Beside"), h("select", {
      id: "beside", disabled: !others.length, onchange: (event) => { state.other = event.target.value || null; load(); },
    }, h("option", { value: "" }, others.length ? "nothing" : "no other strategy of this game"),
    others.map((one) => h("option", { value: one.agent, selected: one.agent === state.other }, one.name)))));
}

function trail(place) {
  const items = [h("button", { onclick: () => go("") }, "start")];
  let round = -1;
  place.trail.forEach((step, number) => {
    if (step.round !== round) items.push(h("span", { class: "street" }, STREETS[(round = step.round)]));
    const after = number + 1 < place.trail.length ? place.trail[number + 1].before : place.betting;
    items.push(h("button", { onclick: () => go(after), title: after }, `${step.seat === 0 ? "BB" : "SB"} ${step.name}`));
  });
  if (!place.over && place.round !== round && place.trail.length) items.push(h("span", { class: "street" }, STREETS[place.round]));
  return h("div", { class: "trail" }, items);
}

const names = (place) => place.actions.map((action) => action.name);

function mates() {
  if (state.chosen === null || !state.place.bucket_count) return null;
  const wanted = new Set(), found = new Set();
  const cells = classes(state.place, state.place.actions.length);
  cells[state.chosen].hands.forEach((hole) => wanted.add(state.place.rows[hole][1]));
  cells.forEach((cell, index) => { if (cell.hands.some((hole) => wanted.has(state.place.rows[hole][1]))) found.add(index); });
  return found;
}

function gridOf(place) {
  return h("div", {},
    h("h2", {}, `${place.actor === 0 ? "Big blind" : "Small blind"} to act, ${STREETS[place.round]}`),
    grid(place, names(place), { chosen: state.chosen, mates: mates(), onPick: (index) => { state.chosen = state.chosen === index ? null : index; draw(); } }),
    bar(names(place), place.actions.map((action) => action.share)),
    h("div", { class: "facts" }, fact(whole(place.pot), "pot"), fact(whole(place.to_call), "to call"),
      fact(whole(place.stacks[0] - place.spent[0]), "big blind has"), fact(whole(place.stacks[1] - place.spent[1]), "small blind has")));
}

function actions(place) {
  const shades = colours(names(place));
  const rows = place.actions.map((action, k) => h("button", { class: "action", "data-action": action.text, onclick: () => go(action.after) },
    h("span", { class: "key", style: { background: shades[k] } }), h("span", {}, action.name), h("span", { class: "share" }, percent(action.share)),
    h("span", { class: "meter", style: { background: shades[k], width: `${100 * action.share}%` } })));
  return h("div", {}, h("h2", {}, "Actions"), h("div", { class: "actions" }, rows), place.limit || !place.most ? null : anotherBet(place));
}

function anotherBet(place) {
  const field = h("input", { type: "number", min: place.least, max: place.most, value: Math.min(place.most, Math.max(place.least, Math.round(place.pot * 0.75))), style: { width: "110px" } });
  const bet = () => { const total = Math.round(Number(field.value)); if (total >= place.least && total <= place.most) go(`${state.betting}r${total}`); };
  return h("div", { class: "controls", style: { marginTop: "12px" } },
    h("label", { class: "field" }, h("span", {}, `Another bet, ${whole(place.least)} to ${whole(place.most)}`), field), h("button", { onclick: bet }, "Bet it"));
}

function readings(place) {
  const own = place.readings.length === 1 && place.readings[0].betting === place.betting;
  if (!place.readings.length) return null;
  return h("div", {}, h("h3", {}, "Where it is in its own tree"),
    h("p", { class: "muted small", style: { margin: "0 0 4px" } }, own ? "Every bet so far is one of its own." : "Bets that its tree lacks are read by translation:"),
    place.readings.map((one) => h("div", { class: "small", style: { display: "flex", justifyContent: "space-between", gap: "8px" } },
      h("code", {}, one.betting || "start"), h("span", {}, percent(one.weight)))),
    h("p", { class: "muted small" }, `betting model ${place.model}, ${whole(place.bucket_count)} buckets on this street`));
}

function side(place) {
  const title = state.strategies.find((one) => one.agent === place.agent && one.game === place.game);
  return h("div", { class: "panel" }, h("h2", {}, title ? title.name : place.agent), gridOf(place), actions(place), readings(place));
}

function differences() {
  const [a, b] = [state.place, state.second];
  if (!a.rows.length || !b.rows.length) return null;
  const share = (place, hole, name) => { const k = names(place).indexOf(name); return k < 0 ? 0 : place.rows[hole][2 + k]; };
  const every = [...new Set([...names(a), ...names(b)])];
  let total = 0, weight = 0;
  const rows = every.map((name) => {
    const of = (place) => (place.actions.find((action) => action.name === name) || { share: 0 }).share;
    return [name, percent(of(a)), percent(of(b)), (100 * (of(b) - of(a))).toFixed(1).replace(/^-0\.0$/, "0.0")];
  });
  a.rows.forEach((row, hole) => {
    if (!row || !b.rows[hole]) return;
    weight += a.weights[hole];
    total += a.weights[hole] * every.reduce((sum, name) => sum + Math.abs(share(a, hole, name) - share(b, hole, name)), 0) / 2;
  });
  return h("div", { class: "panel" }, h("h2", {}, "Difference"),
    h("p", { class: "muted small" }, `They would act differently with ${percent(weight ? total / weight : 0)} of the first one's range (total variation, weighted by reach).`),
    h("div", { class: "scroll" }, h("table", { class: "figures" }, h("tr", {}, ["action", a.agent, b.agent, "points"].map((text) => h("th", {}, text))),
      rows.map((row) => h("tr", {}, row.map((text) => h("td", {}, text)))))));
}

function boardPanel(place) {
  const most = Math.max(place.board_cards, 0) || 5;
  return h("div", { class: "panel", style: { marginTop: "14px" } }, h("h2", {}, "Board"),
    h("div", { class: "controls", style: { marginBottom: "10px", alignItems: "center" } }, state.board.map(cardElement),
      h("button", { disabled: !place.needs_board, onclick: () => { state.board = randomBoard(place.board_cards); load(); } }, "Deal at random"),
      h("button", { disabled: !state.board.length, onclick: () => { state.board = []; load(); } }, "Clear")),
    picker(state.board, most, (cards) => { state.board = cards; state.chosen = null; load(); }));
}

function randomBoard(count) {
  const deck = Array.from({ length: 52 }, (_, card) => cardName(card)).filter((name) => !state.board.includes(name));
  const board = [...state.board];
  while (board.length < count) board.push(deck.splice(Math.floor(Math.random() * deck.length), 1)[0]);
  return board;
}

/** The hands of the class that is chosen, and what else is in their buckets. */
function contents(place) {
  if (state.chosen === null || !place.rows.length) return h("p", { class: "muted small", style: { marginTop: "10px" } }, "Click a class of hands to see its hands and their buckets.");
  const cells = classes(place, place.actions.length), cell = cells[state.chosen];
  const name = className(Math.floor(state.chosen / 13), state.chosen % 13);
  const hand = (hole) => h("div", { class: "hand" }, h("span", { class: "cards" }, [HOLES[hole][1], HOLES[hole][0]].map((card) => cardElement(cardName(card)))),
    bar(names(place), place.rows[hole].slice(2)));
  const numbers = [...new Set(cell.hands.map((hole) => place.rows[hole][1]))].sort((a, b) => a - b);
  const blocks = numbers[0] === -1 ? [h("div", { class: "hands" }, cell.hands.map(hand))] : numbers.slice(0, 6).map((number) => {
    const members = place.rows.flatMap((row, hole) => (row && row[1] === number ? [hole] : []));
    const counts = new Map();
    members.forEach((hole) => { const index = cells.findIndex((one) => one.hands.includes(hole)); counts.set(index, (counts.get(index) || 0) + 1); });
    const said = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 24).map(([index, count]) => `${className(Math.floor(index / 13), index % 13)}${count > 1 ? `×${count}` : ""}`);
    return h("div", {}, h("h3", {}, `Bucket ${number}: ${members.length} hands on this board`), h("p", { class: "muted small", style: { margin: "0 0 4px" } }, said.join("  ")),
      h("div", { class: "hands" }, cell.hands.filter((hole) => place.rows[hole][1] === number).map(hand)));
  });
  return h("div", { class: "panel", style: { marginTop: "14px" }, id: "contents" }, h("h2", {}, name), h("p", { class: "muted small" },
    `held with ${percent(cell.held)} of the possible hands of this class; outlined classes share a bucket with it`), blocks);
}
