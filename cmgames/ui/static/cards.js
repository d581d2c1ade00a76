// The pictures. Everything here is drawn for cmgames; a card's picture is looked up by the card's printed name.

const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** A point at distance r from (x, y), d degrees clockwise from the right. */
const polar = (r, d, x = 24, y = 24) => {
  const a = (d * Math.PI) / 180;
  return `${(x + r * Math.cos(a)).toFixed(1)} ${(y + r * Math.sin(a)).toFixed(1)}`;
};

const polygon = (n, r, turn = 0, x = 24, y = 24) =>
  `M${Array.from({ length: n }, (_, i) => polar(r, turn + (360 * i) / n, x, y)).join("L")}z`;

const around = (n, draw) => Array.from({ length: n }, (_, i) => draw((360 * i) / n)).join("");

const blade = (d) =>
  `M${polar(6, d - 30)}L${polar(19, d - 30)}A19 19 0 0 1 ${polar(19, d + 30)}L${polar(6, d + 30)}A6 6 0 0 0 ${polar(6, d - 30)}z`;

const shoe = (x, y) =>
  `M${x} ${y}c4 0 5 4 5 8s-2 6-4 6-5-3-5-7 1-7 4-7zm-3 17h7v2a3.5 3.5 0 0 1-7 0z`;

// name: [tinted area, lines, solid area], each an SVG path on a square of 48
const PICTURES = {
  // Tunnel Rat
  Tunnel: ["M5 43V25a19 19 0 0 1 38 0v18z", "M24 6v10M11 13l6 8M37 13l-6 8M5 31h9M34 31h9", "M14 43V29a10 10 0 0 1 20 0v14z"],
  VC: ["M7 21L13 5h31l-3 16z", "M2 41h44", `M6 21h36v20H6zM10 31q6-8 12 0q-6 7-12 0zM26 31q6-8 12 0q-6 7-12 0z${circle(16, 31, 2.2)}${circle(32, 31, 2.2)}`],
  Trap: ["M5 15v28h38V15l-10 0-5 7h-8l-5-7z", "M3 15h12l5 7M45 15H33l-5 7M4 43h40", around(4, (d) => `M${8 + d / 10} 42l3-15 3 15z`)],
  // Attack
  Nuclear: ["", circle(24, 24, 21), [90, 210, 330].map(blade).join("") + circle(24, 24, 3.5)],
  Biological: [circle(24, 24, 11), around(8, (d) => `M${polar(11, d)}L${polar(17, d)}`), around(8, (d) => circle(...polar(18.5, d).split(" ").map(Number), 2.2)) + circle(21, 21, 2.5) + circle(28, 26, 2) + circle(21, 29, 1.5)],
  Chemical: ["M15 30h18l5 8a3 3 0 0 1-3 5H13a3 3 0 0 1-3-5z", "M18 5h12M20 5v14L9 38a3 3 0 0 0 3 5h24a3 3 0 0 0 3-5L28 19V5", circle(21, 35, 2) + circle(28, 38, 1.6)],
  Conventional: [circle(20, 29, 14), "M33 15q3-7 8-4M43 8l2-3M44 13h3M38 6l-1-3M12 28a9 9 0 0 1 7-8", "M26 15l7 7 3-4-6-6z"],
  // Group: compass marks
  Western: [circle(24, 24, 19), "M22 24h21M24 5v4M24 39v4", "M8 24l15-9v18z"],
  Asian: [polygon(6, 20), "M26 24H4", "M40 24l-15-9v18z"],
  African: [polygon(4, 21), "M24 25V3", "M24 39l-9-15h18z"],
  "Middle Eastern": ["M10 6h28a4 4 0 0 1 4 4v28a4 4 0 0 1-4 4H10a4 4 0 0 1-4-4V10a4 4 0 0 1 4-4z", circle(24, 24, 11) + "M24 6v7M24 35v7M6 24h7M35 24h7", circle(24, 24, 5)],
  // Target
  Military: ["M24 4l17 6v12c0 11-7 18-17 22C14 40 7 33 7 22V10z", "M15 22l9-6 9 6M15 30l9-6 9 6", ""],
  Government: ["M24 5l20 12H4z", "M10 22v14M19 22v14M29 22v14M38 22v14M7 37h34M4 43h40", ""],
  Commercial: ["M5 16h38v25H5z", "M17 16V9h14v7M5 27h38", "M21 24h6v6h-6z"],
  Cultural: ["M4 7h40v34H4z", "", `M10 35l9-13 7 9 4-5 8 9z${circle(34, 17, 3.5)}`],
  // Secrecy
  "Charismatic Leader": ["M6 20v9h8l18 9V11l-18 9z", "M15 30l3 11h6l-3-8M38 18q5 6 0 13", ""],
  "State Supported": ["M12 7q8-4 15 0t15 0v19q-8 4-15 0t-15 0z", "M12 4v40M7 44h10", ""],
  "Multiple Cells": [polygon(6, 9, 30, 24, 14) + polygon(6, 9, 30, 15.5, 30) + polygon(6, 9, 30, 32.5, 30), "", circle(24, 14, 3) + circle(15.5, 30, 3) + circle(32.5, 30, 3)],
  "Intelligence Failure": ["M4 7h40v27H4z", "M15 43h18M24 34v9M19.5 17a4.5 4.5 0 1 1 6.5 4q-2 1-2 3", circle(24, 29, 1.6)],
  "Fresh Recruits": ["M9 8h30v36H9z", "M24 20v15M16.5 27.500h15", "M17 4h14v8H17z"],
  Fanaticism: ["M24 4c2 9 14 13 14 25a14 14 0 0 1-28 0c0-6 4-8 5-13 3 2 4 4 4 7 4-5 6-11 5-19z", "", "M24 43a6 6 0 0 1-6-6c0-4 4-5 6-10 2 5 6 6 6 10a6 6 0 0 1-6 6z"],
  "Go Underground": ["M3 17h12v21h18V17h12v27H3z", "M24 4v22", "M24 35l-8-11h16z"],
  "Leave No Trace": ["", "M5 43L43 5", shoe(14, 5) + shoe(33, 17)],
  "Blend In": [around(8, (d) => circle(9 + 15 * ((d / 45) % 3), 9 + 15 * Math.floor(d / 135), 5)), circle(39, 39, 5), circle(39, 39, 5)],
  "Dead End": ["M17 44V20h14v24z", "M24 28v4M24 38v4", "M6 9h36v9H6z"],
  "False Identity": ["M3 15h34v26H3z", `M11 15V7h34v26h-8${circle(13, 24, 4)}M7 35a6 6 0 0 1 12 0M24 24h8M24 31h8`, ""],
  Misinformation: ["M5 6h38v27H23l-10 10V33H5z", "M18 13l12 13M30 13L18 26", ""],
  // Organization
  CIA: [circle(24, 24, 20), "", `${circle(24, 19, 6)}M21 23h6l4 14H17z`],
  FBI: ["", "M12 37c2-4 2-8 2-13a10 10 0 0 1 20 0c0 6 0 10-2 15M19 42c2-6 1-11 1-18a4 4 0 0 1 8 0c0 7 0 12-2 19M7 30c1-3 1-5 1-7a16 16 0 0 1 32 0c0 3 0 6-1 9M12 8a20 20 0 0 1 24 0", ""],
  Interpol: [circle(24, 24, 20), "M4 24h40M24 4c-12 11-12 29 0 40M24 4c12 11 12 29 0 40M8 13h32M8 35h32", ""],
  // Resources
  Informants: ["M3 5h28v20H17l-7 7v-7H3z", "M36 17h9v19h-5v7l-7-7H21v-4", circle(10, 15, 2) + circle(17, 15, 2) + circle(24, 15, 2)],
  "Human Intelligence": [`M5 43c0-11 8-16 19-16s19 5 19 16z${circle(24, 14, 10)}`, "", ""],
  "International Assistance": ["", "M6 16h30M42 32H12", "M34 7l11 9-11 9zM14 23L3 32l11 9z"],
  // Surveillance
  "Airport Security": ["M24 3c2 0 3 2 3 5v9l17 10v5l-17-5v9l5 4v4l-8-2-8 2v-4l5-4v-9L4 32v-5l17-10V8c0-3 1-5 3-5z", "", ""],
  "Intercept Communications": ["", "M24 19L14 44M24 19l10 25M18 35h12M15 9a10 10 0 0 0 0 14M33 9a10 10 0 0 1 0 14M9 4a18 18 0 0 0 0 24M39 4a18 18 0 0 1 0 24", circle(24, 16, 4)],
  "Eye in the Sky": ["M3 27q21-24 42 0q-21 22-42 0z", "M24 4v6M9 7l3 6M39 7l-3 6", circle(24, 26, 6.5)],
  // Police Work
  Eyewitnesses: [circle(13, 28, 9) + circle(35, 28, 9), "M22 26q2-3 4 0M4 26l4-13M44 26l-4-13", ""],
  "Paper Trail": ["M16 10h25v34H16z", "M9 37V4h25v3M22 19h13M22 26h13M22 33h8", ""],
  "Follow Up Leads": [circle(20, 20, 15), "M31 31l13 13M11 20h4l4-7 4 13 3-6h3", ""],
  // Action
  "Pre-Emptive Strike": ["M29 3L8 27h13l-3 18 22-27H26z", "", ""],
  "Arrests & Interrogations": ["", `${circle(13, 30, 10)}${circle(35, 30, 10)}${circle(13, 30, 5.5)}${circle(35, 30, 5.5)}M19 21l3-5h4l3 5`, ""],
  "Commando Raids": ["M4 22a20 18 0 0 1 40 0q-5-4-10 0-5-4-10 0-5-4-10 0-5-4-10 0z", "M4 22l18 15M44 22L26 37M14 22l9 15M34 22l-9 15", "M19 36h10v8H19z"],
};

// dark enough for small letters on the cards' paper, and far apart within a game
const COLOURS = {
  VC: "#a8272d", Trap: "#855000", Tunnel: "#19623e",
  Attack: "#a8272d", Group: "#1c5a96", Target: "#805000", Secrecy: "#633a92",
  Organization: "#1c4f94", Resources: "#26693a", Surveillance: "#6a3a94", "Police Work": "#8a4b00", Action: "#a8272d",
};
const MORE_COLOURS = ["#1c5a96", "#a8272d", "#26693a", "#805000", "#633a92", "#0f6670", "#8d2a6b", "#4c5560"];

const hash = (text) => [...text].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) >>> 0, 7);

const svg = (box, inner) => `<svg viewBox="0 0 ${box}" aria-hidden="true" focusable="false">${inner}</svg>`;

const pen = (inner) =>
  `<g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round">${inner}</g>`;

function drawn([tint, lines, solid]) {
  return svg("48 48", pen(
    (tint && `<path d="${tint}" fill="currentColor" fill-opacity=".16"/>`) + (lines && `<path d="${lines}"/>`) +
    (solid && `<path d="${solid}" fill="currentColor" stroke="none" fill-rule="evenodd"/>`)));
}

/** A picture for a card that nobody drew one for: its letters in a frame of its own shape. */
function lettered(name, mark) {
  const letters = (mark || name).replace(/[^\p{L}\p{N}]/gu, "").slice(0, 2);
  const sides = 4 + (hash(name) % 5);
  return svg("48 48", pen(`<path d="${polygon(sides, 21, -90)}" fill="currentColor" fill-opacity=".16"/>`) +
    `<text x="24" y="31" text-anchor="middle" font-size="20" font-weight="700" fill="currentColor">${letters}</text>`);
}

const picture = (name, mark = "") => (Object.hasOwn(PICTURES, name) ? drawn(PICTURES[name]) : lettered(name, mark));

/** The colour of a card: its suit's, else its name's, else one that stays the same for that suit. */
function colour({ suit = "", name = "" }) {
  const known = [suit, name].find((key) => Object.hasOwn(COLOURS, key));
  return known ? COLOURS[known] : MORE_COLOURS[hash(suit || name) % MORE_COLOURS.length];
}

const BACK = svg("48 48", pen(`<path d="M24 6l18 18-18 18L6 24z"/><path d="M24 14l10 10-10 10-10-10z" fill="currentColor" fill-opacity=".35"/>`));

const SCENES = {
  "tunnel-rat": svg("320 180",
    `<path fill="#b9c4a0" d="M0 0h320v180H0z"/><circle cx="262" cy="34" r="17" fill="#f3e6bd"/>
    <path fill="#8ba07c" d="M0 62q52-34 108-12t92-12q64-26 120 14v128H0z"/><path fill="#6d8a63" d="M0 88q70-30 150-8t170-10v110H0z"/>
    <path fill="#7a5c40" d="M0 104q80-18 160-8t160-4v88H0z"/><path fill="#644931" d="M76 180v-26a84 84 0 0 1 168 0v26z"/>
    <path fill="#4a3524" d="M98 180v-24a62 62 0 0 1 124 0v24z"/><path fill="#312317" d="M118 180v-21a42 42 0 0 1 84 0v21z"/>
    <path fill="#17100a" d="M135 180v-17a25 25 0 0 1 50 0v17z"/>
    <path fill="#f3e6bd" d="M149 163q4-5 8 0-4 4-8 0zM163 163q4-5 8 0-4 4-8 0z"/><path stroke="#4f6b47" stroke-width="3" stroke-linecap="round" d="M26 104l-5-16M34 103l3-19M44 102l7-13M274 97l-6-15M284 96l2-19M296 96l7-13"/>`),
  "cat-and-mouse": svg("320 180",
    `<path fill="#a9bcc4" d="M0 0h320v180H0z"/><path fill="#9db2bb" d="M40 0h26v130H40zM120 0h26v130h-26zM200 0h26v130h-26zM280 0h26v130h-26z"/>
    <path fill="#ece3d0" d="M0 104h320v44H0z"/><path fill="#cfc3aa" d="M0 104h320v6H0zM0 141h320v7H0z"/><path fill="#8a6a4a" d="M0 148h320v32H0z"/>
    <path fill="#35281c" d="M222 148v-18a21 21 0 0 1 42 0v18z"/><path fill="#f6df9c" d="M235 134a3 3 0 1 0 .1 0zM249 134a3 3 0 1 0 .1 0z"/>
    <path fill="#c79a6b" d="M243 142l-4 6h8z"/><path fill="none" stroke="#2b3a42" stroke-width="11" stroke-linecap="round" d="M52 160c-34 8-40-34-18-44"/>
    <path fill="#2b3a42" d="M48 170c-4-40 10-62 26-72l-3-34 18 15q13-4 26 0l18-15-3 34c16 10 30 32 26 72z"/>
    <path fill="#435863" d="M84 168q-2-34 18-34t18 34z"/><path fill="#f0d27a" d="${circle(91, 95, 6)}${circle(113, 95, 6)}"/><path fill="#2b3a42" d="M91 90q4 5 0 10-4-5 0-10zM113 90q4 5 0 10-4-5 0-10z"/>
    <path fill="none" stroke="#8fa3ad" stroke-width="1.5" stroke-linecap="round" d="M84 108l-19-4M84 112l-19 3M120 108l19-4M120 112l19 3"/><path fill="#c98f86" d="M99 105h6l-3 4z"/>`),
};

// where long words may be parted on a narrow card
const PARTED = new Map(("Bio-log-i-cal Chem-i-cal Conven-tional Govern-ment Commer-cial Charis-matic Sup-ported Intelli-gence Fanati-cism Under-ground Misin-for-mation " +
  "Infor-mants Inter-na-tional Assis-tance Com-mu-ni-ca-tions Eye-wit-nesses Inter-ro-ga-tions Com-mando").split(" ")
  .map((word) => [word.replaceAll("-", ""), word.split("-")]));

const parted = (name) => name.split(/(?<= )/).flatMap((word) => {
  const parts = PARTED.get(word.trim()) ?? [word.trim()];
  return parts.map((part, i) => ({ text: i === parts.length - 1 && word.endsWith(" ") ? `${part} ` : part, soft: i > 0 }));
});

const scene = (art) => SCENES[art] ?? picture(art);

const MOODS = {
  calm: { brows: "M35 46h18M67 46h18", lid: 7, look: [0, 0], mouth: "M48 87h24" },
  uneasy: { brows: "M35 46l17-6M68 40l17 6", lid: 7, look: [4, 0], mouth: "M48 88q6-6 12-1t12-3" },
  sweating: { brows: "M35 43l17-8M68 35l17 8", lid: 11, look: [0, 0], mouth: "M46 88q4.5-6 9 0t9 0 9 0" },
  thinking: { brows: "M35 46h18M67 41l18-4", lid: 7, look: [3, -2.5], mouth: "M52 88q8-4 15 0" },
};
const DROP = `<path class="g-drop" d="M93 26c5 7 7 11 7 14a7 7 0 0 1-14 0c0-3 2-7 7-14z" fill="#7cc4ee" stroke="#7cc4ee"/>`;
const DOTS = [96, 106, 116].map((x, i) => `<circle cx="${x}" cy="${24 - 6 * i}" r="${2.5 + i}" fill="currentColor" stroke="none"/>`).join("");

const eye = (x, { lid, look: [dx, dy] }) =>
  `<path d="M${x - 9} 57q9-${lid} 18 0q-9 ${lid - 1}-18 0z"/><path d="${circle(x + dx, 57 + dy / 2, 2.8)}" fill="currentColor"/>`;

/** A neutral face in a few lines. */
function portrait(mood) {
  const name = Object.hasOwn(MOODS, mood) ? mood : "calm";
  const m = MOODS[name];
  return svg("124 116", pen(
    `<path d="M60 10C35 10 24 29 24 53c0 29 16 54 36 54s36-25 36-54C96 29 85 10 60 10z" fill="currentColor" fill-opacity=".08"/>
    <path d="M24 54c-8-4-9 13 1 16M96 54c8-4 9 13-1 16M31 32c9-15 49-15 58 0M61 58c-1 7-5 12-5 14q4 3 8 0"/>
    <path d="${m.brows}${m.mouth}" stroke-width="3"/>${eye(44, m)}${eye(76, m)}` +
    (name === "sweating" ? DROP : "") + (name === "thinking" ? DOTS : "")));
}
