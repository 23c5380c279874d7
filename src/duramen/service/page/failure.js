// What went wrong, and what to do about it.

import { useKey } from "./api.js";
import { find, make, show } from "./elements.js";
import { t } from "./language.js";

const known = (key) => (t(key) === key ? null : t(key));

const sentence = (text) => text && text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

export function showFailure(failure) {
  const { code } = failure;
  find("failure-title").textContent = known(`failure.${code}`) ?? t("failure");
  find("failure-text").textContent = sentence(failure.message ?? "");
  const wait = failure.wait ? t("failure.wait", { seconds: failure.wait }) : null;
  find("failure-hint").textContent = [known(`failure.${code}.hint`) ?? failure.hint, wait].filter(Boolean).join(" ");
  askForKey(code === "key_required");
  show(find("failure"), true);
}

export const hideFailure = () => show(find("failure"), false);

function askForKey(needed) {
  find("key")?.closest("label").remove();
  if (!needed) return;
  const field = make("input", { id: "key", type: "password", autocomplete: "off" });
  field.addEventListener("input", () => useKey(field.value));
  find("again").before(make("label", { class: "key-field" }, make("span", { text: t("key") }), field));
}
