// Copy to the clipboard and download as a file.

import { make } from "./elements.js";

export async function copy(text) {
  if (navigator.clipboard && isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { /* refused: the old way may still work */ }
  }
  const field = make("textarea", { class: "hush", readonly: true });
  field.value = text;
  document.body.append(field);
  const before = document.activeElement;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus();
  return done;
}

export function download(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A file name from a title: letters and digits of any script, words apart by hyphens.
export function fileName(title, suffix) {
  const stem = (title ?? "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${stem || "duramen"}.${suffix}`;
}
