// Markdown, HTML and JSON as they are, with a little colour where that helps reading.

import { find, make } from "./elements.js";
import { t } from "./language.js";

const JSON_PARTS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const COLOURED = 300_000; // characters; beyond that, plain text is kinder to the browser

function coloured(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(JSON_PARTS)) {
    parts.push(text.slice(at, found.index));
    const kind = found[2] ? "key" : found[1] ? "string" : "value";
    parts.push(make("span", { class: kind, text: found[1] ?? found[0] }), found[2] ?? "");
    at = found.index + found[0].length;
  }
  parts.push(text.slice(at));
  return parts;
}

export function drawListing(view, text) {
  const code = make("code");
  if (view === "json" && text.length < COLOURED) code.append(...coloured(text));
  else code.textContent = text;
  const block = make("pre", { class: "listing", tabindex: "0", role: "region", "aria-label": t("listing", { format: view }) }, code);
  if (view !== "json") block.classList.add("wrapped");
  find(`view-${view}`).replaceChildren(block);
}
