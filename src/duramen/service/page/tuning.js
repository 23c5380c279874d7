// The slider: any setting with a range, or precision against recall where the algorithm has that choice.

import { find, make, show } from "./elements.js";
import { number, t, word } from "./language.js";
import * as settings from "./settings.js";

const FAVOURS = ["recall", "balance", "precision"]; // from more text to less
// Settings of which a higher value keeps less text. Of others we promise no direction.
const STRICTER = new Set(["lambda", "lambda_", "threshold", "tau"]);
const STEPS = 40;

let changed = () => {};
let knob = null; // { setting, stops | minimum, maximum, step }

function knobOf(setting) {
  if (setting.type === "choice" && FAVOURS.every((each) => setting.choices.includes(each))) {
    return { setting, stops: FAVOURS, minimum: 0, maximum: FAVOURS.length - 1, step: 1 };
  }
  const ranged = setting.minimum !== null && setting.maximum !== null && setting.minimum < setting.maximum;
  if (!["number", "integer"].includes(setting.type) || !ranged || setting.default === null) return null;
  const step = setting.step || (setting.type === "integer" ? 1 : (setting.maximum - setting.minimum) / STEPS);
  return { setting, stops: null, minimum: setting.minimum, maximum: setting.maximum, step };
}

const rank = ({ setting, stops }) => (stops ? 0 : STRICTER.has(setting.name) ? 1 : 2);

function knobs() {
  const all = (settings.description(settings.algorithm())?.settings ?? []).map(knobOf).filter(Boolean);
  return all.sort((a, b) => rank(a) - rank(b));
}

const label = (name) => ({ lambda: "λ", lambda_: "λ", tau: "τ", favor: t("tune.favor") })[name] ?? name.replaceAll("_", " ");
const told = (value) => (knob.stops ? word("favor", knob.stops[value]) : number(value));
const place = () => {
  const value = settings.valueOf(knob.setting);
  return knob.stops ? knob.stops.indexOf(value) : value;
};

function ends() {
  const stricter = knob.stops || STRICTER.has(knob.setting.name);
  find("knob-low").textContent = stricter ? t("tune.more") : number(knob.minimum);
  find("knob-high").textContent = stricter ? t("tune.less") : number(knob.maximum);
}

function refresh() {
  const slider = find("slider");
  slider.value = place();
  slider.setAttribute("aria-valuetext", told(Number(slider.value)));
  slider.setAttribute("aria-label", label(knob.setting.name));
  find("knob-value").textContent = told(place());
  find("knob-reset").disabled = JSON.stringify(settings.valueOf(knob.setting)) === JSON.stringify(knob.setting.default);
  const share = (Number(slider.value) - knob.minimum) / (knob.maximum - knob.minimum);
  slider.style.setProperty("--share", `${Math.min(Math.max(share, 0), 1) * 100}%`);
}

function turnTo(chosen) {
  knob = chosen;
  Object.assign(find("slider"), { min: knob.minimum, max: knob.maximum, step: knob.step });
  find("knob").value = knob.setting.name;
  ends();
  refresh();
}

// Shows the slider of the algorithm that is chosen now, on the setting that was shown before if it has that.
export function drawTuning() {
  const all = knobs();
  show(find("tune"), all.length > 0);
  if (!all.length) return;
  const chooser = find("knob");
  chooser.replaceChildren(...all.map(({ setting }) => make("option", { value: setting.name, text: label(setting.name) })));
  show(chooser, all.length > 1);
  find("knob-name").textContent = label(all[0].setting.name);
  show(find("knob-name"), all.length === 1);
  turnTo(all.find(({ setting }) => setting.name === knob?.setting.name) ?? all[0]);
}

export function startTuning(onChange) {
  changed = onChange;
  find("knob").addEventListener("change", (event) => turnTo(knobs().find(({ setting }) => setting.name === event.target.value)));
  find("slider").addEventListener("input", (event) => {
    const at = Number(event.target.value);
    settings.set(knob.setting.name, knob.stops ? knob.stops[at] : at);
    refresh();
    changed();
  });
  find("knob-reset").addEventListener("click", () => {
    settings.set(knob.setting.name, knob.setting.default);
    refresh();
    find("slider").focus();
    changed();
  });
  document.addEventListener("spoken", () => { if (knob) drawTuning(); });
}
