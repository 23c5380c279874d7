// The page: a source and settings go in, the service answers, the views show it.

import { Failure, get, post } from "./api.js";
import * as compare from "./compare.js";
import { drawDetails } from "./details.js";
import { find, settle, show } from "./elements.js";
import { hideFailure, showFailure } from "./failure.js";
import { number, startLanguage, t } from "./language.js";
import { drawListing } from "./listing.js";
import { drawPlot } from "./plot.js";
import { drawReading } from "./reading.js";
import { copy, download, fileName } from "./save.js";
import * as settings from "./settings.js";
import { drawShaded, go as goToPart, startShaded } from "./shaded.js";
import { linkOf, stateOf } from "./share.js";
import * as source from "./source.js";
import { startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";
import { drawTuning, startTuning } from "./tuning.js";

const FORMATS = ["text", "markdown", "html", "json"];
const SLIDER_MS = 120;
const FIELD_MS = 350;
const BUSY = new Set(["too_many_requests", "overloaded"]);
const LONGEST_WAIT = 5; // seconds

const now = {
  page: null, // what is sent: { url } | { html, base_url } | { html_base64 }
  origin: {}, // what a link holds: { url } | { html }
  result: null,
  encoding: null, // as first found: a page that was fetched comes back as text
  view: "reading",
  against: null,
  answers: new Map(), // explanations and comparisons of this result
  abort: new AbortController(),
};
const waiting = []; // settings that were changed a moment ago: whatever is asked meanwhile has them
let tabs;

const root = document.documentElement;
const setState = (state) => { root.dataset.state = state; };
const say = (text) => { find("status").textContent = text; };

function chosen() {
  const type = settings.pageType();
  return { algorithm: settings.algorithm(), options: settings.options(), ...(type ? { page_type: type } : {}) };
}

// ---- asking ---------------------------------------------------------------------------------------------------

async function submit() {
  const page = source.read();
  if (page === null) return;
  now.page = page;
  now.origin = page.html_base64 ? {} : page;
  now.encoding = null;
  now.result = null;
  show(find("result"), false);
  await extract();
}

// Extract again with what is set now. The old result stays in sight until the new one is there.
async function extract() {
  now.abort.abort();
  for (const wait of waiting) wait.cancel();
  const abort = now.abort = new AbortController();
  const fresh = now.result === null;
  setState(fresh ? "loading" : "again");
  find("go").setAttribute("aria-busy", "true");
  if (fresh) say(t("working"));
  try {
    const formats = now.page.url ? [...FORMATS, "source"] : FORMATS;
    const result = await post("extract", { ...now.page, ...chosen(), formats }, abort.signal);
    accept(result);
    await draw();
    finish(fresh);
  } catch (error) {
    if (error.name === "AbortError" || abort.signal.aborted) return;
    if (!fresh && BUSY.has(error.code) && error.wait <= LONGEST_WAIT) retry(error.wait, abort.signal);
    else fail(error, fresh);
  }
}

// Whoever moves the slider fast may be told to wait: then we do, and ask for where it stands.
function retry(seconds, signal) {
  say(t("retrying"));
  setTimeout(() => { if (!signal.aborted) extract(); }, seconds * 1000);
}

function accept(result) {
  if (now.page.url) {
    // Ask the site once: from now on its page is sent along.
    now.page = { html: result.source, ...(result.url ? { base_url: result.url } : {}) };
    delete result.source;
  }
  now.encoding ??= result.encoding;
  result.encoding = now.encoding;
  now.result = result;
  now.answers.clear();
  hideFailure();
  drawDetails(result);
  drawTuning();
  compare.fillSides(settings.names(), settings.algorithm(), now.against);
}

function finish(fresh) {
  find("go").removeAttribute("aria-busy");
  setState("done");
  const { result } = now;
  say(t("finished", { words: number(result.words), algorithm: result.algorithm }));
  show(find("result"), true);
  note();
  // Whoever pressed a button that is gone now goes on from here.
  if (fresh && document.activeElement === document.body) find("result").focus({ preventScroll: true });
  const top = find("result").getBoundingClientRect().top;
  if (fresh && (top > innerHeight * 0.6 || top < 0)) find("result").scrollIntoView({ block: "start" });
}

function fail(error, fresh) {
  find("go").removeAttribute("aria-busy");
  if (!(error instanceof Failure)) {
    console.error(error);
    error = new Failure("page", String(error));
  }
  setState(fresh ? "failed" : "done");
  say("");
  showFailure(error);
}

// An answer that belongs to the present result, asked for once.
async function answerOf(path, body) {
  const key = path + JSON.stringify(body);
  const { answers, abort } = now;
  if (!answers.has(key)) answers.set(key, await post(path, { ...now.page, ...body }, abort.signal));
  return answers.get(key);
}

// ---- the views ------------------------------------------------------------------------------------------------

const explained = () => answerOf("explain", chosen());

const views = {
  reading: () => drawReading(now.result),
  page: async () => drawShaded(await explained()),
  compare: async () => {
    const names = [compare.left(), compare.right()];
    const own = settings.algorithm();
    const options = names.includes(own) && Object.keys(settings.options()).length ? { [own]: settings.options() } : {};
    compare.drawCompare(await answerOf("compare", { algorithms: names, options }));
  },
  plot: async () => {
    const own = settings.algorithm();
    find("own-measure").textContent = t("plot.own", { name: own });
    show(find("own-measure").closest("fieldset"), own !== "cetd");
    const wanted = document.querySelector("input[name=measure]:checked").value;
    const answer = own === "cetd" || wanted === "own" ? await explained() : await answerOf("explain", { algorithm: "cetd" });
    drawPlot(answer, { go: goFromPlot });
  },
  markdown: () => drawListing("markdown", now.result.markdown),
  html: () => drawListing("html", now.result.html),
  json: () => drawListing("json", JSON.stringify(now.result.json, null, 2)),
};

async function draw() {
  const panel = find(`view-${now.view}`);
  panel.setAttribute("aria-busy", "true");
  try {
    await views[now.view]();
  } finally {
    panel.removeAttribute("aria-busy");
  }
}

async function redraw() {
  if (now.result === null) return;
  try {
    await draw();
    hideFailure();
  } catch (error) {
    if (error.name !== "AbortError") fail(error, false);
  }
}

async function goFromPlot(n) {
  tabs.select("page");
  await redraw();
  goToPart(n);
}

// ---- links, copies, files -------------------------------------------------------------------------------------

const link = () => linkOf({
  ...now.origin, algorithm: settings.algorithm(), options: settings.options(), type: settings.pageType(),
  view: now.view, against: compare.right(),
});

// The address of the window is always a link to what it shows, where that fits.
async function note() {
  const address = await link();
  const plain = location.pathname + location.search;
  history.replaceState(null, "", address === null ? plain : address);
}

const KINDS = { reading: ["text", "txt", "text/plain"], html: ["html", "html", "text/html"] };

function current() {
  const { result, view } = now;
  if (view === "json") return [JSON.stringify(result.json, null, 2), "json", "application/json"];
  const [format, suffix, type] = KINDS[view] ?? ["markdown", "md", "text/markdown"];
  return [result[format], suffix, type];
}

async function copyText(text, key) {
  say(t(await copy(text) ? key : "copy.failed"));
  flash(find(key === "shared" ? "share" : "copy"));
}

function flash(button) {
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1500);
}

function startTools() {
  find("copy").addEventListener("click", () => copyText(current()[0], "copied"));
  find("save").addEventListener("click", () => {
    const [text, suffix, type] = current();
    const name = fileName(now.result.title, suffix);
    download(text, name, type);
    say(t("saved", { name }));
    flash(find("save"));
  });
  find("share").addEventListener("click", async () => {
    const address = await link();
    if (address !== null) await copyText(address, "shared");
    else showFailure(new Failure("unshareable", ""));
  });
}

// ---- beginning ------------------------------------------------------------------------------------------------

async function openLink() {
  const state = await stateOf(location.hash);
  if (state === null) return;
  if (state.damaged) {
    showFailure(new Failure("damaged", ""));
    return;
  }
  settings.choose(state.algorithm, state.options);
  settings.setPageType(state.type);
  now.against = state.against;
  source.fill(state);
  tabs.select(tabs.has(state.view) ? state.view : "reading");
  await submit();
}

async function openExample(name) {
  const answer = await fetch(`page/example-${name}.html`);
  source.fill({ html: await answer.text() });
  await submit();
}

async function start() {
  startTheme();
  await startLanguage();
  tabs = startTabs(find("tabs"), (view) => {
    now.view = view;
    find("bench").dataset.view = view;
    redraw().then(() => { if (now.result) note(); });
  });
  tabs.select("reading");
  source.startSource(submit);
  startShaded();
  startTools();
  find("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  find("again").addEventListener("click", () => { if (now.page === null) submit(); else extract(); });
  for (const button of document.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => openExample(button.dataset.example));
  }
  for (const radio of document.querySelectorAll("input[name=measure]")) radio.addEventListener("change", redraw);

  const whenSet = (milliseconds) => {
    const wait = settle(() => { if (now.result !== null) extract(); }, milliseconds);
    waiting.push(wait);
    return wait;
  };
  try {
    settings.startSettings(await get("algorithms"), whenSet(FIELD_MS));
  } catch (error) {
    fail(error, true);
    return;
  }
  startTuning(whenSet(SLIDER_MS));
  compare.startCompare(() => {
    now.against = compare.right();
    redraw().then(note);
  });
  document.addEventListener("spoken", () => {
    if (now.result === null) return;
    drawDetails(now.result);
    redraw();
  });
  addEventListener("hashchange", openLink);
  await openLink();
  root.dataset.ready = "";
}

start();
