// Upload hands and see what each decision loses against an agent.
import { ask, cardRow, fact, fill, h, notice, percent, table, watch, whenThere, whole } from "./common.js";

const LARGEST = 900_000; // as JSON, with its line ends written out, it must stay below what the server takes
const state = { strategies: [], agent: 0, player: "", spots: "river", status: null, job: null, result: null, problem: null, cancelled: false, progress: {} };
let parts;

whenThere("review", async (root) => {
  parts = { form: h("div", { class: "panel" }), body: h("div", {}) };
  fill(root, parts.form, parts.body);
  fill(parts.body, notice("Looking for agents that can judge …"));
  try { state.strategies = await ask("/api/explorer/strategies"); } catch (error) { state.problem = error.message; }
  draw();
});

function draw() {
  const input = h("input", { type: "file", id: "file", accept: ".phh,.phhs,.log", style: { display: "none" }, onchange: (event) => { if (event.target.files[0]) upload(event.target.files[0]); } });
  const drop = h("div", { class: "drop", ondragover: (event) => { event.preventDefault(); drop.classList.add("over"); }, ondragleave: () => drop.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); drop.classList.remove("over"); if (event.dataTransfer.files[0]) upload(event.dataTransfer.files[0]); } },
  h("p", { style: { margin: "0 0 10px" } }, "Drop a hand history here: PHH (.phh, .phhs) or an ACPC log (.log), at most 900 kB and 200 hands."), input,
  h("button", { class: "primary", disabled: state.status === "running", onclick: () => input.click() }, "Choose a file"));
  fill(parts.form, h("h2", {}, "Bring your own hands"), h("div", { class: "controls", style: { marginBottom: "12px" } },
    h("label", { class: "field grow" }, h("span", {}, "Judged by"), h("select", { id: "judge", onchange: (event) => { state.agent = Number(event.target.value); } }, state.strategies.map((one, k) => h("option", { value: k, selected: k === state.agent }, `${one.name} · ${one.game}`)))),
    h("label", { class: "field" }, h("span", {}, "Player (if there is a choice)"), h("input", { id: "player", value: state.player, maxLength: 120, onchange: (event) => { state.player = event.target.value; } })),
    h("label", { class: "field" }, h("span", {}, "Checked by the spot solver"), h("select", { onchange: (event) => { state.spots = event.target.value; } },
      [["none", "nothing"], ["river", "river decisions"], ["late", "turn and river"]].map(([value, text]) => h("option", { value, selected: value === state.spots }, text))))), drop);
  if (state.problem) { fill(parts.body, notice(state.problem, true)); return; }
  if (state.status === "running") {
    const { done = 0, total = 1, label = "starting a process for it" } = state.progress;
    fill(parts.body, h("div", { class: "panel", style: { marginTop: "14px" } }, h("div", { class: "progress" }, h("i", { style: { width: `${Math.max(2, (100 * done) / total)}%` } })),
      h("div", { class: "controls" }, h("span", { class: "muted small" }, `${label}: ${done} of ${total}`), h("button", { class: "danger", onclick: cancel }, "Cancel"))));
    return;
  }
  fill(parts.body, state.result ? shown(state.result) : null);
}

async function upload(file) {
  state.problem = null;
  state.result = null;
  const one = state.strategies[state.agent];
  if (!one) return;
  if (file.size > LARGEST) { state.problem = `${file.name}: ${whole(file.size)} bytes; at most ${whole(LARGEST)} are taken`; draw(); return; }
  Object.assign(state, { status: "running", cancelled: false, progress: {} });
  draw();
  try {
    const text = await file.text();
    const job = await ask("/api/reviews", { name: file.name.slice(-120), text, agent: one.agent, game: one.game, player: state.player || null, spots: state.spots });
    state.job = job.job;
    const ended = await watch(job, (found) => { state.progress = found.progress; draw(); }, () => state.cancelled);
    if (!ended) return;
    state.status = ended.status;
    if (ended.status === "failed") state.problem = ended.problem;
    else state.result = ended.result;
    ask(`/api/jobs/${job.job}`, undefined, "DELETE").catch(() => {});
  } catch (error) {
    state.status = "failed";
    state.problem = error.message;
  }
  draw();
}

function cancel() {
  state.cancelled = true;
  state.status = null;
  if (state.job) ask(`/api/jobs/${state.job}`, undefined, "DELETE").catch(() => {});
  draw();
}

const signed = (number, digits = 1) => `${number > 0 ? "+" : ""}${number.toFixed(digits)}`;
const interval = (width) => (width ? ` ± ${width.toFixed(1)}` : "");

function shown(review) {
  const group = (title, groups) => h("div", { class: "panel", style: { marginTop: "14px" } }, h("h2", {}, title),
    table(["", "decisions", "loss, mbb", "per decision", "spot solver"], groups.map((one) => [one.name, whole(one.decisions), signed(one.loss_mbb) + interval(one.ci95), signed(one.loss_per_decision_mbb), one.solver_decisions ? signed(one.solver_loss_mbb) : ""])));
  return [h("div", { class: "panel", id: "result", style: { marginTop: "14px" } }, h("h2", {}, `${review.player}, judged by ${review.agent}`), h("div", { class: "facts" },
    fact(whole(review.hands), "hands"), fact(whole(review.decisions), "decisions"), fact(review.loss_mbb_per_hand === null ? "–" : signed(review.loss_mbb_per_hand), "mbb lost per hand"),
    fact(signed(review.loss_mbb) + interval(review.ci95), "mbb lost"), fact(review.loss_to_best_mbb.toFixed(1), "mbb below the best actions")),
  h("p", { class: "muted small" }, "Loss: what the agent's own choice would have won more on average, against the range and play that the agent has in the other seat. Before the turn boards are drawn, which the interval is for."),
  Object.entries(review.refused).map(([why, count]) => notice(`${count} hands left out: ${why}`)), Object.entries(review.not_reviewed).map(([why, count]) => notice(`${count} hands not reviewed: ${why}`))),
  group("By street", review.by_street), group("By action", review.by_size),
  h("div", { class: "panel", style: { marginTop: "14px" } }, h("h2", {}, "The hands with the largest losses"), review.worst_hands.map(hand))];
}

function hand(one) {
  return h("details", { class: "found" }, h("summary", {}, h("b", {}, `${one.loss_mbb.toFixed(1)} mbb`), ` · hand ${one.number} · `, cardRow(one.hole), " · ", cardRow(one.board), " ", h("code", {}, one.betting),
    one.won_mbb === null ? "" : ` · won ${signed(one.won_mbb, 0)} mbb`), one.reviewed_decisions.map(decision));
}

function decision(one) {
  const solved = one.options.some((option) => option.solver_value_mbb !== undefined);
  const heads = ["action", "agent", "value, mbb", ...(solved ? ["solver", "value, mbb"] : [])];
  const rows = one.options.map((option) => [option.action, percent(option.probability), signed(option.value_mbb),
    ...(solved ? [option.solver_probability === undefined ? "" : percent(option.solver_probability), option.solver_value_mbb === undefined ? "" : signed(option.solver_value_mbb)] : [])]);
  return h("div", {}, h("h3", {}, `${one.street}: ${one.taken}, loss ${signed(one.loss_mbb)}${interval(one.ci95)} mbb${one.solver_loss_mbb === null ? "" : `, spot solver ${signed(one.solver_loss_mbb)}`}`),
    h("p", { class: "muted small", style: { margin: "0 0 4px" } }, cardRow(one.board), ` pot ${whole(one.pot)}${one.betting ? `, after ${one.betting}` : ""}${one.range_assumed ? "; the agent never plays so from the other seat: every hand counted alike" : ""}`),
    table(heads, rows, (row) => one.options[row].action === one.taken));
}
