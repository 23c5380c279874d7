// Light, dark, or as the system has it.

import { find } from "./elements.js";
import { t } from "./language.js";
import { recall, remember } from "./memory.js";

const THEMES = ["auto", "light", "dark"];
let now = "auto";

export const theme = () => now;

function apply() {
  if (now === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = now;
  const button = find("theme");
  button.dataset.tLabel = `theme.${now}`;
  button.setAttribute("aria-label", t(`theme.${now}`));
  button.title = t(`theme.${now}`);
  document.dispatchEvent(new Event("themed"));
}

export function startTheme() {
  const remembered = recall("theme");
  if (THEMES.includes(remembered)) now = remembered;
  apply();
  find("theme").addEventListener("click", () => {
    now = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
    remember("theme", now);
    apply();
  });
}
