// Algorithm, page type and a control for each setting, all from what GET /algorithms says.

import { find, make, show } from "./elements.js";
import { t, word } from "./language.js";

let algorithms = [];
let chosen = null; // the algorithm's description
let values = {}; // settings that differ from their default
let changed = () => {};

export const algorithm = () => chosen?.name ?? "default";
export const names = () => algorithms.map((each) => each.name);
export const description = (name) => algorithms.find((each) => each.name === name);
export const options = () => ({ ...values });
export const pageType = () => find("pagetype").value;
export const settingOf = (name) => chosen?.settings.find((each) => each.name === name);
export const valueOf = (setting) => (setting.name in values ? values[setting.name] : setting.default);

export function set(name, value) {
  const setting = settingOf(name);
  if (!setting) return;
  if (JSON.stringify(value) === JSON.stringify(setting.default)) delete values[name];
  else values[name] = value;
  count();
}

function count() {
  const number = Object.keys(values).length;
  const badge = find("changed");
  badge.textContent = number ? t("settings.changed", { number }) : "";
  show(badge, number > 0);
}

// What a control says, as the value that the service takes; undefined where it makes no sense yet.
function reading(setting, control) {
  if (setting.type === "boolean" && !setting.nullable) return control.checked;
  const text = control.value.trim();
  if (setting.nullable && text === "") return null;
  if (setting.type === "boolean") return text === "true";
  if (setting.type === "number" || setting.type === "integer") {
    return text === "" || !Number.isFinite(Number(text)) ? undefined : Number(text);
  }
  if (setting.type === "list") return text.split(",").map((part) => part.trim()).filter(Boolean);
  if (setting.type === "choice") return setting.choices.find((choice) => String(choice) === text);
  return control.value;
}

const select = (id, choices, value) => {
  const control = make("select", { id }, ...choices.map(([key, label]) => make("option", { value: key, text: label })));
  control.value = value === null ? "" : String(value);
  return control;
};

function control(setting, id) {
  const value = valueOf(setting);
  const none = setting.nullable ? [["", t("settings.none")]] : [];
  if (setting.type === "choice") return select(id, [...none, ...setting.choices.map((each) => [each, each])], value);
  if (setting.type === "boolean" && setting.nullable) {
    return select(id, [...none, ["true", t("on")], ["false", t("off")]], value);
  }
  if (setting.type === "boolean") {
    const box = make("input", { id, type: "checkbox" });
    box.checked = Boolean(value);
    return box;
  }
  if (setting.type === "number" || setting.type === "integer") {
    const field = make("input", { id, type: "number", step: setting.type === "integer" ? 1 : "any", inputmode: "decimal" });
    field.value = value ?? "";
    return field;
  }
  const field = make("input", { id, type: "text", spellcheck: "false" });
  field.value = Array.isArray(value) ? value.join(", ") : value ?? "";
  return field;
}

function drawSettings() {
  const place = find("settings");
  const settings = (chosen?.settings ?? []).filter((each) => each.type !== "other");
  const paper = make("p", { class: "paper soft", text: chosen?.paper ?? "" });
  const summary = make("p", { class: "summary", text: chosen?.summary ?? "" });
  const fields = settings.map((setting) => {
    const id = `setting-${setting.name}`;
    const made = control(setting, id);
    made.addEventListener("input", () => {
      const value = reading(setting, made);
      made.setAttribute("aria-invalid", String(value === undefined));
      if (value === undefined) return;
      set(setting.name, value);
      changed();
    });
    const label = make("label", { for: id }, make("code", { text: setting.name }));
    const help = setting.help ? make("small", { text: setting.help.replaceAll("`", ""), id: `${id}-help` }) : null;
    if (help) made.setAttribute("aria-describedby", help.id);
    const boxed = made.type === "checkbox";
    return make("div", { class: boxed ? "setting boxed" : "setting" }, boxed ? made : label, boxed ? label : made, help);
  });
  const none = make("p", { class: "soft", text: t("settings.empty") });
  place.replaceChildren(summary, paper, ...(fields.length ? [make("div", { class: "grid" }, ...fields)] : [none]));
  count();
}

export function choose(name, given = {}) {
  chosen = description(name) ?? algorithms.find((each) => each.default) ?? algorithms[0];
  find("algorithm").value = chosen.name;
  values = {};
  for (const [key, value] of Object.entries(given)) set(key, value);
  drawSettings();
}

export const redraw = drawSettings;

export function setPageType(name) {
  find("pagetype").value = [...find("pagetype").options].some((option) => option.value === name) ? name : "";
}

function fillChoosers(types) {
  const label = (each) => (each.default ? t("algorithm.default", { name: each.name }) : each.name);
  const kept = chosen?.name;
  find("algorithm").replaceChildren(...algorithms.map((each) =>
    make("option", { value: each.name, text: label(each), title: each.summary })));
  if (kept) find("algorithm").value = kept;
  const type = find("pagetype");
  const now = type.value;
  const auto = make("option", { value: "", text: t("pagetype.auto"), "data-t": "pagetype.auto" });
  type.replaceChildren(auto, ...types.map((name) => make("option", { value: name, text: word("type", name) })));
  type.value = now;
  show(type.closest("label"), types.length > 0);
}

export function startSettings(described, onChange) {
  algorithms = described.algorithms;
  changed = onChange;
  fillChoosers(described.page_types ?? []);
  choose(described.default);
  find("algorithm").addEventListener("change", (event) => {
    choose(event.target.value);
    changed();
  });
  find("pagetype").addEventListener("change", () => changed());
  find("more").addEventListener("click", () => {
    const open = find("settings").hidden;
    show(find("settings"), open);
    find("more").setAttribute("aria-expanded", String(open));
  });
  document.addEventListener("spoken", () => {
    fillChoosers(described.page_types ?? []);
    drawSettings();
  });
}
