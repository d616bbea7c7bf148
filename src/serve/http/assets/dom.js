// Elements, numbers and words: what every page writes with.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child);
  }
  return node;
}

/** An HTML element. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export const byId = (id) => document.getElementById(id);

/** Replaces what is inside. */
export function put(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

const counting = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
export const count = (number) => counting.format(number);

/** Games a second: slow ones have decimals. */
export const pace = (rate) => (rate >= 10 ? count(rate) : rate.toFixed(rate >= 1 ? 1 : 2));

/** With a sign that is as wide as a plus. */
export function signed(number, digits = 0) {
  const text = Math.abs(number).toFixed(digits);
  if (Number(text) === 0) return text;
  return (number < 0 ? "−" : "+") + text;
}

export function plain(number, digits = 2) {
  const text = Number.isInteger(number) ? String(Math.abs(number)) : Math.abs(number).toFixed(digits);
  return (number < 0 ? "−" : "") + text;
}

/** Seconds in words: the two largest units. */
export function duration(seconds) {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  const days = Math.floor(hours / 24);
  return hours % 24 ? `${days} d ${hours % 24} h` : `${days} d`;
}

/** A number that a page was asked for; null where it is none. */
export const whole = (text) => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : null);

export const fileLink = (file) => el("a", { href: `/files/${file}`, class: "file" }, `#${file}`);
export const matchLink = (number) => el("a", { href: `/matches/${number}` }, `match ${count(number)}`);

export const ORIGINS = {
  founder: "founder",
  seeded: "seeded",
  crossover: "crossover",
  doubling: "doubling",
  refill: "refill",
  immigrant: "immigrant",
  elder: "elder",
  scholar: "scholar",
  consensus: "challenged consensus",
};
export const originName = (origin) => ORIGINS[origin] ?? origin;

const CAUSES = { "below-minimum": "points below the minimum", capacity: "no room left" };
export const causeName = (cause) => CAUSES[cause] ?? cause;

/** Where a file is, in a few words. */
export function stateName(file) {
  if (file.alive) return "alive";
  if (file.death) return "dead";
  return file.origin === "consensus" ? "challenged" : "in the hall";
}

export const sideName = (side) => (side === "x" ? "Black" : "White");

const REASONS = {
  connected: "connected",
  "both-connected": "both connected",
  "no-moves": "no moves left",
  repetition: "repetition",
  "max-plies": "move limit",
};
export const reasonName = (reason) => REASONS[reason] ?? reason;

/** How a game ended, in a few words. */
export function ending(result, reason) {
  const who = result === "draw" ? "Draw" : `${sideName(result)} wins`;
  return `${who}: ${reasonName(reason)}`;
}

/** The last part of the address as a number. */
export function numberInPath() {
  return Number(location.pathname.split("/").pop());
}

/** Shows the page, which is hidden until it has its first content: what comes
    in bits would shift what is there already. */
export function ready() {
  byId("main").removeAttribute("data-loading");
}

/** Shows what went wrong, or that nothing did. */
export function problem(message) {
  if (message) ready();
  const place = byId("problem");
  place.hidden = !message;
  place.textContent = message ?? "";
}
