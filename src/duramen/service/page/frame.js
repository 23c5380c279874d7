// A frame in which no script runs, whatever is put into it. We fill it from outside and fit it to its content.

import { make } from "./elements.js";
import { theme } from "./theme.js";

// Same origin, so that we can fill, measure and listen; without allow-scripts nothing inside can act on that.
const LOCKS = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";
const EMPTY = `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'">
<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="page/frame.css"><title>-</title></head><body></body></html>`;

export class Frame {
  constructor(host, kind) {
    this.element = make("iframe", { sandbox: LOCKS, srcdoc: EMPTY, class: "frame" });
    this.kind = kind;
    this.ready = new Promise((done) => {
      this.element.addEventListener("load", () => {
        this.document = this.element.contentDocument;
        this.document.body.className = kind;
        this.dress();
        new ResizeObserver(() => this.fit()).observe(this.document.body);
        done();
      }, { once: true });
    });
    host.replaceChildren(this.element);
    document.addEventListener("themed", () => this.dress());
  }

  name(title) {
    this.element.title = title;
    if (this.document) this.document.title = title;
  }

  dress() {
    const root = this.document?.documentElement;
    if (!root) return;
    if (theme() === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme();
  }

  fit() {
    const height = Math.ceil(this.document.body.getBoundingClientRect().height);
    if (height) this.element.style.height = `${height}px`;
  }

  async fill({ nodes, lang, dir }) {
    await this.ready;
    this.document.documentElement.lang = lang || "";
    this.document.documentElement.dir = dir || "";
    this.document.body.replaceChildren(nodes);
    this.fit();
  }
}
