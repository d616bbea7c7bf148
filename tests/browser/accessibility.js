// What a reader with other means needs of a page, as far as a script can tell;
// returns one line for each finding. The rules are those of WCAG 2.2, levels A and
// AA, that these pages could break.

const findings = [];
const find = (rule, node, words = "") => {
  const id = node.id ? `#${node.id}` : "";
  const name = typeof node.className === "string" && node.className ? `.${node.className.split(" ").join(".")}` : "";
  findings.push(`${rule}: ${node.tagName.toLowerCase()}${id}${name} ${words}`.trim());
};
const all = (selector) => [...document.querySelectorAll(selector)];
const isShown = (node) => node.checkVisibility({ checkVisibilityCSS: true });

// Colours, as they are painted: whatever a style says becomes red, green, blue
// and opacity on one pixel.
const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const known = new Map();
function rgba(colour) {
  if (!known.has(colour)) {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
    known.set(colour, [r, g, b, a / 255]);
  }
  return known.get(colour);
}
const over = (top, below) => [0, 1, 2].map((n) => top[n] * top[3] + below[n] * (1 - top[3]));
function background(node) {
  const layers = [];
  for (let at = node; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
}
function luminance(colour) {
  const [r, g, b] = colour.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !isShown(node)) continue;
  if (node.closest("script, style, option, :disabled, .visually-hidden, .skip, .evalbar, [aria-hidden='true'] svg, .board-svg, #board")) continue;
  const style = getComputedStyle(node);
  const below = background(node.closest("svg") ? node.closest("svg").parentElement : node);
  const ink = over(rgba(node.closest("svg") && node.tagName === "text" ? style.fill : style.color), below);
  // A picture that is drawn smaller has smaller letters.
  const size = parseFloat(style.fontSize) * (node.ownerSVGElement ? Math.hypot(node.getScreenCTM().a, node.getScreenCTM().b) : 1);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const found = contrast(ink, below);
  if (found < (isLarge ? 3 : 4.5) - 0.005) find("contrast", node, `${found.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 30)}`);
  if (size < 11.95) find("small letters", node, `${size} px`);
}

// Names of what can be used.
const nameOf = (node) => {
  const by = (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
  const labels = [...(node.labels ?? [])].map((label) => label.textContent);
  return [node.getAttribute("aria-label"), ...by, ...labels, node.alt, node.tagName === "SELECT" ? "" : node.textContent, node.getAttribute("title")].filter(Boolean).join("").trim();
};
for (const node of all("button, a[href], input, select, textarea, meter, [role='img'], [role='progressbar'], [role='region'], [role='grid']")) if (isShown(node) && !nameOf(node)) find("name", node);
for (const node of all("img:not([alt])")) find("alternative text", node);
for (const node of all("th")) if (isShown(node) && !node.textContent.trim()) find("empty header", node);

// Structure.
const ids = all("[id]").map((node) => node.id);
for (const node of all("[id]")) if (ids.indexOf(node.id) !== ids.lastIndexOf(node.id)) find("id twice", node);
for (const name of ["aria-labelledby", "aria-controls", "aria-describedby", "for"]) {
  for (const node of all(`[${name}]`)) if (isShown(node) && node.getAttribute(name).split(" ").some((id) => !ids.includes(id))) find(`${name} leads nowhere`, node, node.getAttribute(name));
}
let level = 0;
for (const node of all("h1, h2, h3, h4").filter(isShown)) {
  const own = Number(node.tagName[1]);
  if (own > level + 1) find("heading skips a level", node, node.textContent);
  level = own;
}
if (all("h1").filter(isShown).length !== 1) find("one h1", document.body);
if (!document.documentElement.lang) find("language", document.documentElement);
for (const node of document.body.children) if (!["HEADER", "MAIN", "FOOTER", "SCRIPT"].includes(node.tagName)) find("outside of landmarks", node);
for (const node of all("ul > :not(li), ol > :not(li), dl > :not(dt, dd, div)")) find("list", node);
if (/user-scalable=no|maximum-scale/.test(document.querySelector("meta[name='viewport']")?.content ?? "")) find("zoom", document.head);

// What scrolls can be scrolled with the keyboard.
for (const node of all("main *").filter(isShown)) {
  const style = getComputedStyle(node);
  const scrolls = (/auto|scroll/.test(style.overflowX) && node.scrollWidth > node.clientWidth + 1) || (/auto|scroll/.test(style.overflowY) && node.scrollHeight > node.clientHeight + 1);
  if (scrolls && node.tabIndex < 0 && !node.querySelector("a[href], button, input, select, [tabindex='0']")) find("cannot be scrolled by keys", node);
}
return [...new Set(findings)];
