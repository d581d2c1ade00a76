// One view of the widget's model: takes screens, draws them, sends what is pressed.

const PATIENCE = 5000; // milliseconds for which a press waits for its answer
const SECOND_TAP = 400; // milliseconds within which a second tap belongs to the first: it makes no move of its own
const FILE_LIMIT = 2_000_000;
const TOKEN = "cmgames.token";
const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=file])";
const UNANSWERED = "The game does not answer. Wait a moment and try again; if it stays silent, reload the page or run the cell again.";
let views = 0;

function store(token) {
  try {
    if (token) localStorage.setItem(TOKEN, token);
    else localStorage.removeItem(TOKEN);
  } catch { /* a browser that forbids it plays on without */ }
}

function stored() {
  try {
    return localStorage.getItem(TOKEN) ?? "";
  } catch {
    return "";
  }
}

function download([name, text]) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const make = (tag, set) => Object.assign(document.createElement(tag), set);
const isOff = (el) => el.getAttribute("aria-disabled") === "true";
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

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
    this.show(model.get("screen"));
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
    ];
  }

  close() {
    this.undo.forEach((undo) => undo());
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.root.remove();
  }

  // ---- screens in ---------------------------------------------------------------------------------------------

  fromModel() {
    const screen = this.model.get("screen");
    if (screen !== this.screen && !same(screen, this.screen)) this.show(screen);
  }

  receive({ screen, patch, base }) {
    if (screen) this.accept({ ...screen, taken: screen.n === this.screen.n ? this.screen.taken : undefined });
    else if (base === this.screen.n) this.accept(mergePatch(this.screen, patch));
    else if (patch?.n !== this.screen.n) this.model.send({ do: "resync" }); // else another view was first
  }

  accept(screen) {
    this.flight = null;
    this.show(screen);
    this.model.set("screen", this.screen); // for views to come; never saved back to the kernel
  }

  /** Whether this view is the first of the model's to do what this screen wants done once. */
  take(name) {
    const { n, taken } = this.screen;
    if (taken?.[name] === n) return false;
    this.screen = { ...this.screen, taken: { ...taken, [name]: n } }; // beside the session's own keys, for patches
    this.model.set("screen", this.screen);
    return true;
  }

  show(screen) {
    const before = this.screen;
    this.screen = screen;
    if (screen.n !== before?.n) {
      this.since = performance.now();
      this.flight = this.hint = null;
      this.menu = false;
    }
    this.draw();
    if (before && (before.page !== screen.page || !before.result !== !screen.result)) this.toTop();
    if (screen.say && screen.n !== before?.n) this.announce(screen.say);
    this.doOnce(before);
    this.runLater();
  }

  doOnce(before) {
    if (this.screen.token !== undefined && this.screen.token !== before?.token) store(this.screen.token);
    if (before && this.screen.save && !same(this.screen.save, before.save) && this.take("save")) download(this.screen.save);
    if (this.screen.hello && !this.screen.taken?.hello && this.take("hello")) {
      this.model.send({ do: "hello", query: location.search, token: stored() });
    }
    clearTimeout(this.timer);
    if (this.screen.tick && this.screen.taken?.tick !== this.screen.n) this.timer = setTimeout(() => this.tick(), this.screen.tick.after * 1000);
  }

  draw() {
    try {
      if (this.broken) this.stage.replaceChildren();
      this.broken = false;
      this.dress();
      this.root.dataset.n = this.screen.n;
      const scroll = this.stage.querySelector(".g-scroll");
      const atEnd = !scroll || scroll.scrollTop + scroll.clientHeight > scroll.scrollHeight - 40;
      keepingFocus(this.root, () => morph(this.stage, drawScreen(this.screen, this)));
      if (atEnd) this.stage.querySelector(".g-scroll")?.scrollTo(0, 1e6);
      this.stage.querySelector("[data-wrong]")?.setAttribute("open", "");
    } catch (error) {
      this.apologize(error);
    }
  }

  apologize(error) {
    console.error(error);
    this.broken = true;
    const again = make("button", { type: "button", className: "g-button g-main", textContent: "Go on", send: { do: "resync" } });
    const box = make("div", { className: "g-oops" });
    box.append(make("p", { textContent: "Something went wrong, your game is safe." }), again);
    this.stage.replaceChildren(box);
  }

  dress() {
    const jupyter = document.body.dataset.jpThemeLight;
    const dark = jupyter ? jupyter === "false" : this.scheme.matches;
    this.root.classList.toggle("g-dark", dark);
    this.root.classList.toggle("g-large", Boolean(this.screen?.large));
  }

  toTop() {
    if (this.root.getBoundingClientRect().top < 0) this.root.scrollIntoView({ block: "start" });
    const active = this.root.getRootNode().activeElement;
    if (this.screen.page === "curtain" && (this.root.contains(active) || active === document.body)) {
      this.root.querySelector(".g-moves button")?.focus({ preventScroll: true });
    }
  }

  announce(text) {
    // a text equal to the last one must still be a change
    const again = this.live.textContent === text ? "\u00a0" : "";
    setTimeout(() => { this.live.textContent = text + again; }, this.live.textContent ? 0 : 100);
  }

  // ---- deeds out ----------------------------------------------------------------------------------------------

  isBusy() {
    return Boolean(this.flight) && performance.now() - this.flight.since < PATIENCE;
  }

  tell(message, kind) {
    const now = performance.now();
    this.flight = { kind, since: now };
    this.root.dataset.waiting = kind;
    this.model.send({ ...message, n: this.screen.n, ms: Math.round(now - this.since) });
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.flight && this.say("panel", UNANSWERED), PATIENCE);
  }

  /** What came while a form's change or a tick was under way is done when that is answered. */
  runLater() {
    if (!this.flight) delete this.root.dataset.waiting;
    while (!this.flight && this.later.length) this.later.shift()();
  }

  press(el) {
    if (isOff(el)) return this.explain(el);
    if (this.isBusy() && this.flight.kind === "press") return;
    const { send } = el;
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
    if (!el.send) return;
    if (el.type === "file") this.changeFile(el);
    else if (el.validity.badInput) this.say(el.closest("[data-field]").dataset.field, "Write a whole number.");
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
    else this.tell({ ...el.send, value }, "field");
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
    if (target.matches(TYPING) || this.root.querySelector("dialog")?.open) return;
    if (key === "?") this.help();
    else if (/^[1-9]$/.test(key)) this.root.querySelectorAll("[data-move]")[key - 1]?.click();
    else if (key.startsWith("Arrow") || key === "Home" || key === "End") this.arrow(event);
    else return;
    if (key === "?") event.preventDefault();
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
