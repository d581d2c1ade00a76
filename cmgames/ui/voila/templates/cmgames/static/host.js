/* The page's side of a Jupyter kernel, for anywidgets alone.
 *
 * Voilà runs the notebook and sends the page with each shown widget's state in it, so the widgets are drawn first and
 * the websocket is opened afterwards; what is pressed before it is open waits for it. From then on this script keeps the
 * page alive: it notices a lost connection and comes back, notices a kernel that is gone and loads the page again, and
 * shuts the kernel down when the page is left.
 *
 * In order: the wire format, models, drawing, messages, the lifeline.
 */
(() => {
"use strict";

/* ---- The wire: messages of the Jupyter protocol over websocket subprotocol v1 (offsets, then the parts). */

const PROTOCOL = "v1.kernel.websocket.jupyter.org";
const utf8 = new TextEncoder(), text = new TextDecoder();

function encode(channel, header, content, buffers) {
  const parts = [channel, JSON.stringify(header), "{}", "{}", JSON.stringify(content)].map(part => utf8.encode(part));
  parts.push(...buffers.map(bytesOf));
  const start = 8 * (parts.length + 2);
  const message = new Uint8Array(parts.reduce((size, part) => size + part.length, start));
  const offsets = new DataView(message.buffer);
  offsets.setBigUint64(0, BigInt(parts.length + 1), true);
  let at = start;
  parts.forEach((part, i) => {
    offsets.setBigUint64(8 * (i + 1), BigInt(at), true);
    message.set(part, at);
    at += part.length;
  });
  offsets.setBigUint64(8 * (parts.length + 1), BigInt(at), true);
  return message;
}

function decode(buffer) {
  const offsets = new DataView(buffer);
  const offset = i => Number(offsets.getBigUint64(8 * (i + 1), true));
  const part = i => new DataView(buffer, offset(i), offset(i + 1) - offset(i));
  const json = i => JSON.parse(text.decode(part(i)));
  const buffers = [];
  for (let i = 5; i < Number(offsets.getBigUint64(0, true)) - 1; i++) buffers.push(part(i));
  return {header: json(1), parent: json(2), content: json(4), buffers};
}

const isBinary = value => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

function bytesOf(value) {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

function putBuffers(state, paths, buffers) {
  paths.forEach((path, i) => {
    const owner = path.slice(0, -1).reduce((value, key) => value[key], state);
    owner[path[path.length - 1]] = buffers[i];
  });
}

function takeBuffers(value, path, paths, buffers) {
  if (isBinary(value)) {
    paths.push(path);
    buffers.push(value);
    return null;
  }
  if (value === null || typeof value !== "object") return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value)) {
    const part = takeBuffers(value[key], [...path, Array.isArray(value) ? Number(key) : key], paths, buffers);
    if (Array.isArray(value) || !isBinary(value[key])) copy[key] = part;
  }
  return copy;
}

/* ---- Models: one for each widget, as an anywidget's module expects it. */

const models = new Map();

class Model {
  constructor(id) {
    this.id = id;
    this.state = {};
    this.listeners = new Map();
    this.unsaved = {};
    this.echoes = new Map();
    this.ready = new Promise(resolve => { this.gotState = resolve; });
    this.widget_manager = {get_model: getModel};
  }

  get(name) { return this.state[name]; }

  set(name, value) {
    const values = typeof name === "object" ? name : {[name]: value};
    Object.assign(this.unsaved, values);
    this.change(values);
  }

  save_changes() {
    if (!Object.keys(this.unsaved).length) return;
    const buffer_paths = [], buffers = [];
    const state = takeBuffers(this.unsaved, [], buffer_paths, buffers);
    const sent = say("comm_msg", {comm_id: this.id, data: {method: "update", state, buffer_paths}}, buffers);
    for (const name of Object.keys(this.unsaved)) this.echoes.set(name, sent);
    this.unsaved = {};
  }

  send(content, _callbacks, buffers = []) {
    if (!usable && content?.do === "here") return; // a sign of life is of no use later
    say("comm_msg", {comm_id: this.id, data: {method: "custom", content}}, buffers);
    expectAnswer();
    if (everUsable && !usable && !asleep && !bannerTimer) sayLost();
  }

  /* Whether what is sent now waits for the connection. */
  get isCut() { return !usable; }

  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, new Set());
    this.listeners.get(name).add(listener);
  }

  off(name, listener) {
    if (!name) this.listeners.clear();
    else if (!listener) this.listeners.delete(name);
    else this.listeners.get(name)?.delete(listener);
  }

  emit(name, ...values) {
    for (const listener of [...this.listeners.get(name) || []]) {
      try { listener(...values); } catch (error) { console.error(error); }
    }
  }

  change(values) {
    const changed = Object.keys(values).filter(name => this.state[name] !== values[name]);
    Object.assign(this.state, values);
    for (const name of changed) this.emit("change:" + name, this, values[name]);
    if (changed.length) this.emit("change", this);
  }

  /* The kernel repeats what the page has set. Only the repetition of the last word counts. */
  echoed(values, sent) {
    for (const name of Object.keys(values)) {
      if (!this.echoes.has(name)) continue;
      if (this.echoes.get(name) === sent) this.echoes.delete(name);
      else delete values[name];
    }
  }

  receive(data, parent, buffers) {
    if (data.method === "custom") return this.emit("msg:custom", data.content, buffers);
    if (data.method !== "update" && data.method !== "echo_update") return;
    putBuffers(data.state, data.buffer_paths || [], buffers);
    if (data.method === "echo_update") this.echoed(data.state, parent.msg_id);
    this.change(data.state);
    this.gotState();
  }
}

function modelOf(id) {
  if (!models.has(id)) models.set(id, new Model(id));
  return models.get(id);
}

async function getModel(reference) {
  const id = reference.replace(/^(IPY_MODEL_|anywidget:)/, "");
  const known = models.has(id), model = modelOf(id);
  if (!known) requestState(model);
  await model.ready;
  return model;
}

const requestState = model => say("comm_msg", {comm_id: model.id, data: {method: "request_state"}});

function embeddedModel(script) {
  const {state, buffers} = JSON.parse(script.textContent);
  const bytes = buffers.map(({data}) => new DataView(Uint8Array.from(atob(data), c => c.charCodeAt(0)).buffer));
  putBuffers(state, buffers.map(({path}) => path), bytes);
  const model = modelOf(script.dataset.model);
  model.change(state);
  model.gotState();
}

/* ---- Drawing. */

const SORRY = "Something went wrong and this part of the page could not be drawn. Your game is safe. Please load the page again.";
const loaded = new Map();
const never = new AbortController().signal;

function addStyle(model) {
  const id = "css-" + model.get("_anywidget_id");
  if (!model.get("_css") || document.getElementById(id)) return;
  const style = document.createElement("style");
  style.id = id;
  style.textContent = model.get("_css");
  document.head.append(style);
}

async function importModule(source) {
  if (/^https?:/.test(source)) return import(source);
  const url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
  try { return await import(url); } finally { URL.revokeObjectURL(url); }
}

async function load(model) {
  addStyle(model);
  const module = await importModule(model.get("_esm"));
  const widget = typeof module.default === "function" ? await module.default() : module.default || module;
  const exports = await widget.initialize?.({model, signal: never, experimental: {}});
  return {widget, exports: typeof exports === "object" ? exports : undefined};
}

function loadOnce(model) {
  if (!loaded.has(model.id)) loaded.set(model.id, load(model));
  return loaded.get(model.id);
}

async function render(model, el) {
  const {widget} = await loadOnce(model);
  await widget.render?.({model, el, signal: never, experimental: {}, host});
}

const host = {
  getModel,
  async getWidget(reference) {
    const model = await getModel(reference);
    return {exports: (await loadOnce(model)).exports, render: ({el}) => render(model, el)};
  },
};

function tell(el, sentence) {
  const p = document.createElement("p");
  p.className = "sorry";
  p.textContent = sentence;
  el.replaceChildren(p);
}

async function draw(el) {
  const model = await getModel(el.dataset.view);
  if (model.get("_model_module") !== "anywidget") {
    const name = model.get("_model_name") || "widget";
    return tell(el, `This page cannot draw a ${name}. Start it with "cmgames serve --template lab" instead.`);
  }
  try {
    await render(model, el);
  } catch (error) {
    console.error(error);
    tell(el, SORRY);
  }
}

/* ---- Messages. */

const session = Array.from(crypto.getRandomValues(new Uint8Array(8)), byte => byte.toString(16).padStart(2, "0")).join("");
const waiting = [];
let kernel, socket = null, usable = false, count = 0;

function say(type, content, buffers = []) {
  const header = {msg_id: session + "-" + ++count, msg_type: type, session, username: "", version: "5.3", date: new Date().toISOString()};
  const message = encode("shell", header, content, buffers);
  if (usable || type === "comm_info_request") socket.send(message);
  else waiting.push(message);
  return header.msg_id;
}

function hear({header, parent, content, buffers}) {
  if (parent.session === session) answered();
  switch (header.msg_type) {
    case "comm_msg": return models.get(content.comm_id)?.receive(content.data, parent, buffers);
    case "comm_open": return opened(content, parent, buffers);
    case "comm_info_reply": return verified(content.comms || {});
    case "error": return parent.session === session && sayBanner("Something went wrong. Your game is safe.", "Load it again", reload);
    case "status": if (["restarting", "dead", "terminating"].includes(content.execution_state)) sleep();
  }
}

function opened(content, parent, buffers) {
  if (content.target_name !== "jupyter.widget") return;
  modelOf(content.comm_id).receive({...content.data, method: "update"}, parent, buffers);
}

/* ---- The lifeline: `usable` while messages go through; `asleep` once the kernel is known to be gone. */

const PAUSES = [0.3, 1, 2, 4, 8, 15];
const LOST = "The connection is lost. Your game is safe; this page keeps trying to reach it.";
const KEPT = "The connection is lost. Your game is safe; what you pressed is sent as soon as it is back.";
const ASLEEP = "The game fell asleep or was interrupted. Your game is safe.";
const NO_COOKIES = "This browser keeps no cookies, so the server cannot tell that this page is yours. Allow them here, then load it again.";
let asleep = false, leaving = false, everUsable = false, tries = 0;
let retryTimer, bannerTimer, answerTimer, verifyTimer;

function sayBanner(sentence, label, action) {
  clearTimeout(bannerTimer);
  bannerTimer = 0;
  const banner = document.getElementById("banner"), button = banner.querySelector("button");
  banner.classList.add("shown");
  banner.querySelector("p").textContent = sentence;
  button.hidden = !label;
  button.textContent = label;
  button.onclick = action;
}

function hideBanner() {
  clearTimeout(bannerTimer);
  bannerTimer = 0;
  const banner = document.getElementById("banner");
  banner.classList.remove("shown");
  banner.querySelector("p").textContent = "";
}

function connect() {
  clearTimeout(retryTimer);
  if (asleep || leaving || socket) return;
  const address = new URL(kernel.base + "api/kernels/" + kernel.id + "/channels?session_id=" + session, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = socket = new WebSocket(address, PROTOCOL);
  mine.binaryType = "arraybuffer";
  mine.onopen = () => mine === socket && verify();
  mine.onmessage = event => mine === socket && hear(decode(event.data));
  mine.onclose = () => mine === socket && lose();
}

/* A kernel that was restarted under the same id knows nothing of this page's widgets. */
function verify() {
  say("comm_info_request", {target_name: "jupyter.widget"});
  clearTimeout(verifyTimer);
  verifyTimer = setTimeout(() => sayBanner("The game does not answer. It is safe; you can wait or load it again.", "Load it again", reload), 6000);
}

function verified(comms) {
  clearTimeout(verifyTimer);
  if ([...models.keys()].some(id => !(id in comms) && loaded.has(id))) return sleep();
  const missed = everUsable;
  usable = everUsable = true;
  tries = 0;
  hideBanner();
  waiting.splice(0).forEach(message => socket.send(message));
  if (missed) models.forEach(resync);
}

/* Messages may have been lost with the connection. A game's trait holds its first screen only, so it asks for the last. */
function resync(model) {
  if (String(model.get("_anywidget_id")).startsWith("cmgames.")) model.send({do: "resync"});
  else requestState(model);
}

function lose() {
  drop();
  if (asleep || leaving) return;
  bannerTimer = bannerTimer || setTimeout(sayLost, 1000);
  probe().then(answer => {
    if (answer === "gone") sleep();
    else retry();
  });
}

function sayLost() {
  sayBanner(waiting.length ? KEPT : LOST, "Try now", retryNow);
}

function drop() {
  const old = socket;
  socket = null;
  usable = false;
  clearTimeout(verifyTimer);
  answered();
  old?.close();
}

function retry() {
  const pause = PAUSES[Math.min(tries++, PAUSES.length - 1)];
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, 1000 * pause * (0.7 + 0.6 * Math.random()));
}

function retryNow() {
  tries = 0;
  connect();
}

/* "gone": the server answers but not with this kernel; "away": nobody answers; else the kernel's own state. */
async function probe() {
  try {
    const answer = await fetch(kernel.base + "api/kernels/" + kernel.id + "?no_track_activity=1", {cache: "no-store", redirect: "manual", signal: timeout(8000)});
    if (answer.ok) return (await answer.json()).execution_state;
    return answer.status >= 500 ? "away" : "gone";
  } catch {
    return "away";
  }
}

function timeout(ms) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

async function check() {
  if (!usable) return connect();
  const answer = await probe();
  if (answer === "gone" || answer === "dead") sleep();
  else if (answer === "away") lose();
  return answer;
}

function expectAnswer() {
  if (usable && !answerTimer) answerTimer = setTimeout(unanswered, 5000);
}

function answered() {
  clearTimeout(answerTimer);
  answerTimer = 0;
}

async function unanswered() {
  answerTimer = 0;
  if (await check() && usable && !asleep) verify();
}

function sleep() {
  if (asleep || leaving) return;
  asleep = true;
  drop();
  if (!xsrf()) return sayBanner(NO_COOKIES, "Load it again", reload);
  sayBanner(ASLEEP, "Go on with it", reload);
  if (!reloadedLately()) whenVisible(() => setTimeout(reload, 1200));
}

/* By itself the page loads again once in two minutes at most, so that a broken server does not make it spin. */
function reloadedLately() {
  try {
    const last = Number(sessionStorage.getItem("cmgames.reloaded"));
    sessionStorage.setItem("cmgames.reloaded", Date.now());
    return Date.now() - last < 120000;
  } catch {
    return true;
  }
}

function whenVisible(action) {
  if (document.visibilityState === "visible") return action();
  document.addEventListener("visibilitychange", action, {once: true});
}

async function reload() {
  if (await probe() === "away") return sayBanner("The server does not answer yet. Your game is safe; please try again in a moment.", "Try again", reload);
  location.reload();
}

/* A cookie that came with the page, unless this browser keeps none. */
function xsrf() {
  return /(?:^|; )_xsrf=([^;]*)/.exec(document.cookie)?.[1] || "";
}

function farewell() {
  leaving = true;
  drop();
  if (!findKernel()) return;
  const form = new FormData();
  form.append("_xsrf", xsrf());
  navigator.sendBeacon(kernel.base + "voila/api/shutdown/" + kernel.id, form);
}

function findKernel() {
  const config = document.getElementById("kernel");
  if (config) kernel = JSON.parse(config.textContent);
  return kernel;
}

async function start() {
  if (!findKernel()) return;
  clearTimeout(slow);
  document.querySelectorAll("script[data-model]").forEach(embeddedModel);
  const views = [...document.querySelectorAll("[data-view]")].map(draw);
  await Promise.race([Promise.all(views), new Promise(resolve => setTimeout(resolve, 300))]);
  document.getElementById("wait").remove();
  connect();
  setInterval(() => document.visibilityState === "visible" && !asleep && check(), 45000);
  addEventListener("online", check);
  addEventListener("offline", () => usable && lose());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && !asleep && check());
}

const slow = setTimeout(() => sayBanner("This takes longer than it should. You can wait or try again.", "Try again", () => location.reload()), 30000);
window.voila_heartbeat = () => {};
addEventListener("pagehide", farewell);
addEventListener("pageshow", event => event.persisted && location.reload());
addEventListener("DOMContentLoaded", start);
})();
