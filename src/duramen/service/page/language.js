// The interface in English and Chinese. Words are data: en.json and zh.json have the same keys.

import { recall, remember } from "./memory.js";

const CODES = { en: "en", zh: "zh-Hans" };
const loaded = {};
let now = "en";

export const language = () => now;

export function t(key, values = {}) {
  const words = loaded[now]?.[key] ?? loaded.en?.[key];
  if (words === undefined) return key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// A word that comes from the service (a page type, a verdict), where we have one for it.
export const word = (group, name) => {
  const found = t(`${group}.${name}`);
  return found === `${group}.${name}` ? String(name).replaceAll("_", " ") : found;
};

export function number(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  const code = CODES[now];
  if (Number.isInteger(value)) return value.toLocaleString(code);
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString(code);
  return Number(value.toPrecision(digits)).toLocaleString(code, { maximumSignificantDigits: digits });
}

export const percent = (value) => value.toLocaleString(CODES[now], { style: "percent", maximumFractionDigits: 0 });

async function load(code) {
  if (loaded[code]) return;
  const answer = await fetch(`page/${code}.json`);
  loaded[code] = await answer.json();
}

const ATTRIBUTES = { tLabel: "aria-label", tPlaceholder: "placeholder" };

function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const [name, attribute] of Object.entries(ATTRIBUTES)) {
    const selector = `[data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}]`;
    for (const element of root.querySelectorAll(selector)) {
      element.setAttribute(attribute, t(element.dataset[name]));
      if (element.classList.contains("icon")) element.title = t(element.dataset[name]);
    }
  }
}

export async function speak(code) {
  await load("en");
  await load(code);
  now = code;
  document.documentElement.lang = CODES[code];
  document.title = t("document");
  translate(document);
  for (const button of document.querySelectorAll("[data-language]")) {
    button.setAttribute("aria-pressed", String(button.dataset.language === code));
  }
  document.dispatchEvent(new Event("spoken"));
}

export async function startLanguage() {
  const remembered = recall("language");
  const preferred = navigator.languages?.find((tag) => /^(en|zh)\b/i.test(tag)) ?? "en";
  for (const button of document.querySelectorAll("[data-language]")) {
    button.addEventListener("click", () => {
      remember("language", button.dataset.language);
      speak(button.dataset.language);
    });
  }
  await speak(remembered in CODES ? remembered : preferred.slice(0, 2).toLowerCase());
}
