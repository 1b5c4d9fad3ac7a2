// Short sounds made on the spot; off until somebody turns them on.

const NOTES = { deal: [520, 0.05], act: [380, 0.06], turn: [660, 0.08], win: [880, 0.16] };

export class Sound {
  constructor() {
    this.on = localStorage.getItem("doyle-sound") === "on";
    this.context = null;
  }
  toggle() {
    this.on = !this.on;
    localStorage.setItem("doyle-sound", this.on ? "on" : "off");
    this.play("act");
  }
  play(name) {
    if (!this.on) return;
    this.context = this.context || new AudioContext();
    const [frequency, seconds] = NOTES[name];
    const oscillator = this.context.createOscillator();
    const volume = this.context.createGain();
    const start = this.context.currentTime;
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(0.06, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
    oscillator.connect(volume).connect(this.context.destination);
    oscillator.start(start);
    oscillator.stop(start + seconds);
  }
}
