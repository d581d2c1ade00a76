// What a screen looks like: each function turns a piece of the screen into nodes. Nothing here has state;
// `view` is what only this view knows: its id, its own hint, whether its menu is open.

const entries = (map) => Object.entries(map ?? {});
const inOrder = (map) => entries(map).sort(([, a], [, b]) => (a.at ?? 0) - (b.at ?? 0));
const hidden = (text) => h("span", { class: "g-vh", text });
/** When each thing that counts time came; the views of a model hold the same things. */
const arrivals = new WeakMap();

function elapsed(thing) {
  if (!arrivals.has(thing)) arrivals.set(thing, performance.now());
  return (performance.now() - arrivals.get(thing)) / 1000;
}

const age = (s) => (s < 60 ? `${Math.floor(s)} s` : s < 3600 ? `${Math.floor(s / 60)} min` : `${Math.floor(s / 3600)} h`);
const slug = (view, ...words) => [view.id, ...words].join("-").replace(/[^\w-]/g, "_");

// ---- small things -------------------------------------------------------------------------------------------

const TONES = { refused: "Not now", error: "Sorry", info: "Note" };

function notice(at, screen, view) {
  const isHere = (n) => n && (n.at === at || (at === "panel" && !screen.rows?.[n.at] && !screen.fields?.[n.at]));
  const found = [view.hint, screen.notice].find(isHere);
  return found && h("p", { key: "notice", class: `g-notice g-${found.tone}` },
    h("strong", { text: `${TONES[found.tone] ?? "Note"}: ` }), h("span", { text: found.text }));
}

const LONG = 24; // letters: more need a whole line on a phone

function button(id, b, { view, region, number = 0, look = "" }) {
  const why = b.off && slug(view, region, id, "why");
  return h("button", {
    key: id, type: "button", send: b.send, class: `g-button ${b.main ? "g-main" : ""} ${b.label.length > LONG ? "g-long" : ""} ${look}`,
    "data-at": region, "data-move": region === "panel" ? id : null, "data-why": b.off || null, title: b.off || null,
    "aria-disabled": b.off ? "true" : null, "aria-describedby": why || null,
    "aria-pressed": b.on === undefined ? null : String(b.on), "aria-keyshortcuts": number ? String(number) : null,
  },
    number > 0 && h("span", { class: "g-number", "aria-hidden": "true", text: String(number) }),
    b.art && h("span", { class: "g-art", svg: picture(b.art), style: { "--suit": colour({ name: b.art }) } }),
    b.on !== undefined && h("span", { class: "g-switch", "aria-hidden": "true" }),
    h("span", { text: b.label }),
    why && h("span", { id: why, hidden: true, text: b.off }));
}

const spelled = (text) => [h("span", { class: "g-vh", text: [...text].join(" ") }), h("span", { "aria-hidden": "true", text })];

function block({ kind, text, src }, i) {
  const set = { key: `${kind} ${i}`, class: `g-${kind}` };
  if (kind === "img") return h("img", { ...set, src, alt: text });
  if (kind === "code") return h("p", set, spelled(text));
  const tag = { h: "h2", p: "p", li: "li", pre: "pre", warn: "p" }[kind];
  const prefix = kind === "warn" && h("strong", { text: "Please note: " });
  return h(tag, { ...set, tabindex: kind === "pre" ? 0 : null }, prefix, h("span", { text }));
}

/** Whether a block is part of an invitation: a code, and a picture of it beside. */
const invites = (blocks, i) => blocks[i].kind === "code" ||
  (blocks[i].kind === "img" && [blocks[i - 1], blocks[i + 1]].some((one) => one?.kind === "code"));

function prose(blocks = [], key = "text") {
  const nodes = [];
  blocks.forEach((one, i) => {
    const group = one.kind === "li" ? "ul" : invites(blocks, i) && "div";
    const node = block(one, i);
    const last = nodes.at(-1);
    if (!group) nodes.push(node);
    else if (last?.tag === group) last.kids.push(node);
    else nodes.push(h(group, { key: `${group} ${i}`, class: group === "div" && "g-invite" }, node));
  });
  return nodes.length > 0 && h("div", { key, class: "g-prose" }, nodes);
}

/** How long ago something was: the seconds that a thing came with, and those since. */
const ago = (thing, lead = "") => h("span", { counts: () => lead + age(thing.seconds + elapsed(thing)) });

// ---- cards --------------------------------------------------------------------------------------------------

const CARD_BACK = h("span", { key: "back", class: "g-back", svg: BACK });

const fronts = new Map();

/** The printed side; equal cards share its nodes. */
function cardFront(card) {
  const print = `${card.name}\n${card.mark}`;
  if (!fronts.has(print)) fronts.set(print, printed(card));
  return fronts.get(print);
}

const printed = (card) => h("span", { key: "front", class: "g-front" },
  h("span", { class: "g-mark", "aria-hidden": "true", text: card.mark ?? "" }),
  h("span", { class: "g-art", svg: picture(card.name, card.mark) }),
  h("span", { class: "g-name" }, h("span", {}, parted(card.name).map(({ text, soft }, i) => h("span", { key: `${i}`, class: soft && "g-soft", text })))));

function cardWords(card) {
  if (!card.name) return hidden("face down");
  const suit = card.suit && card.suit !== card.name && card.suit;
  return hidden([suit && `, ${suit}`, card.count > 1 && `, ${card.count} cards`, card.new && ", new"].filter(Boolean).join(""));
}

function card(id, c, { rowId, row, view }) {
  const asButton = Boolean(c.send) || row.kind === "choice" || (row.kind === "hand" && row.mine);
  const why = c.off && slug(view, rowId, id, "why");
  const look = [c.name ? "g-up" : "g-down", c.picked && "g-picked", c.new && "g-new", c.off && "g-off"];
  const pressed = c.send || row.kind === "choice" ? String(Boolean(c.picked)) : null;
  return h("li", { key: id },
    h(asButton ? "button" : "div", {
      class: `g-card ${look.filter(Boolean).join(" ")}`, type: asButton ? "button" : null, send: c.send,
      style: { "--suit": colour(c) }, title: c.off || (row.kind === "pile" && c.name) || null,
      "data-at": rowId, "data-why": c.off || null, "aria-describedby": why || null,
      "aria-pressed": asButton ? pressed : null, "aria-disabled": asButton && (c.off || !c.send) ? "true" : null,
    },
      h("span", { class: "g-turn" }, CARD_BACK, c.name && cardFront(c)),
      cardWords(c),
      c.count > 1 && h("span", { class: "g-count", "aria-hidden": "true", text: `×${c.count}` }),
      c.picked && h("span", { class: "g-tick", "aria-hidden": "true", text: "✓" }),
      why && h("span", { id: why, hidden: true, text: c.off })));
}

function deck(row) {
  const size = row.size ?? 0;
  const layers = Math.min(size, 3);
  return h("div", { key: "deck", class: `g-pack g-layers${layers}` },
    h("span", { class: "g-stack", "aria-hidden": "true" }, size > 0 && CARD_BACK),
    h("span", { class: "g-size", text: String(size) }),
    hidden(size === 1 ? " card, face down" : " cards, face down"));
}

const cards = (rowId, row, view) => h("ul", { key: "cards", role: "list", class: "g-cards", "data-keys": true },
  inOrder(row.cards).map(([id, c]) => card(id, c, { rowId, row, view })));

const isSeveral = (r) => entries(r.cards).length > 2;

function row(id, r, screen, view) {
  const label = slug(view, id, "label");
  const isEmpty = r.kind !== "deck" && entries(r.cards).length === 0;
  return h("div", { key: id, role: "group", class: `g-row g-${r.kind} ${r.mine ? "g-mine" : ""} ${isSeveral(r) ? "g-several" : ""} ${entries(r.cards).length > 5 ? "g-wide" : ""}`, "aria-labelledby": label, "data-region": id },
    h("div", { class: "g-label" }, h("h2", { id: label, text: r.label }), r.note && h("span", { class: "g-note", text: r.note })),
    r.kind === "deck" ? deck(r) : cards(id, r, view),
    isEmpty && h("p", { class: "g-empty", text: "no cards" }),
    notice(id, screen, view));
}

// ---- the table ----------------------------------------------------------------------------------------------

const PHASE_WORDS = { done: " (done)", now: "", next: "" };

function phases(screen) {
  const list = inOrder(screen.phases);
  return list.length > 0 && h("div", { key: "phases", class: "g-phases" },
    screen.turn > 0 && h("p", { class: "g-turnno" }, h("span", { text: "Turn " }), h("strong", { text: String(screen.turn) })),
    h("ol", { "aria-label": "Phases of the turn", role: "list" }, list.map(([name, { state }], i) =>
      h("li", { key: name, class: `g-phase g-${state}`, "aria-current": state === "now" ? "step" : null },
        h("span", { class: "g-step" },
          h("span", { class: "g-dot", "aria-hidden": "true", text: state === "done" ? "✓" : String(i + 1) }),
          h("span", { class: "g-phasename" }, h("span", { text: name.replace(/ Phase$/, "") }), name.endsWith(" Phase") && h("span", { class: "g-phaseword", text: " Phase" })),
          hidden(PHASE_WORDS[state] ?? ""))))));
}

function track(id, t) {
  const pips = Array.from({ length: Math.min(t.goal, 12) }, (_, i) => h("span", { key: `p${i}`, class: i < t.value ? "g-pip g-full" : "g-pip" }));
  return h("li", { key: id, class: "g-track" }, h("span", { class: "g-tracklabel", text: t.label }),
    h("span", { class: "g-pips", "aria-hidden": "true" }, pips), h("span", { class: "g-of", text: `${t.value} of ${t.goal}` }));
}

const seconds = (s) => `${s < 10 ? s.toFixed(1) : Math.round(s)} s`;

function person(face) {
  const words = `${["calm", "uneasy"].includes(face.mood) ? "looks" : "is"} ${face.mood}`;
  return h("figure", { key: "face", class: "g-person" },
    h("span", { class: "g-face", svg: portrait(face.mood) }),
    h("figcaption", {},
      face.said && h("p", { class: "g-said" }, h("q", { text: face.said })),
      h("p", { class: "g-mood" }, h("strong", { text: `${face.name} ` }), h("span", { text: words })),
      face.seconds !== undefined && h("p", { class: "g-seconds", text: `answered after ${seconds(face.seconds)}` })));
}

/** Where a row lies, the urgent ones first; the hand before all that comes and goes. A whole number is a line. */
function rank(r, isGuess) {
  if (r.kind === "spot") return isSeveral(r) ? 0 : isGuess ? 2.5 : 3.5;
  return { hand: 1, choice: 2, deck: 3, pile: 4 }[r.kind];
}

function rows(screen, view) {
  const all = inOrder(screen.rows);
  const isGuess = all.some(([, r]) => r.kind === "choice");
  const ranked = all.map(([id, r]) => ({ id, r, rank: rank(r, isGuess) })).sort((a, b) => a.rank - b.rank);
  const line = (i) => Math.floor(ranked[i].rank);
  return ranked.flatMap(({ id, r }, i) => [
    i > 0 && line(i) !== line(i - 1) && h("div", { key: `line ${line(i)}`, class: "g-break" }), row(id, r, screen, view)]);
}

function felt(screen, view) {
  const tracks = inOrder(screen.tracks);
  const hasTop = screen.face || tracks.length > 0;
  const all = Object.values(screen.rows ?? {});
  const has = (kind) => all.some((r) => r.kind === kind);
  const look = {
    "g-airy": hasTop && !has("hand") && !has("choice"), "g-handless": !hasTop && !has("hand"), "g-guess": has("choice"),
    "g-awaits": !has("spot") && !screen.result, // a place is kept for the card to come
    "g-shown": all.some((r) => r.kind === "spot" && isSeveral(r)), "g-piles": all.filter((r) => r.kind === "pile").length > 1,
  };
  return h("div", { key: "felt", class: ["g-felt", ...Object.keys(look).filter((name) => look[name])].join(" ") },
    hasTop && h("div", { key: "top", class: "g-people" }, screen.face && person(screen.face),
      tracks.length > 0 && h("ul", { class: "g-tracks", role: "list" }, tracks.map(([id, t]) => track(id, t)))),
    h("div", { key: "rows", class: "g-rows" }, rows(screen, view)));
}

/** The log's lines, from which on they are news to the person who has to move: since he last did something. */
function told(screen) {
  const lines = entries(screen.log);
  return { lines, news: screen.mine ? lines.findLastIndex(([, line]) => line.by === "you") + 1 : lines.length };
}

function log(screen) {
  const { lines, news } = told(screen);
  let turn = 0;
  const items = lines.map(([id, line], i) => {
    const isNewTurn = (line.turn ?? 0) > turn;
    turn = line.turn ?? turn;
    return h("li", { key: id, class: `g-by-${line.by || "nobody"} ${i >= news ? "g-news" : ""}` },
      isNewTurn && h("strong", { class: "g-logturn", text: `Turn ${turn}` }),
      h("span", { class: "g-line", text: line.text }));
  });
  return items.length > 0 && h("div", { key: "log", class: "g-log" },
    h("h2", { text: "What has happened" }),
    h("div", { class: "g-scroll", tabindex: 0, role: "region", "aria-label": "Log" }, h("ol", { role: "list" }, items)));
}

const MOST_NEWS = 3;

/** What the other side has just done, in short, for a page on which the log is out of sight. */
function summary(screen) {
  const { lines, news } = told(screen);
  const others = lines.slice(news).filter(([, line]) => line.by === "other").slice(-MOST_NEWS);
  return !screen.face && others.length > 0 && h("p", { key: "summary", class: "g-summary", text: others.map(([, line]) => line.text).join(" ") });
}

const SHAPES = {
  here: `<path d="${circle(24, 24, 20)}" fill="currentColor"/>`,
  thinking: pen(`<path stroke-width="5" d="${circle(24, 24, 20)}"/><path d="${[13, 24, 35].map((x) => circle(x, 24, 3.6)).join("")}" fill="currentColor" stroke="none"/>`),
  away: pen(`<path stroke-width="5" stroke-dasharray="9 8" d="${circle(24, 24, 20)}"/>`),
};

const other = (id, o) => h("li", { key: id, class: `g-other g-is${o.state}` },
  h("span", { class: "g-shape", svg: svg("48 48", SHAPES[o.state]) }),
  h("strong", { text: o.name }), hidden(", "), h("span", { class: "g-seat", text: o.seat }), hidden(", "),
  h("span", { class: "g-state" }, h("span", { text: o.state }),
    o.seconds !== undefined && ago(o, " ")));

const others = (screen) => entries(screen.others).length > 0 && h("ul", { key: "others", class: "g-others", role: "list", "aria-label": "At this table" },
  entries(screen.others).map(([id, o]) => other(id, o)));

const HURRY = 10; // seconds

const left = (clock) => Math.max(0, clock.seconds - elapsed(clock));

function minutes(s) {
  const whole = Math.ceil(s);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const clock = (c) => [
  h("p", { key: "time", class: "g-time", role: "timer" }, hidden("Time left: "), h("span", { counts: () => minutes(left(c)) })),
  c.then && h("p", { key: "then", class: "g-then", text: c.then })];

function panel(screen, view) {
  const moves = inOrder(screen.moves);
  const isTable = screen.page === "table";
  const words = notice("panel", screen, view);
  if (!isTable && !moves.length && !screen.who && !screen.prompt && !screen.clock && !words) return null;
  const who = slug(view, "who");
  const asks = isTable && Object.values(screen.fields ?? {}).some((f) => f.kind === "number"); // digits are typed into it
  return h("section", {
    key: "panel", class: `g-panel ${screen.mine ? "g-yours" : ""}`, "data-region": "panel", "data-start": isTable, tabindex: -1,
    "aria-labelledby": screen.who ? who : null, "aria-label": screen.who ? null : "What you can do",
  },
    (screen.who || screen.clock) && h("div", { key: "head", class: "g-head" },
      screen.who && h("h2", { id: who, class: "g-who", text: screen.who }), screen.clock && clock(screen.clock)),
    summary(screen),
    screen.prompt && h("p", { key: "prompt", class: "g-prompt", text: screen.prompt }),
    isTable && form(screen, view),
    words,
    moves.length > 0 && h("div", { key: "moves", class: `g-moves ${moves.length > 4 ? "g-crowd" : ""}`, "data-keys": true },
      moves.map(([id, b], i) => button(id, b, { view, region: "panel", number: i < 9 && !asks ? i + 1 : 0 }))));
}

// ---- odds ---------------------------------------------------------------------------------------------------

const oddsBar = (b, i) => h("li", { key: `${i}`, class: "g-odd" }, h("span", { class: "g-oddname", text: b.label }),
  h("span", { class: "g-oddline", "aria-hidden": "true", style: { "--share": String(b.share) } }), h("span", { class: "g-oddwords", text: b.words }));

const SEVERAL = 4; // equal highest chances: more would frame too much

const nameHeader = ([name, mark], scope) => h("th", { key: name, scope, title: name }, h("span", { "aria-hidden": "true", text: mark }), hidden(name));

const wholePercent = (p) => (p === 0 ? "·" : p < .005 ? "‹1" : String(Math.round(100 * p)));

const cell = (p, { most, frames }) => h("td", { style: { "--share": String(most && p / most) }, class: frames && p === most && "g-most", text: wholePercent(p) });

function slice(title, [, groups, targets], chances, scale) {
  return h("table", { key: title, class: "g-slice" }, h("caption", { text: title }),
    h("thead", {}, h("tr", {}, h("td"), targets.map((named) => nameHeader(named, "col")))),
    h("tbody", {}, groups.map((named, row) => h("tr", { key: named[0] }, nameHeader(named, "row"),
      targets.map((_, column) => cell(chances[row * targets.length + column], scale))))));
}

function cube({ names, chances }) {
  const size = names[1].length * names[2].length;
  const most = Math.max(...chances);
  const scale = { most, frames: chances.filter((p) => p === most).length <= SEVERAL };
  return h("div", { key: "cube", class: "g-cube" }, names[0].map(([title], i) => slice(title, names, chances.slice(i * size, (i + 1) * size), scale)));
}

const WIDE = 300, HIGH = 90;

/** A line from left to right, in a band where its points are not exact; what is marked has a ring. */
function curve({ points, marks = [], errors = [], words }) {
  const x = (i) => 6 + (i * (WIDE - 12)) / Math.max(points.length - 1, 1);
  const y = (p) => 6 + (1 - p) * (HIGH - 12);
  const path = (steps) => steps.map(([i, p], n) => `${n ? "L" : "M"}${x(i).toFixed(1)} ${y(p).toFixed(1)}`).join("");
  const edge = (side) => errors.map((e, i) => [i, Math.min(Math.max(points[i] + side * e, 0), 1)]);
  const band = errors.length ? `<path class="g-band" d="${path([...edge(1), ...edge(-1).reverse()])}Z"/>` : "";
  const rings = marks.map((i) => `<circle class="g-ring" cx="${x(i).toFixed(1)}" cy="${y(points[i]).toFixed(1)}" r="5"/>`).join("");
  const half = `<path class="g-half" d="M0 ${y(.5)}H${WIDE}"/>`;
  return h("div", { key: "curve", class: "g-curve", role: "img", "aria-label": words },
    h("span", { class: "g-scale", "aria-hidden": "true" }, h("span", { text: "100 %" }), h("span", { text: "50 %" }), h("span", { text: "0 %" })),
    h("span", { class: "g-plot", svg: svg(`${WIDE} ${HIGH}`, `${half}${band}<path class="g-way" d="${path([...points.entries()])}"/>${rings}`) }));
}

const chart = (id, c) => h("div", { key: id, class: "g-chart" }, h("h2", { text: c.title }),
  c.bars && h("ul", { key: "bars", role: "list" }, c.bars.map(oddsBar)), c.cube && cube(c.cube), c.curve && curve(c.curve),
  c.cube && h("p", { key: "key", class: "g-help", text: "In percent: a table for each Attack, a row for each Group, a column for each Target." }),
  c.line && h("p", { key: "line", class: "g-help", text: c.line }));

const odds = (screen) => entries(screen.odds).length > 0 && h("section", { key: "odds", class: `g-odds ${screen.odds.truth ? "g-truth" : ""}`, "data-region": "odds", "aria-label": "Odds" },
  inOrder(screen.odds).map(([id, c]) => chart(id, c)));

// ---- forms --------------------------------------------------------------------------------------------------

function radios(name, f) {
  return h("div", { class: "g-options" }, f.choices.map((choice) =>
    h("label", { key: choice.value, class: "g-option" },
      h("input", { type: "radio", name, value: choice.value, checked: f.value === choice.value, send: f.send }),
      h("span", { class: "g-choicewords" }, h("strong", { text: choice.label }), choice.line && h("span", { text: choice.line })))));
}

const INPUTS = {
  number: { type: "number", inputmode: "numeric", step: 1 },
  text: { type: "text", autocomplete: "off", spellcheck: "false" },
  file: { type: "file" },
  check: { type: "checkbox" },
};

function input(f, id, describedby) {
  const value = { number: { value: f.value }, text: { value: f.value }, check: { checked: f.value === "true" }, file: {} }[f.kind];
  return h("input", { ...INPUTS[f.kind], ...value, id, send: f.send, "data-last": f.last, "aria-describedby": describedby, "aria-invalid": f.error ? "true" : null });
}

function field(key, f, view) {
  const id = slug(view, key);
  const error = view.hint?.at === key ? view.hint.text : f.error;
  const notes = [f.help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ") || null;
  const below = [
    f.help && h("p", { key: "help", id: `${id}-help`, class: "g-help", text: f.help }),
    error && h("p", { key: "error", id: `${id}-error`, class: "g-error" }, h("strong", { text: "Please check: " }), h("span", { text: error })),
  ];
  if (f.kind === "radio") {
    return h("fieldset", { key, class: "g-field", "data-region": key, "aria-describedby": notes }, h("legend", { text: f.label }), radios(id, f), ...below);
  }
  return h("div", { key, class: `g-field g-kind-${f.kind}`, "data-region": key, "data-field": key },
    h("label", { for: id, text: f.label }), input({ ...f, error }, id, notes), ...below);
}

function form(screen, view) {
  const all = inOrder(screen.fields);
  const draw = (list) => list.map(([key, f]) => field(key, f, view));
  const more = all.filter(([, f]) => f.more);
  return all.length > 0 && h("div", { key: "form", class: "g-form" },
    draw(all.filter(([, f]) => !f.more)),
    more.length > 0 && h("details", { key: "more", class: "g-more", "data-wrong": more.some(([, f]) => f.error) },
      h("summary", { text: "More rules" }), h("div", { class: "g-form" }, draw(more))));
}

// ---- grids --------------------------------------------------------------------------------------------------

const MARKS = { stuck: "!", over: "✓", right: "✓", wrong: "✗" };

function firstCell(text, { tone, send }) {
  const words = [tone && h("span", { class: "g-tone", "aria-hidden": "true", text: MARKS[tone] }), h("span", { text })];
  return h("th", { scope: "row" }, send ? h("button", { type: "button", class: "g-open", send }, words) : h("span", { class: "g-first" }, words));
}

const gridRow = (id, e, counts) => h("tr", { key: id, class: e.tone && `g-${e.tone}` },
  e.cells.map((text, i) => (i === 0 ? firstCell(text, e) : h("td", { text }))),
  counts && h("td", { key: "counts", class: "g-age" }, e.seconds !== undefined && ago(e)));

function grid(id, g, view) {
  const title = slug(view, id, "title");
  const list = inOrder(g.rows);
  return h("div", { key: id, class: "g-grid", "data-region": id },
    h("h2", { id: title, text: g.title }),
    list.length === 0 ? h("p", { key: "none", class: "g-none", text: g.empty }) :
      h("div", { key: "box", class: "g-box", tabindex: 0, role: "region", "aria-labelledby": title },
        h("table", { "aria-labelledby": title },
          h("thead", {}, h("tr", {}, [...g.columns, g.counts].filter(Boolean).map((text) => h("th", { scope: "col", text })))),
          h("tbody", { "data-keys": true }, list.map(([key, e]) => gridRow(key, e, g.counts))))));
}

/** Where the pictures of a board begin, each with the heading before it: they stand below all that changes. */
function firstPicture(blocks) {
  const at = blocks.findIndex((one, i) => one.kind === "img" && !invites(blocks, i));
  return at < 0 ? blocks.length : at - (blocks[at - 1]?.kind === "h");
}

function board(screen, view) {
  const blocks = screen.text ?? [];
  const at = firstPicture(blocks);
  return h("div", { key: "board", class: "g-board" },
    prose(blocks.slice(0, at)),
    h("div", { key: "desk", class: "g-desk" }, panel(screen, view), form(screen, view), odds(screen), inOrder(screen.grids).map(([id, g]) => grid(id, g, view))),
    prose(blocks.slice(at), "pictures"));
}

// ---- pages --------------------------------------------------------------------------------------------------

function header(screen, view) {
  const bar = inOrder(screen.bar);
  const isTable = screen.page === "table";
  return h("header", { key: "header", class: `g-header ${view.menu ? "g-menuopen" : ""} ${bar.length > 2 ? "g-many" : ""}`, "data-region": "bar" },
    h("div", { key: "title", class: "g-title" },
      h("h1", { text: screen.title, tabindex: -1, "data-start": !isTable && screen.page !== "curtain" }), others(screen)),
    bar.length > 2 && h("button", { type: "button", class: "g-button g-quiet g-menu", "data-menu": true, "aria-expanded": String(Boolean(view.menu)), text: "Menu" }),
    h("div", { key: "bar", class: "g-bar", "data-keys": true },
      bar.map(([id, b]) => button(id, b, { view, region: "bar", look: "g-quiet" })),
      h("button", { key: " keys", type: "button", class: "g-button g-quiet g-keysbutton", "data-help": true, "aria-keyshortcuts": "?" },
        h("span", { "aria-hidden": "true", text: "?" }), hidden("Keys"))));
}

const tiles = (screen) => entries(screen.tiles).length > 0 && h("div", { key: "tiles", class: "g-tiles", "data-keys": true, "data-region": "tiles" },
  inOrder(screen.tiles).map(([id, t]) => h("button", { key: id, type: "button", class: "g-tile", send: t.send },
    h("span", { class: "g-scene", svg: scene(t.art) }),
    h("span", { class: "g-tilewords" }, h("strong", { text: t.title }), h("span", { text: t.line })))));

const KEYS = [["Tab", "to the next control"], ["Arrow keys", "within a row of cards or moves"], ["Enter or Space", "press"],
  ["1 to 9", "the moves, in their order"], ["?", "this list"], ["Escape", "close it"]];

const keysDialog = (view) => h("dialog", { key: "keys", class: "g-dialog", "aria-labelledby": slug(view, "keys") },
  h("h2", { id: slug(view, "keys"), text: "Keys" }),
  h("dl", {}, KEYS.map(([key, does]) => h("div", { key }, h("dt", {}, h("kbd", { text: key })), h("dd", { text: does })))),
  h("button", { type: "button", class: "g-button g-main", "data-close": true, text: "Close" }));

function curtain(screen, view) {
  return h("div", { key: "curtain", class: "g-curtain", "data-start": !entries(screen.moves).length, tabindex: -1 },
    h("span", { class: "g-emblem", svg: BACK, "aria-hidden": "true" }), prose(screen.text), panel(screen, view));
}

const result = (screen) => h("p", { key: "result", class: "g-result", text: screen.result });

const table = (screen, view) => [screen.result ? result(screen) : phases(screen),
  h("div", { key: "table", class: "g-table" }, felt(screen, view), panel(screen, view), odds(screen), log(screen))];

/** At home, the way back to where one is in the middle of something comes before the games to begin. */
function plainPage(screen, view) {
  const isBack = screen.page === "home" && entries(screen.moves).some(([, move]) => move.main);
  const deeds = panel(screen, view);
  return h("div", { key: screen.page, class: `g-page g-${screen.page}` },
    isBack && deeds, tiles(screen), prose(screen.text), form(screen, view), !isBack && deeds);
}

/** The place is always there, so that what comes into it is announced. */
const banner = (screen) => h("div", { key: "banner", role: "status" }, screen.banner && h("p", { class: "g-banner" },
  h("strong", { text: "From the teacher: " }), h("span", { text: screen.banner })));

/** The whole screen as nodes. */
function drawScreen(screen, view) {
  const body = { table, curtain, board }[screen.page] ?? plainPage;
  return [banner(screen), header(screen, view), body(screen, view), screen.foot && h("p", { key: "foot", class: "g-foot", text: screen.foot }), keysDialog(view)].flat();
}
