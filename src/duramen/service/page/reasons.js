// The service's reason for a node, "verdict · why · words · path", as a sentence in the language of the interface.

import { t } from "./language.js";

const PATTERNS = [
  [/^a content section$/, "why.section"],
  [/^in the section (.+)$/, "why.insection"],
  [/^in (.+), density (\S+) < threshold (\S+)$/, "why.thin.around"],
  [/^density (\S+) < threshold (\S+)$/, "why.thin"],
  [/^density (\S+)$/, "why.density"],
  [/^score (\S+) < threshold (\S+)$/, "why.low"],
  [/^score (\S+) ≥ threshold (\S+)$/, "why.high"],
  [/^score (\S+)$/, "why.score"],
  [/^inside the winner (.+)$/, "why.inside"],
  [/^outside the winner (.+)$/, "why.outside"],
];

function phrase(part) {
  for (const [pattern, key] of PATTERNS) {
    const found = part.match(pattern);
    if (found) return t(key, Object.fromEntries(found.slice(1).map((text, at) => ["abc"[at], text])));
  }
  return part;
}

export function reasonOf(node) {
  // The verdict, the words, the path and what decided stand elsewhere.
  const parts = node.why.split(" · ").slice(1, -2).filter((part) => part !== node.columns.because);
  const sentence = parts.map(phrase).join(t("why.join"));
  return sentence ? sentence[0].toUpperCase() + sentence.slice(1) + t("why.stop") : t(`why.${node.verdict}`);
}
