// The felt: seats, board, pot and bets. Everything is made once; `update` changes what is different.

import { cardSlot, chips, chipsSvg, element, setCard, setText, settled, signed, toggle } from "./cards.js";

class Seat {
  constructor(place) {
    this.root = element("section", `seat place-${place}`);
    this.cards = element("div", "hole");
    this.slots = [cardSlot(), cardSlot()];
    this.cards.append(...this.slots);
    this.plate = element("div", "plate");
    this.name = element("div", "name");
    this.stack = element("div", "stack");
    this.status = element("div", "status");
    this.button = element("div", "button", "D");
    this.button.title = "Dealer button: acts last after the flop";
    this.plate.append(this.name, this.stack, this.button);
    this.bet = element("div", "bet");
    this.betChips = element("span", "bet-chips");
    this.betText = element("b", "");
    this.bet.append(this.betChips, this.betText);
    this.root.append(this.cards, this.plate, this.status, this.bet);
    this.amount = -1;
  }
  setBet(amount) {
    if (amount === this.amount) return;
    this.amount = amount;
    toggle(this.bet, "shown", amount > 0);
    if (amount > 0) {
      this.betChips.innerHTML = chipsSvg(amount);
      setText(this.betText, chips(amount));
    }
  }
}

export class Felt {
  constructor() {
    this.root = element("div", "felt");
    this.surface = element("div", "surface");
    this.surface.append(element("div", "mark", "doyle"));
    this.centre = element("div", "centre");
    this.board = element("div", "board");
    this.slots = Array.from({ length: 5 }, cardSlot);
    this.board.append(...this.slots);
    this.pot = element("div", "pot");
    this.potChips = element("span", "pot-chips");
    this.potText = element("span", "");
    this.pot.append(this.potChips, this.potText);
    this.outcome = element("div", "outcome");
    this.outcome.setAttribute("aria-live", "polite");
    this.progress = element("div", "work");
    this.progress.setAttribute("role", "status");
    this.centre.append(this.pot, this.board, this.outcome, this.progress);
    this.root.append(this.surface, this.centre);
    this.seats = [];
    this.players = 0;
    this.shownPot = -1;
  }

  work(text) {
    setText(this.progress, text);
    toggle(this.progress, "shown", Boolean(text));
  }

  setPlayers(count) {
    if (count === this.players) return;
    this.players = count;
    for (const seat of this.seats) seat.root.remove();
    const places = count === 2 ? ["south", "north"] : ["south", "west", "east"];
    this.seats = places.map((place) => new Seat(place));
    this.root.dataset.players = count;
    for (const seat of this.seats) this.root.append(seat.root);
  }

  update(table) {
    this.setPlayers(table.game.players);
    const hand = table.hand;
    toggle(this.root, "waiting", !hand);
    this.seats.forEach((seat, number) => this.updateSeat(seat, number, table, hand));
    const reveal = hand && hand.reveal;
    const board = hand ? hand.board : [];
    this.slots.forEach((slot, place) => {
      const beyond = reveal && place >= board.length ? reveal.board[place] : null;
      setCard(slot, board[place] || beyond);
      toggle(slot, "unplayed", Boolean(beyond));
    });
    this.updatePot(hand);
    this.updateOutcome(table, hand);
    this.markBest(table, hand);
  }

  updatePot(hand) {
    const pot = hand && !hand.reveal ? hand.pot : 0;  // at the end it is in front of those who won it
    if (pot === this.shownPot) return;
    this.shownPot = pot;
    this.potChips.innerHTML = pot ? chipsSvg(pot) : "";
    setText(this.potText, pot ? `Pot ${chips(pot)}` : "");
  }

  updateSeat(seat, number, table, hand) {
    setText(seat.name, table.names[number]);
    const state = hand ? hand.seats[number] : null;
    const reveal = hand && hand.reveal;
    const end = reveal ? settled(hand) : null;
    const back = end ? end.returned[number] : 0;
    const stack = state ? state.stack + back : table.game.stacks[number];
    const unlimited = table.game.limit;
    setText(seat.stack, unlimited ? (state ? `in pot ${chips(state.spent - back)}` : "limit") : chips(stack));
    toggle(seat.root, "folded", state && state.folded);
    toggle(seat.root, "acting", hand && hand.to_act === number);
    toggle(seat.root, "you", number === table.seat);
    toggle(seat.button, "shown", hand && hand.button === number);
    const won = reveal ? reveal.seats[number].won : 0;
    toggle(seat.root, "winner", won > 0);
    seat.setBet(end ? Math.max(0, end.collected[number]) : state ? state.bet : 0);
    toggle(seat.bet, "pushed", Boolean(end));
    const own = number === table.seat;
    const cards = own && hand ? hand.hole : reveal ? reveal.seats[number].hole : null;
    seat.slots.forEach((slot, place) => setCard(slot, cards ? cards[place] : hand ? "?" : null));
    setText(seat.status, this.status(table, hand, number, state));
    toggle(seat.status, "good", reveal && won > 0);
    toggle(seat.status, "bad", reveal && won < 0);
  }

  status(table, hand, number, state) {
    if (!hand) return "";
    if (hand.reveal) {
      const entry = hand.reveal.seats[number];
      return (entry.made ? `${entry.made} · ` : "") + signed(entry.won);
    }
    if (hand.to_act === number && number !== table.seat) return "thinking …";
    const last = [...hand.log].reverse().find((entry) => entry.seat === number && entry.round === hand.round);
    if (state.folded) return "folded";
    if (state.all_in) return "all-in";
    if (number === table.seat && hand.to_act === number) return hand.made ? `you have ${article(hand.made)}` : "your turn";
    return last ? last.text : "";
  }

  updateOutcome(table, hand) {
    const reveal = hand && hand.reveal;
    toggle(this.outcome, "shown", Boolean(reveal));
    if (!reveal) return;
    const own = reveal.seats[table.seat].won;
    toggle(this.outcome, "won", own > 0);
    toggle(this.outcome, "lost", own < 0);
    const words = own > 0 ? `You win ${chips(own)}` : own < 0 ? `You lose ${chips(-own)}` : "Even";
    const baseline = reveal.baseline === null ? "" : ` · ${table.names[1].replace(/ \d$/, "")} with your cards: ${signed(reveal.baseline)}`;
    setText(this.outcome, words + baseline);
  }

  markBest(table, hand) {
    const reveal = hand && hand.reveal;
    const best = new Set();
    if (reveal && reveal.showdown) {
      const top = reveal.seats.reduce((one, other) => (other.won > one.won ? other : one));
      if (top.won > 0 && top.best) top.best.forEach((card) => best.add(card));
    }
    const slots = [...this.slots, ...this.seats.flatMap((seat) => seat.slots)];
    for (const slot of slots) {
      toggle(slot, "best", best.has(slot.dataset.card));
      toggle(slot, "dim", best.size > 0 && !best.has(slot.dataset.card));
    }
  }
}

function article(made) {
  return /^(pair|flush|straight|full|high)/.test(made) ? `a ${made}` : made;
}
