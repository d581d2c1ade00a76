// A keyed morph: pages are described as plain nodes, elements are made once and then changed in place.

/** A node. Of `set`, the keys of PUT are special; the rest are attributes. */
const h = (tag, set = {}, ...kids) => ({ tag, set, kids: kids.flat() });

const PUT = {
  key() {},
  text: (el, value) => { el.textContent = value ?? ""; },
  svg: (el, value) => { el.innerHTML = value ?? ""; }, // only ever constants of cards.js
  send: (el, value) => { el.send = value; },
  counts: (el, value) => { // words that change with time: the view writes them
    el.counts = value;
    el.dataset.counts = "";
  },
  value: (el, value) => { if (!(el.matches(":focus") && el.sent === value)) el.value = value ?? ""; }, // who types on is let
  checked: (el, value) => { el.checked = Boolean(value); },
  style: (el, value) => { for (const [name, one] of Object.entries(value ?? {})) el.style.setProperty(name, one); },
};

function putAttribute(el, name, value) {
  if (value === undefined || value === null || value === false) el.removeAttribute(name);
  else el.setAttribute(name, value === true ? "" : value);
}

function put(el, set) {
  const before = el.drawn ?? {};
  for (const name of Object.keys({ ...before, ...set })) {
    const stays = before[name] === set[name] && !(name === "checked" && el.checked !== set.checked);
    if (!stays) (PUT[name] ?? ((e, v) => putAttribute(e, name, v)))(el, set[name]);
  }
  el.drawn = set;
}

/** Make the children of `parent` look like `nodes`. */
function morph(parent, nodes) {
  const old = new Map([...parent.children].map((el) => [el.key, el]));
  const wanted = nodes.map((node, i) => node && { ...node, key: node.set.key ?? `${node.tag} ${i}` }).filter(Boolean);
  const elements = wanted.map((node) => {
    const el = old.get(node.key);
    return el?.localName === node.tag ? el : Object.assign(document.createElement(node.tag), { key: node.key });
  });
  const keep = new Set(elements);
  for (const el of old.values()) if (!keep.has(el)) el.remove();
  let place = parent.firstElementChild;
  wanted.forEach((node, i) => {
    const el = elements[i];
    put(el, node.set);
    if (!("text" in node.set || "svg" in node.set) && el.kids !== node.kids) morph(el, node.kids);
    el.kids = node.kids; // the very same nodes need no second look
    if (el === place) place = place.nextElementSibling;
    else if (el.parentNode === parent && parent.moveBefore) parent.moveBefore(el, place);
    else parent.insertBefore(el, place);
  });
}

const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=file])";
const FINE = matchMedia("(hover: hover) and (pointer: fine)"); // elsewhere a field that has the focus brings a keyboard over half the page
const STOPS = "button, input, summary, a[href], [tabindex='0']";
const stops = (region) => [...region.querySelectorAll(STOPS)].filter((el) => el.getClientRects().length);

/** Draw, and leave the keyboard's focus where it was, or as near to it as can be. */
function keepingFocus(root, draw) {
  const page = root.getRootNode();
  const had = root.contains(page.activeElement) ? page.activeElement : null;
  const region = had?.closest("[data-region]");
  const place = region ? stops(region).indexOf(had) : -1;
  draw();
  if (!had || page.activeElement === had) return;
  const near = (region?.isConnected ? stops(region) : []).filter((el) => FINE.matches || !el.matches(TYPING));
  const heir = had.isConnected ? had : near[Math.min(place, near.length - 1)] ?? root.querySelector("[data-start]");
  heir?.focus({ preventScroll: true });
}

/** RFC 7386. */
function mergePatch(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const result = target && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}
