// The spot solver: ranges, sliders for sizes, a solve with progress, places to walk, locks by clicking.
import { ask, bar, cardElement, cardsOf, className, classes, colours, fact, fill, grid, h, notice, padlock, percent, picker, table, watch, whenThere, whole } from "./common.js";

const form = {
  board: cardsOf("Ks7h4d2cJs"), pot: 200, stacks: 800, target: 0.5, sizes: [50, 100, 0], allIn: true,
  ranges: ["22+,A2s+,K9s+,QTs+,JTs,T9s,98s,87s,A9o+,KTo+,QJo", "22-TT,A2s-AQs,K9s+,Q9s+,J9s+,T8s+,97s+,86s+,76s,ATo+,KJo+,QJo"],
};
const state = { job: null, status: null, solved: null, history: "", board: "", place: null, locks: [], chosen: null, problem: null, cancelled: false };
let parts;

whenThere("spot", (root) => {
  parts = { form: h("div", { class: "panel" }), progress: h("div", {}), body: h("div", {}) };
  fill(root, parts.form, parts.progress, parts.body);
  drawForm();
});

function drawForm() {
  const number = (name, label, least, most) => h("label", { class: "field" }, h("span", {}, label), h("input", {
    id: name, type: "number", min: least, max: most, value: form[name], style: { width: "96px" }, onchange: (event) => { form[name] = Number(event.target.value); } }));
  const range = (seat, label) => h("label", { class: "field grow" }, h("span", {}, label), h("textarea", { id: `range${seat}`, spellcheck: false, maxLength: 20000,
    value: form.ranges[seat], onchange: (event) => { form.ranges[seat] = event.target.value; } }));
  const size = (k) => {
    const shown = h("b", {}, form.sizes[k] ? `${form.sizes[k]}% of the pot` : "off");
    return h("div", { class: "size" }, h("label", { class: "field" }, h("span", {}, `Bet size ${k + 1}: `, shown), h("input", { type: "range", id: `size${k}`, min: 0, max: 300, step: 5, value: form.sizes[k],
      oninput: (event) => { const given = Number(event.target.value); form.sizes[k] = given < 10 ? 0 : given; shown.textContent = form.sizes[k] ? `${form.sizes[k]}% of the pot` : "off"; } })));
  };
  fill(parts.form, h("h2", {}, "A spot"),
    h("div", { class: "controls" }, h("div", { class: "field" }, h("span", {}, "Board: turn or river"), h("div", { class: "cards" }, form.board.map(cardElement), form.board.length ? null : h("span", { class: "muted" }, "none"))),
      number("pot", "Pot (even)", 2, 1000000), number("stacks", "Stacks behind", 1, 1000000), number("target", "Solve to, % of pot", 0.1, 50)),
    h("details", { style: { margin: "10px 0" } }, h("summary", { class: "muted small" }, "▸ Pick the board"), picker(form.board, 5, (cards) => { form.board = cards; drawForm(); parts.form.querySelector("details").open = true; })),
    h("div", { class: "controls" }, range(0, "Range of the first to act"), range(1, "Range of the second")),
    h("div", { class: "sizes", style: { margin: "12px 0" } }, [0, 1, 2].map(size),
      h("div", { class: "size" }, h("label", {}, h("input", { type: "checkbox", checked: form.allIn, onchange: (event) => { form.allIn = event.target.checked; } }), "all-in"))),
    locks(),
    h("div", { class: "controls" }, h("button", { class: "primary", id: "solve", disabled: state.status === "running", onclick: solve }, state.locks.length ? "Solve with locks" : "Solve"),
      h("button", { class: "danger", id: "cancel", disabled: state.status !== "running", onclick: cancel }, "Cancel")));
}

function locks() {
  if (!state.locks.length) return null;
  return h("div", { class: "notice", style: { marginBottom: "12px" } }, h("b", {}, "Locked: "), state.locks.map((lock, k) => h("span", { style: { marginRight: "10px" } }, h("code", { class: "lock" }, lock.said),
    " ", h("button", { style: { padding: ".1rem .45rem" }, title: "unlock", onclick: () => { state.locks.splice(k, 1); drawForm(); drawPlace(); } }, "×"))));
}

async function solve() {
  state.cancelled = false;
  state.problem = null;
  if (state.job) ask(`/api/jobs/${state.job}`, undefined, "DELETE").catch(() => {});
  Object.assign(state, { job: null, place: null, solved: null, status: "running", progress: {} });
  drawForm();
  drawProgress();
  fill(parts.body);
  const question = { board: form.board.join(""), ranges: form.ranges, pot: Math.round(form.pot), stacks: Math.round(form.stacks),
    sizes: form.sizes.filter((size) => size >= 10), all_in: form.allIn, locks: state.locks.map((lock) => lock.text), target_percent: Number(form.target) };
  try {
    const job = await ask("/api/explorer/spots", question);
    state.job = job.job;
    if (state.cancelled) { cancel(); return; }
    const ended = await watch(job, (found) => { state.progress = found.progress; drawProgress(); }, () => state.cancelled || state.job !== job.job);
    if (!ended) return;
    state.status = ended.status;
    if (ended.status === "failed") state.problem = ended.problem;
    else state.solved = ended.result;
  } catch (error) {
    state.status = "failed";
    state.problem = error.message;
  }
  drawForm();
  drawProgress();
  if (state.solved) { state.history = ""; state.board = form.board.join(""); state.chosen = null; await load(); }
}

function cancel() {
  state.cancelled = true;
  state.status = "cancelled";
  if (state.job) ask(`/api/jobs/${state.job}`, undefined, "DELETE").catch(() => {});
  state.job = null;
  drawForm();
  drawProgress();
}

function drawProgress() {
  if (state.problem) { fill(parts.progress, notice(state.problem, true)); return; }
  if (state.status === "cancelled") { fill(parts.progress, notice("Cancelled.")); return; }
  if (state.status === "running") {
    const { iterations = 0, percent: now } = state.progress;
    const done = now ? Math.min(1, Math.log(100 / Math.max(now, form.target)) / Math.log(100 / form.target)) : 0.03;
    fill(parts.progress, h("div", { class: "panel", style: { marginTop: "14px" } }, h("div", { class: "progress" }, h("i", { style: { width: `${100 * done}%` } })),
      h("span", { class: "muted small" }, iterations ? `${whole(iterations)} iterations, exploitability ${now}% of the pot` : "starting a process for it")));
    return;
  }
  const solved = state.solved;
  fill(parts.progress, solved ? h("div", { class: "panel", style: { marginTop: "14px" } }, h("div", { class: "facts", style: { margin: 0 } },
    fact(solved.pot_shares.map((share) => share.toFixed(1)).join(" : "), `of the pot of ${whole(solved.spot.pot)}`), fact(`${solved.exploitability_percent_of_pot.toFixed(3)}%`, "exploitability, of pot"),
    fact(whole(solved.iterations), "iterations"), fact(`${solved.seconds.toFixed(2)} s`, "solving"), fact(solved.memory_bytes < 1e6 ? `${(solved.memory_bytes / 1e3).toFixed(0)} kB` : `${(solved.memory_bytes / 1e6).toFixed(0)} MB`, "tables"))) : null);
}

async function load() {
  parts.body.classList.add("busy");
  try {
    state.place = await ask(`/api/explorer/spots/${state.job}/place`, { history: state.history, board: state.board });
    state.problem = null;
    parts.body.classList.remove("busy");
    drawPlace();
  } catch (error) {
    parts.body.classList.remove("busy");
    fill(parts.body, notice(error.message, true), back());
  }
}

const back = () => h("button", { style: { marginTop: "10px" }, onclick: () => { state.history = ""; state.board = form.board.join(""); load(); } }, "Back to the first decision");

function drawPlace() {
  const place = state.place;
  if (!place) return;
  const names = place.names, shades = colours(names);
  const rows = names.map((name, k) => h("div", { class: "row" }, h("button", { class: "action", "data-action": place.actions[k], onclick: () => step(place.actions[k]) },
    h("span", { class: "key", style: { background: shades[k] } }), h("span", {}, name), h("span", { class: "share" }, `${percent(place.frequencies[k] || 0)}  ${place.values[k] === null ? "" : place.values[k].toFixed(1)}`),
    h("span", { class: "meter", style: { background: shades[k], width: `${100 * (place.frequencies[k] || 0)}%` } })),
  h("button", { class: `locker${isLocked(place.actions[k]) ? " on" : ""}`, "data-lock": place.actions[k], title: `lock: always ${name} here${chosenName() ? ` with ${chosenName()}` : ""}`, "aria-label": `lock ${name}`, onclick: () => lock(place.actions[k], name) }, padlock())));
  fill(parts.body, h("div", { class: "columns" },
    h("div", { class: "panel" }, h("h2", {}, `${place.seat === 0 ? "First" : "Second"} to act${place.history ? ` after ${place.history}` : ""}`),
      grid(place, names, { chosen: state.chosen, onPick: (index) => { state.chosen = state.chosen === index ? null : index; drawPlace(); } }), bar(names, place.frequencies.map((share) => share || 0))),
    h("div", { class: "panel" }, h("h2", {}, "Actions: how often, value in chips"), h("div", { class: "actions" }, rows),
      h("p", { class: "muted small" }, chosenName() ? `The lock is for ${chosenName()} alone; click the class again for all hands.` : "A padlock fixes an action for all hands; choose a class of hands first to lock it alone. Then solve again."),
      place.history ? back() : null, chosenTable(place))));
}

const chosenName = () => (state.chosen === null ? "" : className(Math.floor(state.chosen / 13), state.chosen % 13));
const isLocked = (action) => state.locks.some((lock) => lock.history === state.place.history && lock.action === action);

function lock(action, name) {
  const history = state.place.history, hands = chosenName();
  const same = state.locks.findIndex((one) => one.history === history);
  const again = same >= 0 && state.locks[same].action === action && state.locks[same].hands === hands;
  if (same >= 0) state.locks.splice(same, 1);
  if (!again) state.locks.push({ history, action, hands, text: `${history}=${action}${hands ? `@${hands}` : ""}`, said: `${history || "first decision"}: ${name}${hands ? ` with ${hands}` : ""}` });
  drawForm();
  drawPlace();
}

function step(action) {
  const next = `${state.place.history}${action}`;
  state.history = next;
  state.chosen = null;
  if (action === "f") { fill(parts.body, notice("A fold ends the hand."), back()); return; }
  deal(next);
}

/** Walks on; where the next street begins its card is asked for. */
async function deal(next) {
  const cards = cardsOf(state.board);
  try {
    state.place = await ask(`/api/explorer/spots/${state.job}/place`, { history: next, board: state.board });
    drawPlace();
  } catch (error) {
    if (/board of 5 cards is needed/.test(error.message) && cards.length === 4) {
      fill(parts.body, h("div", { class: "panel" }, h("h2", {}, "The river card"), picker([], 1, (chosen) => { state.board = form.board.join("") + chosen[0]; load(); }, new Set(cards))), back());
      return;
    }
    fill(parts.body, notice(/hand is over/.test(error.message) ? "The betting is over: showdown." : error.message), back());
  }
}

function chosenTable(place) {
  if (state.chosen === null) return null;
  const cell = classes(place, place.names.length)[state.chosen], n = place.names.length;
  if (!cell.weight) return h("p", { class: "muted" }, `${chosenName()} is not here.`);
  const mean = (column) => cell.hands.reduce((sum, hole) => sum + place.weights[hole] * place.rows[hole][column], 0) / cell.weight;
  return h("div", {}, h("h3", {}, chosenName()), table(["", ""], [...place.names.map((name, k) => [name, percent(cell.shares[k])]), ["value", `${mean(2 + n).toFixed(2)} chips`], ["equity", percent(mean(3 + n))]]));
}
