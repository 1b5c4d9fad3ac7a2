// Cards and chips, drawn with the browser's own means. Slots are made once and filled in place.

const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANK_NAMES = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };

export function element(tag, classes = "", text = "") {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text) made.textContent = text;
  return made;
}

export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

export function toggle(target, name, on) {
  if (target.classList.contains(name) !== Boolean(on)) target.classList.toggle(name, Boolean(on));
}

// A slot for one card: empty (null), face down ("?") or a card such as "As".
export function cardSlot() {
  const slot = element("div", "card empty");
  slot.innerHTML = '<div class="card-inner"><div class="card-back"></div><div class="card-face">' +
    '<span class="corner"><b></b><i></i></span><span class="pip"></span></div></div>';
  slot.setAttribute("role", "img");
  slot._card = undefined;
  setCard(slot, null);
  return slot;
}

export function setCard(slot, card) {
  if (slot._card === card) return;
  slot._card = card;
  toggle(slot, "empty", card === null);
  toggle(slot, "down", card === "?");
  toggle(slot, "up", card !== null && card !== "?");
  if (card === null || card === "?") {
    slot.setAttribute("aria-label", card === "?" ? "a card face down" : "no card");
    delete slot.dataset.card;
    return;
  }
  const [rank, suit] = card;
  slot.dataset.card = card;
  slot.dataset.suit = suit;
  slot.querySelector("b").textContent = rank === "T" ? "10" : rank;
  slot.querySelector("i").textContent = SUITS[suit];
  slot.querySelector(".pip").textContent = SUITS[suit];
  slot.setAttribute("aria-label", `${RANK_NAMES[rank] || rank} of ${SUIT_NAMES[suit]}`);
}

// A card as a short coloured text, for histories.
export function cardText(card) {
  const made = element("span", `card-text suit-${card[1]}`);
  made.textContent = (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];
  return made;
}

const CHIPS = [[5000, "#7b3fa0"], [1000, "#e0b13a"], [500, "#3b3f46"], [100, "#b83b3b"], [25, "#2f8f5b"], [5, "#4a6fa5"], [1, "#d5dae0"]];

// A stack of chips for an amount, as SVG; at most five are drawn.
export function chipsSvg(amount) {
  const drawn = [];
  let left = amount;
  for (const [size, colour] of CHIPS) {
    while (left >= size && drawn.length < 5) { drawn.push(colour); left -= size; }
  }
  const parts = drawn.map((colour, place) => {
    const y = 20 - 4 * place;
    return `<ellipse cx="15" cy="${y + 3}" rx="12" ry="6" fill="#0007"/><ellipse cx="15" cy="${y}" rx="12" ry="6" fill="${colour}"/>` +
      `<ellipse cx="15" cy="${y}" rx="12" ry="6" fill="none" stroke="#fff9" stroke-width="1.6" stroke-dasharray="4 4.4"/>` +
      `<ellipse cx="15" cy="${y}" rx="7" ry="3.4" fill="#fff2"/>`;
  });
  return `<svg viewBox="0 0 30 30" width="30" height="30" aria-hidden="true">${parts.join("")}</svg>`;
}

export function chips(amount) {
  const whole = Math.round(amount * 100) / 100;
  return whole.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

// How a hand that is over was settled, by seat: the uncalled part of a bet is returned, the rest is collected.
export function settled(hand) {
  const spent = hand.seats.map((seat) => seat.spent);
  const [most, next] = [...spent].sort((one, other) => other - one);
  const returned = spent.map((chips_) => (chips_ === most ? most - next : 0));
  const collected = spent.map((chips_, seat) => chips_ + hand.reveal.seats[seat].won - returned[seat]);
  return { returned, collected };
}

export function signed(amount) {
  return (amount > 0 ? "+" : amount < 0 ? "−" : "") + chips(Math.abs(amount));
}
