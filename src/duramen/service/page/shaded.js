// The page itself with kept and dropped parts coloured; whatever is pointed at or focused tells its reason.

import { find, make, show } from "./elements.js";
import { Frame } from "./frame.js";
import { number, t, word } from "./language.js";
import { reasonOf } from "./reasons.js";
import { cleaned } from "./sanitise.js";

let frame = null;
let explained = null;
let nodes = new Map(); // what the service says of each node, by number
let stops = []; // what the keyboard stops at, in order
let now = null; // the part that is told of
let held = false; // whether a click or the keyboard holds it there

const partOf = (target) => target?.closest?.("[data-n]") ?? null;
const isShown = (element) => element.getClientRects().length > 0;

// An element without a score of its own is spoken for by the one around it.
function speaker(part) {
  for (let at = part; at; at = partOf(at.parentElement)) {
    const node = nodes.get(Number(at.dataset.n));
    if (node && node.score !== null) return at;
  }
  return part;
}

const FIGURES = 8; // of an algorithm's own; the JSON has them all

// "link_share -1.20, words +0.80": the features that moved a learned score most, and whereto.
function because(told) {
  const moves = [...(typeof told === "string" ? told : "").matchAll(/([^,]+?) ([+-]\d[\d.]*)/g)];
  if (!moves.length) return null;
  const list = make("dl", { class: "because" });
  for (const [, name, by] of moves) {
    list.append(make("dt", { text: word("column", name.trim()) }), make("dd", { class: Number(by) < 0 ? "down" : "up", text: by }));
  }
  return make("div", {}, make("h3", { text: t("because") }), list);
}

function tell(part) {
  const told = speaker(part);
  const node = nodes.get(Number(told.dataset.n));
  if (!node) return;
  now?.classList.remove("now");
  now = part;
  now.classList.add("now");
  const own = nodes.get(Number(part.dataset.n)) ?? node;
  const verdict = own.verdict === "structure" && part.closest(".kept, .k") ? "kept" : own.verdict;
  const figures = make("dl");
  const add = (name, value) => figures.append(make("dt", { text: name }), make("dd", { text: value }));
  const columns = Object.entries(node.columns).filter(([name, value]) => typeof value === "number" && name !== "mark");
  if (node.score !== null && !columns.some(([, value]) => value === node.score)) add(t("score"), number(node.score));
  if (explained.plot.threshold !== null) add(t("threshold"), number(explained.plot.threshold));
  add(t("words"), number(node.words));
  const deciding = because(node.columns.because);
  if (deciding === null) for (const [name, value] of columns.slice(0, FIGURES)) add(word("column", name), number(value));
  const steps = own.path.split(" > ");
  find("inspector").replaceChildren(...[
    make("button", { type: "button", class: "close", text: t("close"), on: { click: letGo } }),
    make("span", { class: `verdict ${verdict}`, text: word("verdict", verdict) }),
    make("p", { class: "why", text: reasonOf(own), role: "status" }),
    figures,
    deciding,
    make("p", { class: "path" }, make("span", { text: steps.slice(0, -1).join(" › ") }), make("b", { text: ` › ${steps.at(-1)}` })),
  ].filter(Boolean));
  find("inspector").classList.add("filled");
}

function letGo() {
  held = false;
  now?.classList.remove("now");
  now = null;
  find("inspector").classList.remove("filled");
  find("inspector").replaceChildren(make("p", { class: "hint", text: t("inspector.hint"), "data-t": "inspector.hint" }));
}

function stopAt(element, focus = true) {
  for (const stop of stops) stop.tabIndex = -1;
  element.tabIndex = 0;
  held = true;
  tell(element);
  if (!focus) return;
  element.focus({ preventScroll: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const low = matchMedia("(max-width: 46rem)").matches; // the reason then covers the lower part of the window
  element.scrollIntoView({ block: low ? "start" : "center", behavior: calm ? "auto" : "smooth" });
}

function walk(event) {
  const shown = stops.filter(isShown);
  const at = shown.indexOf(frame.document.activeElement);
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
  if (event.key === "Escape") letGo();
  if (to === undefined || !shown[to]) return;
  event.preventDefault();
  stopAt(shown[to]);
}

function listen() {
  const page = frame.document;
  page.addEventListener("mouseover", (event) => {
    const part = partOf(event.target);
    if (part && !held) tell(part);
  });
  page.addEventListener("click", (event) => {
    const part = partOf(event.target);
    if (part) {
      tell(part);
      held = true;
    } else letGo();
  });
  page.addEventListener("focusin", (event) => {
    const part = partOf(event.target);
    if (part && part !== now) stopAt(part, false);
  });
  page.addEventListener("keydown", walk);
}

// Some browsers keep even our own listeners out of such a frame: there each part shows its reason as a tooltip.
function hears(page) {
  let heard = false;
  const note = () => { heard = true; };
  page.body.addEventListener("duramen", note);
  page.body.dispatchEvent(new Event("duramen"));
  page.body.removeEventListener("duramen", note);
  return heard;
}

function drawFacts() {
  find("facts").replaceChildren(...explained.facts.filter((fact) => fact.value || fact.nodes.length).flatMap((fact) => {
    const value = make("dd", { text: fact.value });
    for (const n of fact.nodes.slice(0, 5)) {
      const node = nodes.get(n);
      const part = frame.document.querySelector(`[data-n="${n}"]`);
      if (!node || !part) continue;
      const label = node.path.split(" > ").slice(-2).join(" › ");
      value.append(" ", make("button", { type: "button", class: "link", text: label, on: { click: () => go(n) } }));
    }
    return [make("dt", { text: word("fact", fact.label) }), value];
  }));
}

export function go(n) {
  const part = frame?.document?.querySelector(`[data-n="${n}"]`);
  if (!part) return false;
  if (!isShown(part)) hide(false);
  if (!part.hasAttribute("tabindex")) part.tabIndex = -1;
  stopAt(part);
  return true;
}

function hide(wanted) {
  find("hide").checked = wanted;
  frame.document.body.classList.toggle("hide", wanted);
}

export async function drawShaded(answer) {
  const fresh = frame === null;
  frame ??= new Frame(find("shaded"), "shaded");
  frame.name(t("view.page.frame"));
  await frame.ready;
  if (fresh) listen();
  const before = now ? Number(now.dataset.n) : null;
  explained = answer;
  nodes = new Map(answer.nodes.map((node) => [node.n, node]));
  const content = cleaned(answer.document, frame.document, { drawn: true });
  await frame.fill({ ...content, lang: document.documentElement.lang });
  for (const badge of frame.document.querySelectorAll(".badge")) {
    badge.textContent = badge.textContent.split(" · ").map((name) => word("badge", name)).join(" · ");
  }
  stops = [...frame.document.querySelectorAll("[tabindex]")];
  for (const stop of stops) stop.tabIndex = -1;
  if (stops.length) stops[0].tabIndex = 0;
  if (!hears(frame.document)) {
    for (const part of frame.document.querySelectorAll("[data-why]")) part.title = part.dataset.why;
  }
  hide(find("hide").checked);
  show(document.querySelector(".key.winner"), frame.document.querySelector(".mark") !== null);
  drawFacts();
  now = null;
  const again = before === null ? null : frame.document.querySelector(`[data-n="${before}"]`);
  if (again) tell(again); // the slider moved: the same part, judged anew
  else letGo();
}

export function startShaded() {
  find("hide").addEventListener("change", (event) => { if (frame?.document) hide(event.target.checked); });
  find("first").addEventListener("click", () => {
    const kept = stops.find((stop) => stop.closest(".kept, .k"));
    if (kept) stopAt(kept);
  });
  document.addEventListener("spoken", () => { if (frame?.document && explained) drawShaded(explained); });
}
