// <doyle-table>: the table, one element that is made once and updated in place over a WebSocket.

import { chips, element, setText, signed, toggle } from "./cards.js";
import { Controls } from "./controls.js";
import { Felt } from "./felt.js";
import { Panels } from "./panels.js";
import { Sound } from "./sound.js";

const RETRY_FIRST = 300;
const RETRY_LONGEST = 5000;
const MOST_TABLES = 30;
const SPEAKER = '<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round">' +
  '<path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z" fill="currentColor"/><path class="waves" d="M15 9a4.5 4.5 0 0 1 0 6M17.6 6.6a8 8 0 0 1 0 10.8"/>' +
  '<path class="cross" d="M16 9.5l5 5M21 9.5l-5 5"/></svg>';

async function request(path, options = {}) {
  const answer = await fetch(path, { headers: { "Content-Type": "application/json" }, ...options });
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error((body && typeof body.detail === "string" && body.detail) || `refused (${answer.status})`);
  return body;
}

const post = (path, body) => request(path, { method: "POST", body: JSON.stringify(body) });

class DoyleTable extends HTMLElement {
  connectedCallback() {
    if (this.made) return;
    this.made = true;
    this.sound = new Sound();
    this.felt = new Felt();
    this.controls = new Controls({ act: (text) => this.act(text), next: () => this.nextHand() });
    this.panels = new Panels((path) => request(path).catch((error) => { this.say(error.message); return null; }));
    this.makeBar();
    this.message = element("div", "message");
    this.message.setAttribute("role", "status");
    this.banner = element("div", "banner");
    const left = element("div", "left");
    left.append(this.felt.root, this.controls.root);
    const body = element("div", "table-body");
    body.append(left, this.panels.root);
    this.append(this.bar, this.banner, body, this.message);
    this.retry = RETRY_FIRST;
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.addEventListener("click", (event) => this.release(event));
    this.start();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.onKey);
    this.closed = true;
    if (this.socket) this.socket.close();
  }

  makeBar() {
    this.bar = element("div", "bar-top");
    this.gameChoice = element("select", "choice");
    this.gameChoice.setAttribute("aria-label", "Game");
    this.agentChoice = element("select", "choice");
    this.agentChoice.setAttribute("aria-label", "Opponent");
    this.newTable = element("button", "new", "New table");
    this.newTable.type = "button";
    this.newTable.addEventListener("click", () => this.create());
    this.gameChoice.addEventListener("change", () => this.fillAgents());
    this.tableChoice = element("select", "choice tables");
    this.tableChoice.setAttribute("aria-label", "Your tables");
    this.tableChoice.addEventListener("change", () => { this.open(this.tableChoice.value); this.tableChoice.blur(); });
    this.ownName = element("input", "choice own-name");
    this.ownName.type = "text";
    this.ownName.maxLength = 40;
    this.ownName.setAttribute("aria-label", "Your name");
    this.ownName.addEventListener("change", () => this.rename());
    this.session = element("div", "session");
    this.sessionHands = element("span", "");
    this.sessionWon = element("b", "");
    this.sessionBase = element("span", "muted");
    this.session.append(this.sessionHands, this.sessionWon, this.sessionBase);
    this.soundButton = element("button", "icon");
    this.soundButton.innerHTML = SPEAKER;
    toggle(this.soundButton, "on", this.sound.on);
    this.soundButton.type = "button";
    this.soundButton.title = "Sound";
    this.soundButton.setAttribute("aria-label", "Sound");
    this.soundButton.addEventListener("click", () => { this.sound.toggle(); toggle(this.soundButton, "on", this.sound.on); });
    this.bar.append(this.gameChoice, this.agentChoice, this.newTable, this.tableChoice, this.ownName, this.session, this.soundButton);
  }

  async start() {
    this.dataset.state = "loading";
    this.work("Loading the table; looking for agents …");
    try {
      this.games = await request("/api/games");
      const session = await post("/api/session", {});
      for (const game of this.games) this.gameChoice.append(new Option(game.title, game.name));
      this.fillTables(session.tables);
      this.ownName.value = this.playerName = session.name;
      const asked = location.hash.slice(1);
      const known = session.tables.find((entry) => entry.table === asked) || session.tables[0];
      const wanted = new URLSearchParams(location.search).get("game");
      if (known && !(wanted && wanted !== known.game)) this.open(known.table);
      else {
        if (wanted) this.gameChoice.value = wanted;
        this.fillAgents();
        await this.create();
      }
    } catch (error) { this.say(error.message); this.work(""); }
  }

  fillAgents() {
    const game = this.games.find((entry) => entry.name === this.gameChoice.value);
    this.agentChoice.textContent = "";
    for (const offer of game.agents) {
      const option = new Option(offer.name, offer.agent);
      option.title = offer.note;
      this.agentChoice.append(option);
    }
  }

  // One's tables, newest first, to return to.
  fillTables(tables) {
    const title = (name) => (this.games.find((game) => game.name === name) || { title: name }).title;
    this.tableChoice.textContent = "";
    for (const entry of tables.slice(0, MOST_TABLES)) {
      const made = new Date(entry.created_at).toLocaleString([], { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
      this.tableChoice.append(new Option(`${title(entry.game)} · ${entry.agents[0]} · ${made}`, entry.table));
    }
    if (this.id) this.tableChoice.value = this.id;
    toggle(this.tableChoice, "shown", tables.length > 1);
  }

  async create() {
    this.newTable.disabled = true;
    this.work("Opening a table …");
    try {
      const made = await post("/api/tables", { game: this.gameChoice.value, agents: [this.agentChoice.value] });
      this.open(made.table, true);
      this.fillTables(await request("/api/tables"));
    } catch (error) { this.say(error.message); this.work(""); }
    this.newTable.disabled = false;
  }

  async rename() {
    try {
      const renamed = await request("/api/session/name", { method: "PUT", body: JSON.stringify({ name: this.ownName.value }) });
      this.playerName = renamed.name;
    } catch { this.say("A name has 1 to 40 letters, digits, spaces, dots, apostrophes or hyphens."); }
    this.ownName.value = this.playerName;
  }

  // What is being waited for, in the middle of the felt.
  work(text) {
    this.felt.work(text);
    this.setAttribute("aria-busy", String(Boolean(text)));
  }

  // A button that was clicked with a pointer does not keep the keys: Space and Enter belong to the hand.
  // One that was reached with Tab keeps them, except after a new table, where the hand begins.
  release(event) {
    const pressed = event.target.closest("button, a");
    if (pressed && (event.detail > 0 || pressed === this.newTable)) pressed.blur();
  }

  open(id, deal = false) {
    this.id = id;
    this.dealFirst = deal;
    this.table = null;
    this.tableChoice.value = id;
    this.work("Opening the table …");
    history.replaceState(null, "", `#${id}`);
    if (this.socket) { this.socket.onclose = null; this.socket.close(); }
    this.connect();
  }

  connect() {
    if (this.closed) return;
    const id = this.id;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${id}/socket`);
    this.socket = socket;
    socket.onmessage = (event) => { if (this.id === id) this.receive(JSON.parse(event.data)); };
    socket.onopen = () => { this.retry = RETRY_FIRST; toggle(this, "offline", false); };
    socket.onclose = () => {
      if (this.id !== id || this.closed) return;
      toggle(this, "offline", true);
      this.say("Connection lost; trying again …");
      setTimeout(() => this.connect(), this.retry);
      this.retry = Math.min(2 * this.retry, RETRY_LONGEST);
    };
  }

  receive(message) {
    if (message.type === "refused") { this.say(message.detail); this.work(""); return; }
    const before = this.table;
    this.table = message;
    this.waiting = false;
    message.dealing = this.dealFirst && !message.hand;
    this.work(message.dealing ? "Dealing the first hand; the agent is being loaded …" : "");
    this.show(message, before);
    if (message.dealing) { this.dealFirst = false; this.nextHand(); }
  }

  show(table, before) {
    if (!before || before.table !== table.table) this.showChoice(table);
    this.felt.update(table);
    this.controls.update(table);
    this.panels.update(table);
    const { hands, won, baseline, baseline_hands: counted } = table.session;
    setText(this.sessionHands, hands === 1 ? "1 hand" : `${hands} hands`);
    setText(this.sessionWon, hands ? ` ${signed(won)}` : "");
    toggle(this.sessionWon, "good", won > 0);
    toggle(this.sessionWon, "bad", won < 0);
    const unit = table.game.limit ? ["sb/h", table.game.bets[0]] : ["bb/h", table.game.big_blind];
    setText(this.sessionBase, hands ? ` ${signed(won / hands / unit[1])} ${unit[0]}` + (counted ? ` · baseline ${signed(baseline)}` : "") : "");
    this.say(table.problem || "");
    this.playSounds(table, before);
    this.dataset.hand = table.hand ? table.hand.number : 0;
    this.dataset.state = !table.hand ? "empty" : table.hand.over ? "over" : table.hand.legal ? "turn" : "wait";
  }

  showChoice(table) {
    this.gameChoice.value = table.game.name;
    this.fillAgents();
    this.agentChoice.value = table.agents.find((agent) => agent);
    const game = this.games.find((entry) => entry.name === table.game.name);
    const starter = table.agents.includes("starter");
    this.banner.textContent = "";
    toggle(this.banner, "shown", starter);
    if (!starter) return;
    this.banner.append("You play ", element("b", "", "starter"), ", a small strategy that comes with doyle. ");
    if (game && game.stronger) this.banner.append(element("code", "", `doyle build ${game.stronger}`), " builds a stronger opponent in about eight minutes.");
    else this.banner.append("Name other agents after ", element("code", "", "doyle serve"), " to play them.");
  }

  playSounds(table, before) {
    if (!before || !before.hand || !table.hand) return;
    if (before.hand.number !== table.hand.number) this.sound.play("deal");
    else if (table.hand.over && !before.hand.over) this.sound.play("win");
    else if (table.hand.legal && !before.hand.legal) this.sound.play("turn");
    else if (table.hand.number_of_actions !== before.hand.number_of_actions) this.sound.play("act");
  }

  send(message) {
    if (this.waiting || !this.socket || this.socket.readyState !== WebSocket.OPEN) return;
    this.waiting = true;
    this.socket.send(JSON.stringify(message));
    setTimeout(() => { this.waiting = false; }, 400);
  }

  act(action) {
    const hand = this.table && this.table.hand;
    if (hand && hand.legal) this.send({ type: "act", hand: hand.number, number: hand.number_of_actions, action });
  }

  nextHand() {
    const hand = this.table && this.table.hand;
    if (!hand || hand.over) this.send({ type: "next", after: hand ? hand.number : 0 });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.table) return;
    const target = event.target;
    const typing = target.matches && target.matches("input[type=number], input[type=text], textarea, select");
    if (typing && event.key !== "Enter") return;
    if (target.matches && target.matches("button, a") && (event.key === " " || event.key === "Enter")) return;
    if (target === this.ownName) { target.blur(); return; }
    if (typing) { this.controls.choose(Number(this.controls.amount.value) + this.controls.offset); target.blur(); }
    if (this.controls.key(event)) event.preventDefault();
  }

  say(text) {
    setText(this.message, text);
    toggle(this.message, "shown", Boolean(text));
  }
}

customElements.define("doyle-table", DoyleTable);
