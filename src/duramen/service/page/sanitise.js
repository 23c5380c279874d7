// Markup from a page, built anew: a short list of tags, a shorter one of attributes, nothing that runs or loads.
//
// The service has cleaned it already, the frame it goes into runs no scripts, and the policy of this page forbids them
// too. This is the fourth lock on the same door.

const TAGS = new Set(`
  article section header footer main aside nav address hgroup h1 h2 h3 h4 h5 h6 p pre blockquote ol ul li dl dt dd
  figure figcaption div hr br table caption thead tbody tfoot tr td th details summary a ruby rt rp bdo span
  em strong small s cite q dfn abbr time code var samp kbd sub sup i b u mark ins del
`.trim().split(/\s+/));
// Of any other element only what is in it is left; of these, nothing is.
const GONE = new Set(`
  script style template noscript iframe frame frameset object embed applet svg math link meta base title head form
  input button select textarea audio video source track canvas map area portal
`.trim().split(/\s+/));
const PLAIN = {
  lang: /^[\w-]{1,35}$/, dir: /^(ltr|rtl|auto)$/i, colspan: /^\d{1,3}$/, rowspan: /^\d{1,3}$/, start: /^-?\d{1,9}$/,
  value: /^-?\d{1,9}$/, reversed: /^/, datetime: /^[\w:+. -]{1,40}$/,
};
// What our own drawing of a page carries on top.
const DRAWN = { "data-n": /^\d+$/, "data-why": /^/, "data-run": /^\w+$/, tabindex: /^(0|-1)$/, class: /^[\w -]*$/ };

function address(value) {
  try {
    const found = new URL(value);
    return ["http:", "https:", "mailto:"].includes(found.protocol) ? found.href : null;
  } catch {
    return null; // relative: there is nothing it could be relative to
  }
}

function picture(from, to) {
  const box = to.createElement("span");
  box.className = "picture";
  box.textContent = from.getAttribute("alt")?.trim() || "";
  return box;
}

function copy(element, name, to, drawn) {
  const made = to.createElement(name);
  for (const { name: attribute, value } of element.attributes) {
    const pattern = PLAIN[attribute] ?? (drawn ? DRAWN[attribute] : undefined);
    if (pattern?.test(value)) made.setAttribute(attribute, value);
  }
  const target = name === "a" && !drawn ? address(element.getAttribute("href") ?? "") : null;
  if (target) {
    made.setAttribute("href", target);
    made.setAttribute("target", "_blank");
    made.setAttribute("rel", "noopener noreferrer nofollow");
  }
  return made;
}

// The body of `markup` as nodes of the document `to`. `drawn`: markup that our explanation drew, with its marks.
export function cleaned(markup, to, { drawn = false } = {}) {
  // A document made this way has no window: nothing in it runs or loads.
  const source = new DOMParser().parseFromString(markup, "text/html");
  const result = to.createDocumentFragment();
  const waiting = [[source.body, result]];
  while (waiting.length) {
    const [from, into] = waiting.pop();
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) into.append(to.createTextNode(node.data));
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const name = node.localName;
      if (name === "img") into.append(picture(node, to));
      else if (!GONE.has(name)) {
        const made = TAGS.has(name) ? copy(node, name, to, drawn) : to.createElement("span");
        into.append(made);
        waiting.push([node, made]);
      }
    }
  }
  return { nodes: result, lang: source.documentElement.lang, dir: source.documentElement.dir };
}
