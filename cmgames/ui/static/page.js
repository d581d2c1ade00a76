// One view of the widget's model: takes screens, draws them, sends what is pressed.

const PATIENCE = 5000; // milliseconds for which a press waits for its answer
const SECOND_TAP = 400; // milliseconds within which a second tap belongs to the first: it makes no move of its own
const FILE_LIMIT = 2_000_000;
const UNANSWERED = "The game does not answer. Wait a moment and try again; if it stays silent, reload the page or run the cell again.";
const ARRIVING = 4000; // milliseconds for which somebody who comes back is not shown the home page instead of his game
let views = 0;

function store(name, token) {
  try {
    if (token) localStorage.setItem(name, token);
    else localStorage.removeItem(name);
  } catch { /* a browser that forbids it plays on without */ }
}

function stored(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function download({ name, text, base64 }) {
  const link = document.createElement("a");
  const content = base64 ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : text;
  link.href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const make = (tag, set) => Object.assign(document.createElement(tag), set);
const isOff = (el) => el.getAttribute("aria-disabled") === "true";
const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** What a person decides about. The time for an answer runs for as long as it stays the same. */
const offer = ({ page, turn, mine, moves }) => ({ page, turn, mine, moves });

/** What is read from the top on: another page, a game's end, the truth after an answer. */
const head = ({ page, result, odds }) => ({ page, over: Boolean(result), told: Boolean(odds?.truth) });

class View {
  constructor(model, host) {
    this.model = model;
    this.id = `g${++views}`;
    this.later = [];
    this.movedAt = -SECOND_TAP;
    this.stage = make("div", { className: "g-stage" });
    this.live = make("div", { className: "g-vh" });
    this.live.setAttribute("aria-live", "polite");
    this.root = make("div", { className: "cmgames", lang: "en" });
    this.root.dataset.lmSuppressShortcuts = "true"; // JupyterLab's keys stay out
    this.root.append(this.stage, this.live);
    host.append(this.root);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.listen();
    this.arrive(model.get("screen"));
  }

  listen() {
    const on = (target, event, deed) => {
      target.addEventListener(event, deed);
      return () => target.removeEventListener(event, deed);
    };
    const onScreen = () => this.fromModel();
    const onMessage = (message) => this.receive(message);
    this.model.on("change:screen", onScreen);
    this.model.on("msg:custom", onMessage);
    this.undo = [
      () => this.model.off("change:screen", onScreen),
      () => this.model.off("msg:custom", onMessage),
      on(this.root, "click", (event) => this.click(event)),
      on(this.root, "change", (event) => this.change(event.target)),
      on(document, "keydown", (event) => this.keyAnywhere(event)),
      on(this.root, "keydown", (event) => this.keyHere(event)),
      on(this.scheme, "change", () => this.dress()),
      on(document, "visibilitychange", () => this.beat()),
      on(window, "popstate", (event) => this.goBack(event)),
    ];
  }

  close() {
    this.undo.forEach((undo) => undo());
    [this.timer, this.silence, this.beats, this.seconds].forEach(clearTimeout);
    this.root.remove();
  }

  // ---- screens in ---------------------------------------------------------------------------------------------

  /** Show the first screen; who is about to be led elsewhere need not see it. */
  arrive(screen) {
    this.arriving = Boolean(screen.hello && screen.taken?.hello !== screen.hello && (stored(screen.hello) || location.search));
    if (this.arriving) this.stage.append(make("p", { className: "g-arriving", textContent: "Setting the table…" }));
    this.show(screen);
    if (this.arriving) this.silence = setTimeout(() => this.settleDown(), ARRIVING);
  }

  /** Nobody has answered: draw what is there. */
  settleDown() {
    this.arriving = false;
    this.draw();
  }

  fromModel() {
    const screen = this.model.get("screen");
    screen.taken ??= this.taken; // the kernel's own screen, read again, knows nothing of them
    if (screen !== this.screen && !same(screen, this.screen)) this.show(screen, true);
  }

  /** `news` is what others have done: it answers nothing, and leaves all that this person is about. */
  receive({ screen, patch, base, news }) {
    if (screen && this.flight?.message.n === screen.n) this.send(this.flight); // what was pressed is lost
    else if (screen) this.accept({ ...screen, taken: this.screen.taken }, news);
    else if (base === this.screen.n) this.accept(mergePatch(this.screen, patch), news);
    else if (patch?.n === this.screen.n) this.show(this.screen, news); // another view was first
    else this.model.send({ do: "resync" });
  }

  accept(screen, news) {
    this.show(screen, news);
    this.model.set("screen", this.screen); // for views to come; never saved back to the kernel
  }

  /** What views of this model have done already. They share it, as they share the screen. */
  get taken() {
    return (this.screen.taken ??= {}); // beside the session's own keys, so that patches leave it
  }

  /** Whether this view is the first of the model's to do what this screen wants done once. */
  take(name) {
    const isFirst = this.taken[name] !== this.screen.n;
    this.taken[name] = this.screen.n;
    return isFirst;
  }

  show(screen, news = false) {
    const before = this.screen;
    this.screen = screen;
    const isNew = !before || !same(offer(before), offer(screen));
    if (isNew) this.restart();
    if (screen.clock && (isNew || screen.log !== before.log)) this.wind();
    if (before && !news) this.arriving = false;
    if (!news) this.flight = null;
    if (!news && screen.n !== before?.n) {
      this.hint = null;
      this.menu = false;
    }
    this.draw();
    if (!news) this.settle();
    this.keepWayBack();
    if (before && !same(head(before), head(screen))) this.toTop();
    if (isNew && !news && FINE.matches && this.isHere()) this.asked()?.focus({ preventScroll: true });
    if (!this.arriving && screen.say && screen.n !== before?.n && !(news && screen.say === before.say && screen.log === before.log)) this.announce(screen.say);
    this.doOnce(before, news);
    this.runLater();
  }

  /** Something else is to be decided now. */
  restart() {
    this.since = performance.now();
    this.hint = null;
  }

  /** Another move's time runs, be it as long as the last one's. */
  wind() {
    arrivals.set(this.screen.clock, performance.now());
    this.isLate = undefined;
  }

  doOnce(before, news) {
    const { screen } = this;
    if (screen.hello && screen.token !== undefined && screen.token !== before?.token) store(screen.hello, screen.token);
    if (before && screen.save && !same(screen.save, before.save) && this.take("save")) download(screen.save);
    if (screen.hello && this.taken.hello !== screen.hello) this.hello(screen.hello);
    if (screen.beat !== before?.beat) this.keepBeat();
    if (news && same(screen.tick, before.tick)) return;
    clearTimeout(this.timer);
    if (screen.tick && this.taken.tick !== screen.n) this.timer = setTimeout(() => this.tick(), screen.tick.after * 1000);
  }

  hello(name) {
    this.taken.hello = name;
    this.model.send({ do: "hello", query: location.search, token: stored(name), link: location.origin + location.pathname });
  }

  draw() {
    if (this.arriving) return;
    try {
      if (this.broken) this.stage.replaceChildren();
      this.broken = false;
      this.dress();
      this.root.dataset.n = this.screen.n;
      const scroll = this.stage.querySelector(".g-scroll");
      const atEnd = !scroll || scroll.scrollTop + scroll.clientHeight > scroll.scrollHeight - 40;
      this.isDrawing = true; // a field that is taken away says that it has changed
      keepingFocus(this.root, () => morph(this.stage, drawScreen(this.screen, this)));
      this.count();
      if (atEnd) this.stage.querySelector(".g-scroll")?.scrollTo(0, 1e6);
      this.stage.querySelector("[data-wrong]")?.setAttribute("open", "");
    } catch (error) {
      this.apologize(error);
    } finally {
      this.isDrawing = false;
    }
  }

  /** Write what changes with time, now and again: a clock must not lag. */
  count() {
    const all = this.stage.querySelectorAll("[data-counts]");
    for (const el of all) {
      const words = el.counts();
      if (el.textContent !== words) el.textContent = words;
    }
    this.hurry();
    clearTimeout(this.seconds);
    if (all.length) this.seconds = setTimeout(() => this.count(), this.screen.clock ? 250 : 1000);
  }

  hurry() {
    const { clock: time, mine } = this.screen;
    const isLate = time && left(time) <= HURRY;
    this.stage.querySelector(".g-time")?.classList.toggle("g-late", isLate);
    if (isLate && this.isLate === false && mine) this.announce(`${HURRY} seconds left. ${time.then}`);
    this.isLate = isLate;
  }

  apologize(error) {
    console.error(error);
    this.broken = true;
    const again = make("button", { type: "button", className: "g-button g-main", textContent: "Go on", send: { do: "resync" } });
    const box = make("div", { className: "g-oops" });
    box.append(make("p", { textContent: "Something went wrong, your game is safe." }), again);
    this.stage.replaceChildren(box);
  }

  /** Away from the first page the browser's own Back has something to take back: it presses a button of the app. */
  keepWayBack() {
    this.home ??= this.screen.title;
    const isApp = this.screen.hello && !document.body.dataset.jpThemeLight; // in JupyterLab the history is not ours
    if (isApp && this.screen.title !== this.home && !history.state?.cmgames) history.pushState({ cmgames: true }, "");
    if (isApp && this.screen.page === "table") this.dropLink();
  }

  /** Who sits at a table comes back to it when he loads the page again, and not to the form to which a link led him. */
  dropLink() {
    if (new URLSearchParams(location.search).has("game")) history.replaceState(history.state, "", location.pathname);
  }

  goBack({ state }) {
    if (!this.screen.hello || state?.cmgames) return;
    const ways = ["back", "home"].map((deed) => [...this.root.querySelectorAll("button")].find(({ send }) => send?.do === deed));
    const way = this.screen.title !== this.home && ways.find(Boolean);
    if (way) this.press(way);
    else history.back();
  }

  dress() {
    const jupyter = document.body.dataset.jpThemeLight;
    const dark = jupyter ? jupyter === "false" : this.scheme.matches;
    this.root.classList.toggle("g-dark", dark);
    this.root.classList.toggle("g-large", Boolean(this.screen?.large));
  }

  toTop() {
    if (this.root.getBoundingClientRect().top < 0) this.root.scrollIntoView({ block: "start" });
    if (this.screen.page === "curtain" && this.isHere()) this.root.querySelector(".g-moves button")?.focus({ preventScroll: true });
  }

  /** Whether the keyboard is at no other part of the page. */
  isHere() {
    const active = this.root.getRootNode().activeElement;
    return this.root.contains(active) || active === document.body;
  }

  /** The field for a number that is asked for at a table. */
  asked() {
    return this.root.querySelector(".g-table input[type=number][data-last]");
  }

  announce(text) {
    // a text equal to the last one must still be a change
    const again = this.live.textContent === text ? "\u00a0" : "";
    setTimeout(() => { this.live.textContent = text + again; }, this.live.textContent ? 0 : 100);
  }

  // ---- deeds out ----------------------------------------------------------------------------------------------

  isBusy() {
    return Boolean(this.flight) && (this.model.isCut || performance.now() - this.flight.since < PATIENCE);
  }

  tell(message, kind) {
    const now = performance.now();
    this.send({ kind, since: now, message: { ...message, n: this.screen.n, ms: Math.round(now - this.since) } });
  }

  send(flight) {
    this.flight = flight;
    this.root.dataset.waiting = flight.kind;
    this.model.send(flight.message);
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.flight && !this.model.isCut && this.say("panel", UNANSWERED), PATIENCE);
  }

  keepBeat() {
    const { beat } = this.screen;
    clearInterval(this.beats);
    if (beat) this.beats = setInterval(() => this.beat(), beat * 1000);
  }

  /** A sign of life; one view gives it for all of the model's. */
  beat() {
    const { beat } = this.screen;
    const now = performance.now();
    const visible = document.visibilityState === "visible";
    const last = this.taken.beat;
    if (!beat || (last?.visible === visible && now - last.at < beat * 500)) return;
    this.taken.beat = { at: now, visible };
    this.model.send({ do: "here", visible });
  }

  /** What came while a form's change or a tick was under way is done when that is answered. */
  runLater() {
    if (!this.flight) delete this.root.dataset.waiting;
    while (!this.flight && this.later.length) this.later.shift()();
  }

  press(el) {
    if (isOff(el) && this.isBusy() && this.flight.kind === "field") return this.later.push(() => el.isConnected && this.press(el)); // the answer may allow it
    if (isOff(el)) return this.explain(el);
    if (this.isBusy() && this.flight.kind === "press") return;
    const { send } = el;
    const typed = el.matches(".g-main") && this.asked();
    if (typed && typed.validity.badInput) return this.sayNumber(typed);
    if (this.isSecondTap(send)) return;
    if (this.isBusy()) this.later.push(() => el.isConnected && !isOff(el) && same(el.send, send) && this.tell(send, "press"));
    else this.tell(send, "press");
  }

  isSecondTap({ do: deed }) {
    const now = performance.now();
    const early = deed === "ready" ? now - this.since : deed === "move" ? now - this.movedAt : SECOND_TAP;
    if (early < SECOND_TAP) return true;
    if (deed !== "pick" && deed !== "choose") this.movedAt = now;
    return false;
  }

  tick() {
    if (!this.take("tick")) return;
    const pressed = this.flight;
    this.tell(this.screen.tick.send, "tick");
    if (pressed) this.flight = pressed;
  }

  change(el) {
    if (!el.send || this.isDrawing) return;
    if (el.type === "file") this.changeFile(el);
    else if (el.validity.badInput) this.sayNumber(el);
    else this.answer(el, el.type === "checkbox" ? String(el.checked) : el.value);
  }

  async changeFile(el) {
    const file = el.files[0];
    if (!file) return;
    if (file.size > FILE_LIMIT) return this.say(el.closest("[data-field]").dataset.field, "This file is larger than 2 MB: it cannot be a saved game.");
    const text = await file.text();
    el.value = ""; // so that the same file can be opened again
    this.answer(el, text);
  }

  answer(el, value) {
    if (this.isBusy()) this.later.push(() => el.isConnected && this.answer(el, value));
    else {
      el.sent = value;
      this.tell({ ...el.send, value }, "field");
    }
  }

  /** What was written is answered: the answer stands there, unless the person writes on. */
  settle() {
    for (const el of this.stage.querySelectorAll("input")) {
      if (el.sent !== undefined && el.value === el.sent && el.drawn.value !== undefined) el.value = el.drawn.value;
      delete el.sent;
    }
  }

  sayNumber(el) {
    this.say(el.closest("[data-field]").dataset.field, "Write a whole number.");
  }

  explain(el) {
    if (el.dataset.why) this.say(el.dataset.at, el.dataset.why);
  }

  say(at, text) {
    this.hint = { at, text, tone: "refused" };
    this.draw();
    this.announce(text);
  }

  // ---- mouse, touch, keys -------------------------------------------------------------------------------------

  click(event) {
    const el = event.target.closest("button");
    if (!el) return;
    if (el.send || isOff(el)) this.press(el);
    else if ("help" in el.dataset) this.help();
    else if ("close" in el.dataset) el.closest("dialog").close();
    else if ("menu" in el.dataset) {
      this.menu = !this.menu;
      this.draw();
    }
  }

  help() {
    const dialog = this.root.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
  }

  keyHere(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key !== "Tab") event.stopPropagation(); // the notebook's command mode must not react as well
    this.key(event);
  }

  keyAnywhere(event) {
    const nobody = event.target === document.body && document.querySelectorAll(".cmgames").length === 1;
    if (nobody && !event.ctrlKey && !event.altKey && !event.metaKey) this.key(event);
  }

  key(event) {
    const { key, target } = event;
    if (event.repeat && (key === "Enter" || key === " ")) return event.preventDefault(); // a held key presses once
    if (key === "Enter" && "last" in target.dataset) return this.enter(target);
    if (target.matches(TYPING) || this.root.querySelector("dialog")?.open) return;
    if (key === "?") this.help();
    else if (/^[0-9]$/.test(key) && this.asked()) this.asked().focus(); // the digit goes into it
    else if (/^[1-9]$/.test(key)) this.root.querySelectorAll("[data-move]")[key - 1]?.click();
    else if (key.startsWith("Arrow") || key === "Home" || key === "End") this.arrow(event);
    else return;
    if (key === "?") event.preventDefault();
  }

  /** Enter in a form's last field: what is written there counts, and then the form's main button. */
  enter(field) {
    this.change(field);
    this.press(this.root.querySelector(".g-panel .g-main"));
  }

  arrow(event) {
    if (event.target.matches(".g-panel")) {
      event.preventDefault();
      return event.target.querySelector("button")?.focus();
    }
    const group = event.target.closest("[data-keys]");
    if (!group) return;
    event.preventDefault();
    neighbour(stops(group), event.target, event.key)?.focus();
  }
}

const middle = (el) => {
  const { left, top, width, height } = el.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, height };
};

/** The control that an arrow key leads to: along the row, or to the nearest one in the line above or below. */
function neighbour(all, from, key) {
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  const beside = all[all.indexOf(from) + step];
  if (key === "ArrowLeft" || key === "ArrowRight") return beside;
  const here = middle(from);
  const reach = (el) => (middle(el).y - here.y) * step;
  const lines = all.filter((el) => reach(el) > here.height / 2);
  const far = (el) => reach(el) * 10 + Math.abs(middle(el).x - here.x);
  return lines.length ? lines.reduce((a, b) => (far(b) < far(a) ? b : a)) : beside;
}

export default {
  render({ model, el }) {
    const view = new View(model, el);
    return () => view.close();
  },
};
