// What the player can do: buttons, a slider for bets, and keys.

import { chips, element, setText, toggle } from "./cards.js";

function button(classes, key, onClick) {
  const made = element("button", classes);
  made.type = "button";
  made.label = element("span", "label");
  made.append(made.label);
  if (key) made.append(element("kbd", "", key));
  made.addEventListener("click", onClick);
  return made;
}

export class Controls {
  // `act(text)` sends an action, `next()` asks for the next hand.
  constructor({ act, next }) {
    this.act = act;
    this.askNext = next;
    this.legal = null;
    this.over = false;
    this.root = element("div", "controls");
    this.sizes = element("div", "sizes");
    this.sliderRow = element("div", "slider-row");
    this.slider = element("input", "slider");
    this.slider.type = "range";
    this.slider.setAttribute("aria-label", "Bet size");
    this.amount = element("input", "amount");
    this.amount.type = "number";
    this.amount.setAttribute("aria-label", "Bet size in chips");
    this.sliderRow.append(this.slider, this.amount);
    this.buttons = element("div", "buttons");
    this.fold = button("act fold", "F", () => this.do("f"));
    this.call = button("act call", "C", () => this.do("c"));
    this.raise = button("act raise", "R", () => this.doRaise());
    this.next = button("act next", "Space", () => this.askNext());
    setText(this.fold.label, "Fold");
    setText(this.next.label, "Deal");
    this.buttons.append(this.fold, this.call, this.raise, this.next);
    this.root.append(this.sizes, this.sliderRow, this.buttons);
    this.slider.addEventListener("input", () => this.choose(Number(this.slider.value)));
    this.amount.addEventListener("change", () => this.choose(Number(this.amount.value) + this.offset));
    this.sizeButtons = new Map();
    this.offset = 0;
    this.raiseTo = 0;
  }

  // Amounts are shown as chips of this round; actions are totals of the hand.
  update(table) {
    const hand = table.hand;
    const legal = hand ? hand.legal : null;
    this.over = !hand || hand.over;
    const fresh = JSON.stringify(legal) !== JSON.stringify(this.legal);
    this.legal = legal;
    this.limit = table.game.limit;
    const canRaise = Boolean(legal && legal.max_raise_to);
    this.fold.disabled = !(legal && legal.fold);
    this.call.disabled = !legal;
    this.raise.disabled = !canRaise;
    toggle(this.root, "over", this.over);
    toggle(this.root, "idle", !legal && !this.over);
    toggle(this.sliderRow, "shown", canRaise && !this.limit && legal.max_raise_to > legal.min_raise_to);
    toggle(this.sizes, "shown", canRaise && !this.limit);
    setText(this.next.label, hand ? "Next hand" : "Deal");
    if (!legal) return;
    setText(this.call.label, legal.to_call ? `Call ${chips(legal.to_call)}` : "Check");
    if (!fresh) return;
    this.offset = legal.round_start;
    if (canRaise) {
      this.slider.min = legal.min_raise_to;
      this.slider.max = legal.max_raise_to;
      this.amount.min = legal.min_raise_to - this.offset;
      this.amount.max = legal.max_raise_to - this.offset;
      this.showSizes(legal.sizes);
      const pot = legal.sizes.find((size) => size.key === "p");
      this.choose(this.limit ? legal.max_raise_to : Math.max(legal.min_raise_to, pot ? Math.min(pot.raise_to, legal.max_raise_to) : legal.min_raise_to));
    } else {
      setText(this.raise.label, "Raise");
    }
  }

  showSizes(sizes) {
    const wanted = new Set(sizes.map((size) => size.key));
    for (const size of sizes) {
      let made = this.sizeButtons.get(size.key);
      if (!made) {
        made = button("size", size.key.toUpperCase(), () => this.choose(made.raiseTo));
        made.dataset.key = size.key;
        this.sizeButtons.set(size.key, made);
        this.sizes.append(made);
      }
      made.raiseTo = size.raise_to;
      setText(made.label, size.name);
    }
    for (const [key, made] of this.sizeButtons) toggle(made, "absent", !wanted.has(key));
  }

  choose(raiseTo) {
    if (!this.legal || !this.legal.max_raise_to) return;
    const { min_raise_to: low, max_raise_to: high } = this.legal;
    this.raiseTo = Math.min(Math.max(Math.round(raiseTo) || low, low), high);
    this.slider.value = this.raiseTo;
    this.slider.style.setProperty("--filled", `${high > low ? (100 * (this.raiseTo - low)) / (high - low) : 100}%`);
    this.amount.value = this.raiseTo - this.offset;
    const word = this.legal.bets ? "Bet" : "Raise to";
    const all = !this.limit && this.raiseTo === high ? "All-in " : `${word} `;
    setText(this.raise.label, all + chips(this.raiseTo - this.offset));
    for (const made of this.sizeButtons.values()) toggle(made, "chosen", made.raiseTo === this.raiseTo);
  }

  do(action) {
    if (!this.legal || (action === "f" && !this.legal.fold)) return;
    this.act(action);
  }

  doRaise() {
    if (this.legal && this.legal.max_raise_to) this.act(this.limit ? "r" : `r${this.raiseTo}`);
  }

  // True if the key was one of ours.
  key(event) {
    const key = event.key.toLowerCase();
    if (this.over) {
      if (key === " " || key === "enter" || key === "n") { this.askNext(); return true; }
      return false;
    }
    if (key === "f") this.do("f");
    else if (key === "c") this.do("c");
    else if (key === "r" || key === "enter") this.doRaise();
    else if (this.sizeButtons.has(key) && this.legal && !this.limit) {
      const made = this.sizeButtons.get(key);
      if (made.classList.contains("absent")) return false;
      this.choose(made.raiseTo);
    } else if ((key === "arrowleft" || key === "arrowright") && this.legal && !this.limit) {
      const step = Math.max(1, Math.round((this.legal.max_raise_to - this.legal.min_raise_to) / 100));
      this.choose(this.raiseTo + (key === "arrowleft" ? -step : step));
    } else return false;
    return true;
  }
}
