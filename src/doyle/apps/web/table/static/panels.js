// Beside the felt: the hand in words, why the agent did what it did, hands before, and whether it was fair.

import { cardText, chips, element, setText, settled, signed, toggle } from "./cards.js";
import { retrievedCases } from "./why_cases.js";
import { DoyleGrid, handClass } from "/assets/static/grid.js";
import { sha256 } from "/assets/static/sha256.js";

const ROUNDS = ["Preflop", "Flop", "Turn", "River"];

class History {
  constructor() {
    this.root = element("div", "panel-body history");
    this.root.setAttribute("aria-live", "polite");
    this.shown = [];
    this.hand = 0;
  }
  update(table) {
    const hand = table.hand;
    if (!hand) { setText(this.root, table.dealing ? "Dealing the first hand …" : "Deal a hand to begin."); this.hand = 0; return; }
    const lines = this.lines(table, hand);
    if (hand.number !== this.hand) { this.root.textContent = ""; this.shown = []; this.hand = hand.number; }
    lines.slice(this.shown.length).forEach((line) => this.root.append(line.make()));
    if (lines.length > this.shown.length) this.root.scrollTop = this.root.scrollHeight;
    this.shown = lines;
  }
  lines(table, hand) {
    const found = [{ make: () => element("div", "street", `Hand ${hand.number}`) }];
    const blinds = hand.seats.map((seat, number) => [table.game.blinds[seat.position], number]).filter(([blind]) => blind);
    blinds.sort((one, other) => one[0] - other[0]);
    for (const [blind, number] of blinds) found.push(said(table, number, `posts ${chips(blind)}`));
    let round = 0;
    const streets = (until) => {
      while (round < until) { round += 1; found.push(street(round, hand.board)); }
    };
    for (const entry of hand.log) {
      streets(entry.round);
      found.push(said(table, entry.seat, entry.text + (entry.note ? ` (${entry.note})` : "")));
    }
    streets(hand.round);
    if (hand.reveal) {
      const { returned, collected } = settled(hand);
      returned.forEach((amount, number) => { if (amount) found.push(said(table, number, `gets back ${chips(amount)}, which nobody called`)); });
      hand.reveal.seats.forEach((seat, number) => found.push(shows(table, number, seat)));
      collected.forEach((amount, number) => { if (amount > 0) found.push(said(table, number, `collects ${chips(amount)} from the pot`)); });
    }
    return found;
  }
}

function said(table, seat, text) {
  return { make: () => {
    const line = element("div", seat === table.seat ? "line own" : "line");
    const own = seat === table.seat && table.names[seat] === "You";  // "You call", not "You calls"
    line.append(element("b", "", table.names[seat]), ` ${own ? text.replace(/^(\w+?)s\b/, "$1") : text}`);
    return line;
  } };
}

function street(round, board) {
  return { make: () => {
    const line = element("div", "street", ROUNDS[round]);
    const from = round === 1 ? 0 : round + 1;
    for (const card of board.slice(from, round + 2)) line.append(" ", cardText(card));
    return line;
  } };
}

function shows(table, number, seat) {
  return { make: () => {
    const line = element("div", "line result");
    line.append(element("b", "", table.names[number]), " ");
    for (const card of seat.hole) line.append(cardText(card), " ");
    if (seat.made) line.append(`${seat.made} `);
    line.append(element("span", seat.won > 0 ? "good" : seat.won < 0 ? "bad" : "", signed(seat.won)));
    return line;
  } };
}

class Why {
  constructor(fetchJson) {
    this.fetchJson = fetchJson;
    this.root = element("div", "panel-body why");
    this.note = element("p", "note");
    this.steps = element("div", "steps");
    this.detail = element("div", "detail");
    this.grid = new DoyleGrid();
    this.root.append(this.note, this.steps, this.detail);
    this.hand = 0;
    this.chosen = 0;
  }
  update(table) {
    const hand = table.hand;
    const ready = hand && hand.reveal && hand.reveal.explained;
    if (!ready) {
      if (this.hand) { this.steps.textContent = ""; this.detail.textContent = ""; this.hand = 0; }
      setText(this.note, hand && hand.reveal ? "Counting …" : "When the hand is over you see how the agent read your bets, what it held, and what its whole range would have done.");
      return;
    }
    if (this.hand === hand.number) return;
    this.hand = hand.number;
    this.load(table, hand);
  }
  async load(table, hand) {
    const why = await this.fetchJson(`/api/tables/${table.table}/hands/${hand.number}/why`);
    if (!why || this.hand !== hand.number) return;
    this.why = why;
    this.table = table;
    const baseline = why.baseline === null ? "" : `With your cards the agent would have won ${signed(why.baseline)} on average; you won ${signed(hand.reveal.seats[table.seat].won)}.`;
    setText(this.note, why.decisions.length ? baseline : `The agent made no decision in this hand. ${baseline}`);
    this.steps.textContent = "";
    why.decisions.forEach((decision, place) => {
      const made = element("button", "step", `${ROUNDS[decision.round]} · ${decision.action}`);
      made.type = "button";
      made.addEventListener("click", () => this.show(place, hand));
      this.steps.append(made);
    });
    this.detail.textContent = "";
    if (why.decisions.length) this.show(why.decisions.length - 1, hand);
  }
  show(place, hand) {
    const decision = this.why.decisions[place];
    [...this.steps.children].forEach((step, number) => toggle(step, "chosen", number === place));
    this.detail.textContent = "";
    const seat = hand.seats.findIndex((entry) => entry.position === decision.position);
    const hole = hand.reveal.seats[seat].hole;
    const head = element("p", "held");
    head.append(`${this.table.names[seat]} held `, cardText(hole[0]), " ", cardText(hole[1]));
    if (decision.buckets) head.append(`, bucket ${decision.bucket} of ${decision.buckets}`);
    this.detail.append(head);
    if (decision.actions) this.detail.append(bars(decision));
    if (decision.retrieved) this.detail.append(retrievedCases(decision.retrieved));
    if (decision.range) {
      this.grid.update(decision.range, handClass(hole));
      this.detail.append(element("h4", "", "Its whole range here"), this.grid.root, legend(decision.range));
    }
    if (decision.histories) this.detail.append(reading(decision));
    if (decision.search && decision.search.searched) this.detail.append(solution(decision.search));
  }
}

// What a searching agent solved, and what it would have done without.
function solution(found) {
  const box = element("div", "reading solution"), solved = found.search;
  box.append(element("h4", "", `Solved from the start of the ${ROUNDS[solved.round].toLowerCase()}`));
  box.append(pair("pot", chips(solved.pot), ""));
  box.append(pair("bets", solved.bets, solved.added.length ? `and ${solved.added.join(", ")}` : ""));
  box.append(pair("could lose", `${solved.exploitability_percent_of_pot.toFixed(1)}% of the pot`, `${solved.iterations} iterations`));
  box.append(pair("ranges", `${solved.ranges.map((hands) => hands.toFixed(0)).join(" and ")} hands by weight`, ""));
  box.append(element("h4", "", `Without search (${found.blueprint.agent})`));
  for (const entry of found.blueprint.actions) {
    if (entry.probability >= 0.005) box.append(pair(entry.name, "", `${(100 * entry.probability).toFixed(0)}%`));
  }
  return box;
}

function bars(decision) {
  const box = element("div", "bars");
  decision.actions.forEach((entry, number) => {
    const row = element("div", entry.action === decision.action ? "bar chosen" : "bar");
    const fill = element("span", "fill");
    fill.style.width = `${100 * entry.probability}%`;
    fill.style.background = decision.range ? decision.range.colours[number] : "var(--green)";
    row.append(element("span", "bar-name", entry.name), fill, element("b", "", `${(100 * entry.probability).toFixed(entry.probability > 0 && entry.probability < 0.01 ? 1 : 0)}%`));
    box.append(row);
  });
  return box;
}

function legend(range) {
  const box = element("div", "legend");
  range.names.forEach((name, number) => {
    const entry = element("span", "", `${name} ${Math.round(100 * range.overall[number])}%`);
    entry.style.setProperty("--colour", range.colours[number]);
    box.append(entry);
  });
  return box;
}

function reading(decision) {
  const box = element("div", "reading");
  box.append(element("h4", "", `How it read the betting (${decision.translation.mapping})`));
  box.append(pair("really", decision.betting || "(nothing yet)", ""));
  if (!decision.histories.length) box.append(element("p", "note", "Its strategy never comes here with this hand, so it calls."));
  for (const history of decision.histories) {
    box.append(pair("as", history.betting || "(nothing yet)", `${(100 * history.weight).toFixed(1)}%${history.waits ? ", waits" : ""}`));
  }
  if (decision.defence) box.append(element("p", "note", `The worst hands fold first: it folds ${(100 * decision.defence.folds).toFixed(0)}% instead of ${(100 * decision.defence.by_strategy).toFixed(0)}%.`));
  return box;
}

function pair(name, value, share) {
  const line = element("div", "pair");
  line.append(element("span", "", name), element("code", "", value), element("b", "", share));
  return line;
}

class Hands {
  constructor(fetchJson) {
    this.fetchJson = fetchJson;
    this.root = element("div", "panel-body hands");
    this.links = element("p", "note");
    this.list = element("div", "list");
    this.opened = element("div", "opened");
    this.root.append(this.links, this.list, this.opened);
    this.shown = "";
  }
  // One hand before, in the place of the list: its betting, the agent's reasons and its deck.
  async open(table, number) {
    const hand = await this.fetchJson(`/api/tables/${table.table}/hands/${number}`);
    if (!hand) return;
    const back = element("button", "step", "All hands");
    back.type = "button";
    back.addEventListener("click", () => { toggle(this.root, "one", false); this.opened.textContent = ""; });
    this.opened.textContent = "";
    this.opened.append(back);
    for (const part of [new History(), new Why(this.fetchJson), new Fair()]) {
      part.root.classList.replace("panel-body", "part");
      part.update({ ...table, hand });
      this.opened.append(part.root);
    }
    toggle(this.root, "one", true);
  }
  async update(table, visible) {
    const key = `${table.table} ${table.session.hands} ${table.session.baseline_hands}`;
    if (!visible || key === this.shown) return;
    this.shown = key;
    this.links.textContent = "";
    for (const [kind, name] of [["phhs", "PHH"], ["log", "ACPC log"]]) {
      const link = element("a", "", name);
      link.href = `/api/tables/${table.table}/hands.${kind}`;
      link.setAttribute("download", "");
      this.links.append(kind === "phhs" ? "Download: " : " · ", link);
    }
    const hands = await this.fetchJson(`/api/tables/${table.table}/hands?most=100`);
    if (!hands || this.shown !== key) return;
    this.list.textContent = "";
    for (const hand of hands) {
      const row = element("button", "hand-row");
      row.type = "button";
      row.setAttribute("aria-label", `Open hand ${hand.number}`);
      row.addEventListener("click", () => this.open(table, hand.number));
      const cards = element("span", "");
      for (const card of hand.hole) cards.append(cardText(card), " ");
      row.append(element("span", "muted", `#${hand.number}`), cards, element("code", "", hand.betting), element("b", hand.won > 0 ? "good" : hand.won < 0 ? "bad" : "", signed(hand.won)));
      this.list.append(row);
    }
  }
}

class Fair {
  constructor() {
    this.root = element("div", "panel-body fair");
    this.root.append(element("p", "note", "Before the first bet the server commits to the whole deck: SHA-256 of 32 random bytes and the deck. Afterwards both are shown, and your browser checks them."));
    this.commitment = element("code", "hash");
    this.verdict = element("p", "verdict");
    this.salt = element("code", "hash");
    this.deck = element("div", "deck");
    this.root.append(element("h4", "", "Commitment"), this.commitment, this.verdict, element("h4", "", "Random bytes"), this.salt, element("h4", "", "Deck"), this.deck);
    this.checked = "";
  }
  update(table) {
    const hand = table.hand;
    setText(this.commitment, hand ? hand.commitment : "–");
    const reveal = hand && hand.reveal;
    setText(this.salt, reveal ? reveal.salt : "shown when the hand is over");
    toggle(this.verdict, "good", false);
    const key = reveal ? hand.commitment : "";
    if (key === this.checked && key) { toggle(this.verdict, "good", this.verdict.dataset.valid === "yes"); return; }
    this.checked = key;
    this.deck.textContent = "";
    if (!reveal) { setText(this.verdict, ""); toggle(this.verdict, "bad", false); setText(this.deck, "shown when the hand is over"); return; }
    for (const card of reveal.deck.match(/../g)) this.deck.append(cardText(card), " ");
    const valid = check(hand.commitment, reveal);
    this.verdict.dataset.valid = valid ? "yes" : "no";
    toggle(this.verdict, "good", valid);
    toggle(this.verdict, "bad", !valid);
    setText(this.verdict, valid ? "✓ The deck is the one that was committed to." : "✗ The deck is not the one that was committed to.");
  }
}

function check(commitment, { salt, deck }) {
  const random = salt.match(/../g).map((digits) => parseInt(digits, 16));
  return sha256([...random, ...new TextEncoder().encode(deck)]) === commitment;
}

export class Panels {
  constructor(fetchJson) {
    this.root = element("aside", "panels");
    this.tabs = element("div", "tabs");
    this.tabs.setAttribute("role", "tablist");
    this.parts = { History: new History(), Why: new Why(fetchJson), Hands: new Hands(fetchJson), Fair: new Fair() };
    this.buttons = {};
    this.root.append(this.tabs);
    for (const [name, part] of Object.entries(this.parts)) {
      const tab = element("button", "tab", name);
      tab.type = "button";
      tab.setAttribute("role", "tab");
      tab.addEventListener("click", () => this.choose(name));
      this.buttons[name] = tab;
      this.tabs.append(tab);
      this.root.append(part.root);
    }
    this.choose("History");
  }
  choose(name) {
    this.chosen = name;
    for (const [other, part] of Object.entries(this.parts)) {
      toggle(part.root, "shown", other === name);
      toggle(this.buttons[other], "chosen", other === name);
      this.buttons[other].setAttribute("aria-selected", other === name);
    }
    if (this.table) this.update(this.table);
  }
  update(table) {
    this.table = table;
    for (const [name, part] of Object.entries(this.parts)) part.update(table, name === this.chosen);
    toggle(this.buttons.Why, "ready", table.hand && table.hand.reveal && table.hand.reveal.explained);
  }
}
