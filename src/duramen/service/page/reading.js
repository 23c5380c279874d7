// The reading view: our cleaned HTML, cleaned once more, in a frame where nothing runs.

import { find } from "./elements.js";
import { Frame } from "./frame.js";
import { t, word } from "./language.js";
import { cleaned } from "./sanitise.js";

let frame = null;

const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim().toLowerCase();

// The title stands above the tabs already.
function withoutTitle(nodes, title) {
  const heading = nodes.querySelector("h1, h2");
  if (heading && plain(heading.textContent) === plain(title)) heading.remove();
}

function nothing(reason) {
  const nodes = document.createDocumentFragment();
  const note = document.createElement("p");
  note.className = "nothing";
  note.textContent = reason ? word("reason", reason) : t("reason.none");
  nodes.append(note);
  return { nodes, lang: document.documentElement.lang, dir: "" };
}

export async function drawReading(result) {
  frame ??= new Frame(find("view-reading"), "reading");
  frame.name(t("view.reading"));
  if (result.reason) {
    await frame.fill(nothing(result.reason));
    return;
  }
  await frame.ready;
  const content = cleaned(result.html, frame.document);
  withoutTitle(content.nodes, result.title);
  await frame.fill({ ...content, lang: content.lang || result.language });
}
