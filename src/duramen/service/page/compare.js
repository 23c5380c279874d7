// Two algorithms side by side, with what only one of them took marked.

import { find, make } from "./elements.js";
import { differ } from "./differ.js";
import { number, percent, t, word } from "./language.js";

const CLOSEST = { cetd: "coreex" }; // a neighbour worth comparing with; of others, the first that differs
let last = null;

export const left = () => find("left").value;
export const right = () => find("right").value;

export function fillSides(names, chosen, against) {
  for (const id of ["left", "right"]) {
    find(id).replaceChildren(...names.map((name) => make("option", { value: name, text: name })));
  }
  find("left").value = chosen;
  const other = [against, CLOSEST[chosen], ...names].find((name) => name && name !== chosen && names.includes(name));
  find("right").value = other;
}

function side(runs, which, name) {
  if (runs === null) return make("div", { class: `side ${which} gap`, "aria-hidden": "true" });
  const marked = runs.map(([text, alone]) => (alone ? make("mark", { text }) : text));
  return make("div", { class: `side ${which}` }, make("span", { class: "hush", text: `${name}: ` }), ...marked);
}

function fold(count) {
  return make("p", { class: "equal", text: t("compare.equal", { number: number(count) }) });
}

function heading(name, answer) {
  const result = answer.results[name];
  const share = answer.share[name];
  const figures = result.reason
    ? word("reason", result.reason)
    : t("compare.figures", { words: number(result.words), share: percent(share), time: number(result.timing.work, 2) });
  return make("header", {}, make("h3", { text: name }), make("p", { class: "soft", text: figures }));
}

export function drawCompare(answer) {
  last = answer;
  const names = Object.keys(answer.results);
  const [one, other] = names;
  const rows = differ(answer.results[one].text, answer.results[other].text);
  const only = find("differing").checked;
  const drawn = [];
  let equal = 0;
  const flush = () => {
    if (equal) drawn.push(fold(equal));
    equal = 0;
  };
  for (const row of rows) {
    if (row.same && only) {
      equal += 1;
      continue;
    }
    flush();
    const kind = row.same ? "row same" : row.lone ? "row lone" : "row";
    drawn.push(make("div", { class: kind }, side(row.left, "left", one), side(row.right, "right", other)));
  }
  flush();
  const differing = rows.filter((row) => !row.same).length;
  find("agreement").textContent = differing
    ? t("compare.agree", { agreement: percent(answer.agreement[one][other]), number: number(differing) })
    : t("compare.same");
  const heads = make("div", { class: "row heads" }, heading(one, answer), heading(other, answer));
  find("sides").replaceChildren(heads, ...drawn);
}

export function startCompare(changed) {
  for (const id of ["left", "right"]) {
    find(id).addEventListener("change", () => {
      if (left() === right()) {
        const partner = find(id === "left" ? "right" : "left");
        partner.value = [...partner.options].find((option) => option.value !== find(id).value).value;
      }
      changed();
    });
  }
  find("differing").addEventListener("change", () => { if (last) drawCompare(last); });
  document.addEventListener("spoken", () => { if (last) drawCompare(last); });
}
