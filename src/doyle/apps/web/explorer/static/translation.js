// Drag a bet between two known sizes and see how each mapping reads it.
import { ask, fill, h, notice, percent, table, whenThere, whole } from "./common.js";

const SHADES = ["#d98e32", "#5aa469", "#4a6fa5", "#b83b3b", "#9b6fc0", "#3fa7a7", "#d9c832"];
const state = { lower: 0.5, upper: 2, size: 1, found: null, strategies: [], strategy: 0, betting: "", raise: null, bet: null, problem: null, asked: 0 };
let parts;

whenThere("translation", async (root) => {
  parts = { sizes: h("div", { class: "panel" }), lines: h("div", { class: "panel" }) };
  fill(root, parts.sizes, parts.lines);
  drawFrame();
  await load();
  try {
    state.strategies = (await ask("/api/explorer/strategies")).filter((one) => !one.game.includes("limit-"));
  } catch { state.strategies = []; }
  drawLines();
  loadBet();
});

let line, thumb, value, ends, rows, picture;

function drawFrame() {
  const number = (name, label) => h("label", { class: "field" }, h("span", {}, label), h("input", {
    id: name, type: "number", min: 0, max: 1000, step: 0.05, value: state[name], style: { width: "110px" },
    onchange: (event) => { const given = Number(event.target.value); if (Number.isFinite(given) && given >= 0 && given <= 1000) { state[name] = given; state.size = Math.min(Math.max(state.size, state.lower), state.upper); load(); } },
  }));
  thumb = h("div", { class: "thumb", role: "slider", tabIndex: 0, id: "thumb", "aria-label": "bet size in pots" });
  value = h("div", { class: "value" });
  ends = [h("div", { class: "end", style: { left: "0" } }), h("div", { class: "end", style: { left: "100%" } })];
  line = h("div", { class: "line", id: "line" }, h("div", { class: "track" }), ends, value, thumb);
  picture = h("div", {});
  rows = h("div", { style: { marginTop: "10px" } });
  const move = (event) => {
    const box = line.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    state.size = state.lower + share * (state.upper - state.lower);
    show();
  };
  line.addEventListener("pointerdown", (event) => { line.setPointerCapture(event.pointerId); move(event); });
  line.addEventListener("pointermove", (event) => { if (event.buttons) move(event); });
  line.addEventListener("pointerup", () => load());
  thumb.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.1, PageUp: 0.1 }[event.key];
    if (!step) return;
    event.preventDefault();
    state.size = Math.min(state.upper, Math.max(state.lower, state.size + step * (state.upper - state.lower)));
    show();
    clearTimeout(state.timer);
    state.timer = setTimeout(load, 120);
  });
  fill(parts.sizes, h("h2", {}, "A bet between two known sizes"),
    h("p", { class: "muted small", style: { marginTop: 0 } }, "In pots. Drag the bet: a mapping reads it as the smaller size with the probability shown, else as the larger one."),
    h("div", { class: "controls" }, number("lower", "Known size below"), number("upper", "Known size above")), line, picture, rows);
}

async function load() {
  const number = (state.asked += 1);
  try {
    const found = await ask("/api/explorer/mappings", { lower: state.lower, upper: state.upper, size: state.size });
    if (number !== state.asked) return;
    state.found = found;
    state.problem = null;
  } catch (error) {
    if (number !== state.asked) return;
    state.problem = error.message;
  }
  show();
}

/** While dragging, probabilities are read from the server's curve; at rest they are the server's own. */
function show() {
  const share = (state.size - state.lower) / (state.upper - state.lower || 1);
  thumb.style.left = value.style.left = `${100 * share}%`;
  value.textContent = `${state.size.toFixed(3)} pots`;
  thumb.setAttribute("aria-valuenow", state.size.toFixed(3));
  ends[0].textContent = `${state.lower} pots`;
  ends[1].textContent = `${state.upper} pots`;
  if (state.problem) { fill(rows, notice(state.problem, true)); return; }
  const found = state.found;
  if (!found || found.lower !== state.lower || found.upper !== state.upper) return;
  const exact = Math.abs(found.size - state.size) < 1e-12;
  const at = (one) => (exact ? one.probability : one.curve[Math.round(share * (one.curve.length - 1))]);
  fill(picture, curves(found, share));
  fill(rows, table(["mapping", `read as ${state.lower}`, `read as ${state.upper}`, "median, pots"], found.mappings.map((one, k) => [
    h("span", {}, h("i", { class: "key", style: { display: "inline-block", width: "10px", height: "10px", borderRadius: "3px", background: SHADES[k], marginRight: "8px" } }), one.title),
    percent(at(one), 2), percent(1 - at(one), 2), one.median.toFixed(4)])));
}

function curves(found, share) {
  const width = 900, height = 220, pad = 28, svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", "curves");
  const add = (tag, attributes, text) => { const one = document.createElementNS(svg.namespaceURI, tag); for (const [name, given] of Object.entries(attributes)) one.setAttribute(name, given); if (text) one.textContent = text; svg.append(one); };
  const x = (part) => pad + part * (width - pad - 12), y = (p) => 12 + (1 - p) * (height - 40);
  for (const p of [0, 0.5, 1]) { add("line", { x1: x(0), x2: x(1), y1: y(p), y2: y(p), stroke: "#26323f" }); add("text", { x: 2, y: y(p) + 4, fill: "#93a1b1", "font-size": 11 }, String(p)); }
  found.mappings.forEach((one, k) => {
    const points = one.curve.map((p, n) => `${x(n / (one.curve.length - 1)).toFixed(1)},${y(p).toFixed(1)}`).join(" ");
    add("polyline", { points, fill: "none", stroke: SHADES[k], "stroke-width": 2 });
    const median = (one.median - found.lower) / (found.upper - found.lower);
    if (median >= 0 && median <= 1) add("circle", { cx: x(median), cy: y(0.5), r: 4, fill: SHADES[k], stroke: "#fff", "stroke-width": 1 });
  });
  add("line", { x1: x(share), x2: x(share), y1: 8, y2: height - 24, stroke: "#fff", "stroke-dasharray": "4 4" });
  add("text", { x: x(0.5), y: height - 6, fill: "#93a1b1", "font-size": 12, "text-anchor": "middle" }, "probability of the smaller size; dots are medians");
  return svg;
}

function drawLines() {
  if (!state.strategies.length) { fill(parts.lines, h("h2", {}, "In a strategy's tree"), h("p", { class: "muted" }, "No no-limit strategy is offered.")); return; }
  state.slider = h("input", { type: "range", id: "bet", oninput: (event) => { state.raise = Number(event.target.value); delayed(); } });
  state.list = h("div", {});
  fill(parts.lines, h("h2", {}, "In a strategy's tree"), h("div", { class: "controls" },
    h("label", { class: "field grow" }, h("span", {}, "Strategy"), h("select", { onchange: (event) => { state.strategy = Number(event.target.value); state.raise = null; loadBet(); } },
      state.strategies.map((one, k) => h("option", { value: k }, `${one.name} · ${one.game}`)))),
    h("label", { class: "field grow" }, h("span", {}, "Betting before the bet, of its own sizes"), h("input", { id: "before", value: "", placeholder: "such as r300c/", maxLength: 400, onchange: (event) => { state.betting = event.target.value.trim(); state.raise = null; loadBet(); } }))),
  h("label", { class: "field", style: { marginTop: "12px" } }, h("span", {}, "The real bet, as a total"), state.slider), state.list);
}

function delayed() {
  clearTimeout(state.timer);
  state.timer = setTimeout(loadBet, 90);
}

async function loadBet() {
  const one = state.strategies[state.strategy];
  if (!one) return;
  const number = (state.betAsked = (state.betAsked || 0) + 1);
  const question = { agent: one.agent, game: one.game, betting: state.betting };
  try {
    if (state.raise === null) {
      const place = await ask("/api/explorer/place", { ...question, board: "" });
      if (place.over || !place.most) throw new Error("nobody can bet there");
      [state.slider.min, state.slider.max, state.slider.step] = [place.least, place.most, 1];
      state.raise = Math.min(place.most, Math.max(place.least, Math.round(2.2 * place.pot)));
      state.slider.value = state.raise;
    }
    const found = await ask("/api/explorer/bet", { ...question, raise_to: state.raise });
    if (number !== state.betAsked) return;
    const said = (lines) => lines.map((part) => `${percent(part.weight)} ${part.betting}`).join("   ");
    fill(state.list, h("p", {}, h("b", {}, `raise to ${whole(found.raise_to)}`), ` is ${found.size.toFixed(3)} pots; its tree has `,
      found.known.map((size) => `${size.name} (${size.pots.toFixed(2)})`).join(", ") || "no raise"),
    table(["mapping", "the abstract line chosen"], [["its own translation", h("code", {}, said(found.translation))], ...found.mappings.map((each) => [each.title, h("code", {}, said(each.lines))])], (row) => row === 0));
  } catch (error) {
    if (number === state.betAsked) fill(state.list, notice(error.message, true));
  }
}
