// Where the page comes from: an address, pasted HTML, or a file that is chosen or dropped.

import { find, show } from "./elements.js";
import { t } from "./language.js";

export const MOST_BYTES = 7_000_000; // Base64 makes a third more of them; the service takes 10 MiB

let file = null; // { name, base64 }

const kinds = () => [...document.querySelectorAll("input[name=kind]")];
export const kind = () => kinds().find((radio) => radio.checked).value;

export function complain(key, values) {
  const place = find("complaint");
  place.textContent = key ? t(key, values) : "";
  show(place, Boolean(key));
  const field = { url: "url", html: "html", file: "file" }[kind()];
  find(field).setAttribute("aria-invalid", String(Boolean(key)));
  if (key) find(field).setAttribute("aria-describedby", "complaint");
  else find(field).removeAttribute("aria-describedby");
}

export function choose(name) {
  for (const radio of kinds()) radio.checked = radio.value === name;
  for (const field of document.querySelectorAll(".field")) show(field, field.dataset.kind === name);
  complain(null);
}

// An address as people type it: the scheme may be missing.
function address(typed) {
  const text = typed.trim();
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  try {
    const found = new URL(whole);
    return ["http:", "https:"].includes(found.protocol) && found.hostname ? found.href : null;
  } catch {
    return null;
  }
}

// The page as the service takes it, or null after a complaint.
export function read() {
  complain(null);
  if (kind() === "url") {
    const url = address(find("url").value);
    if (url === null || !find("url").value.trim()) {
      complain(find("url").value.trim() ? "complaint.url" : "complaint.nourl");
      find("url").focus();
      return null;
    }
    return { url };
  }
  if (kind() === "html") {
    const html = find("html").value;
    if (!html.trim()) {
      complain("complaint.nohtml");
      find("html").focus();
      return null;
    }
    return { html };
  }
  if (file === null) {
    complain("complaint.nofile");
    find("file").focus();
    return null;
  }
  return { html_base64: file.base64 };
}

// Bytes, not text: only so does a page in GBK keep its encoding.
const encode = (blob) => new Promise((done, fail) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => done(reader.result.slice(reader.result.indexOf(",") + 1)));
  reader.addEventListener("error", () => fail(reader.error));
  reader.readAsDataURL(blob);
});

export async function take(blob) {
  choose("file");
  if (blob.size > MOST_BYTES) {
    complain("complaint.toolarge", { size: Math.round(MOST_BYTES / 1e6) });
    return false;
  }
  try {
    file = { name: blob.name, base64: await encode(blob) };
  } catch {
    complain("complaint.unreadable");
    return false;
  }
  named();
  return true;
}

function named() {
  if (file === null) return;
  find("filename").textContent = file.name;
  find("filenote").textContent = t("file.other");
}

export function fill({ url, html }) {
  if (url !== undefined) find("url").value = url;
  if (html !== undefined) find("html").value = html;
  choose(url !== undefined ? "url" : "html");
}

export function startSource(go) {
  for (const radio of kinds()) radio.addEventListener("change", () => choose(radio.value));
  for (const id of ["url", "html"]) find(id).addEventListener("input", () => complain(null));
  find("file").addEventListener("change", async (event) => {
    const [chosen] = event.target.files;
    if (chosen && await take(chosen)) go();
  });
  document.addEventListener("spoken", named);

  const body = document.body;
  let depth = 0;
  const holdsFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragenter", (event) => {
    if (holdsFile(event)) body.classList.toggle("dropping", ++depth > 0);
  });
  addEventListener("dragleave", (event) => {
    if (holdsFile(event)) body.classList.toggle("dropping", --depth > 0);
  });
  addEventListener("dragover", (event) => { if (holdsFile(event)) event.preventDefault(); });
  addEventListener("drop", async (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    depth = 0;
    body.classList.remove("dropping");
    const [dropped] = event.dataTransfer.files;
    if (dropped && await take(dropped)) go();
  });
  choose(kind());
}
