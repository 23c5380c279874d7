// What is known of the page: title and byline, confidence, kind of page, metadata.

import { draw, find, make, show } from "./elements.js";
import { language, number, percent, t, word } from "./language.js";

function date(text) {
  const found = new Date(text);
  if (Number.isNaN(found.getTime())) return text;
  return new Intl.DateTimeFormat(language() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "long", timeZone: zone(text) }).format(found);
}

// The day as the page has it, wherever the reader is.
const zone = (text) => (/[+-]\d\d:?\d\d$/.test(text) ? text.slice(-6) : "UTC");

function safeDate(text) {
  try { return date(text); } catch { return text; }
}

// A trunk in section: the heartwood has the area of the confidence.
function rings(share) {
  const circle = (r, name) => draw("circle", { cx: 50, cy: 50, r, class: name });
  const label = draw("text", { x: 50, y: 57, "text-anchor": "middle" });
  label.textContent = percent(share);
  return draw("svg", { viewBox: "0 0 100 100", class: "rings", role: "img", "aria-label": t("confidence.is", { share: percent(share) }) },
    circle(46 * Math.sqrt(share), "heart"), ...[48, 39, 30, 21, 12].map((r) => circle(r, "ring")), label);
}

function drawFigures(result) {
  const figure = (name, value) => make("div", {}, make("dt", { text: name }), make("dd", {}, value));
  const all = [figure(t("words"), number(result.words))];
  if (result.page_type) all.push(figure(t("kind"), word("type", result.page_type)));
  all.push(figure(t("took"), t("milliseconds", { number: number(Math.round(result.timing.work)) })));
  if (result.confidence !== null) all.push(figure(t("confidence"), rings(result.confidence)));
  find("figures").replaceChildren(...all);
}

function drawKinds(types) {
  show(find("kinds"), Boolean(types));
  if (!types) return;
  const likely = Object.entries(types).filter(([, share]) => share >= 0.005);
  const sorted = likely.sort(([, a], [, b]) => b - a).slice(0, 6);
  find("kind-list").replaceChildren(...sorted.map(([name, share]) => {
    const bar = make("i", { class: "share" });
    bar.style.setProperty("--share", `${share * 100}%`);
    return make("li", {}, make("span", { text: word("type", name) }), make("b", { text: percent(share) }), bar);
  }));
}

function drawMetadata(result) {
  const said = result.metadata;
  const rows = [
    ["author", said.author], ["date", said.date && safeDate(said.date)], ["site", said.site],
    ["language.page", result.language], ["description", said.description], ["address", result.url ?? said.url],
    ["algorithm", `${result.algorithm} · duramen ${result.version}`], ["encoding", result.encoding],
    ["flags", result.flags.map((flag) => word("flag", flag)).join(", ")],
  ].filter(([, value]) => value);
  find("metadata").replaceChildren(...rows.flatMap(([name, value]) => [make("dt", { text: t(name) }), make("dd", { text: value })]));
}

export function drawDetails(result) {
  const said = result.metadata;
  find("title").textContent = result.title || t("untitled");
  document.title = `${result.title || t("untitled")} · duramen`;
  find("title").lang = result.language ?? "";
  find("origin").textContent = said.site || host(result.url) || "";
  find("byline").textContent = [said.author, said.date && safeDate(said.date)].filter(Boolean).join(" · ");
  const note = find("note");
  note.textContent = result.reason ? word("reason", result.reason) : "";
  show(note, Boolean(result.reason));
  drawFigures(result);
  drawKinds(result.page_types);
  drawMetadata(result);
}

function host(address) {
  try { return new URL(address).hostname; } catch { return null; }
}
