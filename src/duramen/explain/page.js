"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const sheet = document.getElementById("sheet");
  const inspector = document.getElementById("inspector");
  const hint = inspector.firstElementChild;
  const [UNIT, ROW, PATH, TEXT, VERDICT, SCORE, CHARS, WORDS, PUNCTS, CJK, FIGURES] = Array(11).keys();
  data.nodes.forEach((node) => {
    const [above, last] = node[PATH];
    node[PATH] = data.paths[above] ? `${data.paths[above]} > ${last}` : last;
  });
  const nodes = new Map(data.nodes.map((node) => [node[UNIT], node]));
  const highest = data.nodes.reduce((most, node) => Math.max(most, node[SCORE] ?? 0), 0);
  const bars = [...document.querySelectorAll("#bars a")];
  const barOf = new Map(bars.map((bar) => [Number(bar.dataset.bar), bar]));

  // ---- small things -------------------------------------------------------------------------------------------
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const show = (value) => {
    if (value === null || value === undefined) return "–";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value !== "number") return String(value);
    if (Number.isInteger(value)) return value.toLocaleString("en");
    return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
  };
  const readable = (name) => name.replaceAll("_", " ");
  const ending = (path, steps) => path.split(" > ").slice(-steps).join(" > ");
  const spoken = (element) => {
    const found = element && element.closest("[data-n]");
    return found && sheet.contains(found) ? found : null;
  };
  const unitOf = (element) => Number(element.dataset.n);

  // ---- the inspector ------------------------------------------------------------------------------------------
  let now = null;
  let held = null;

  // A text inside a judged element may have no score of its own: then the element speaks for it.
  const judged = (element) => {
    for (let at = element; at; at = spoken(at.parentElement)) {
      const node = nodes.get(unitOf(at));
      if (node && node[SCORE] !== null) return at;
    }
    return element;
  };
  const around = (element) => {
    const found = [];
    for (let at = spoken(element.parentElement); at && found.length < 7; at = spoken(at.parentElement)) {
      if (unitOf(at) !== unitOf(element)) found.push(at);
    }
    return found;
  };

  const fill = (node, element) => {
    const verdict = data.verdicts[node[VERDICT]];
    const close = make("button", "Close", "close");
    close.type = "button";
    close.addEventListener("click", letGo);
    const parts = [close, make("span", verdict, `verdict ${verdict}`), make("h3", ending(node[PATH], 1))];
    parts.push(make("p", node[PATH], "path"));
    const score = make("p", undefined, "score");
    score.append(make("b", show(node[SCORE])), make("span", node[SCORE] === null ? "not scored" : "score"));
    parts.push(score);
    if (node[SCORE] !== null && highest > 0) {
      const meter = make("meter");
      Object.assign(meter, { min: 0, max: highest, value: Math.max(0, node[SCORE]) });
      meter.setAttribute("aria-label", "score, of the highest on the page");
      parts.push(meter);
    }
    const list = make("dl");
    const tell = (name, value) => list.append(make("dt", name), make("dd", show(value)));
    if (data.threshold !== null) tell("threshold", data.threshold);
    [["characters", CHARS], ["words", WORDS], ["periods and commas", PUNCTS]].forEach(([name, at]) => tell(name, node[at]));
    if (node[CJK]) tell("CJK characters", node[CJK]);
    data.columns.forEach((name, at) => tell(readable(name), node[FIGURES][at]));
    tell("row", node[ROW]);
    parts.push(list);
    if (node[TEXT]) parts.push(make("blockquote", node[TEXT]));
    const outer = element ? around(element) : [];
    if (outer.length) {
      const ladder = make("ol");
      outer.forEach((at) => {
        const other = nodes.get(unitOf(at));
        if (!other) return;
        const button = make("button");
        button.type = "button";
        button.append(make("span", ending(other[PATH], 1)), make("span", show(other[SCORE])));
        button.addEventListener("click", () => { hold(at); });
        const item = make("li");
        item.append(button);
        ladder.append(item);
      });
      parts.push(make("small", "Inside"), ladder);
    }
    inspector.replaceChildren(...parts);
    inspector.classList.add("filled");
  };

  const inspect = (element) => {
    if (!element || element === now) return;
    const speaker = judged(element);
    const node = nodes.get(unitOf(speaker));
    if (!node) return;
    now?.classList.remove("now", "held");
    now = speaker;
    now.classList.add("now");
    fill(node, speaker);
    point(node[UNIT]);
  };
  const hold = (element) => {
    held = null;
    now?.classList.remove("now", "held");
    now = null;
    inspect(element);
    held = now;
    held?.classList.add("held");
  };
  function letGo() {
    held = null;
    now?.classList.remove("now", "held");
    now = null;
    point(null);
    inspector.classList.remove("filled");
    inspector.replaceChildren(hint);
  }

  // What appears under a resting pointer was not pointed at: closing the panel must not open it again.
  let resting = null;
  document.addEventListener("click", (event) => { resting = `${event.clientX} ${event.clientY}`; }, true);
  sheet.addEventListener("mouseover", (event) => {
    if (held || resting === `${event.clientX} ${event.clientY}`) return;
    inspect(spoken(event.target));
  });
  sheet.addEventListener("click", (event) => {
    const element = spoken(event.target);
    if (!element) return;
    if (held && held === judged(element)) letGo(); else hold(element);
  });
  sheet.addEventListener("focusin", (event) => { if (!held) inspect(spoken(event.target)); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") letGo(); });

  // ---- arrow keys: one stop for Tab, the rest by arrows -----------------------------------------------------------
  const stops = [...sheet.querySelectorAll(".u")];
  let stop = stops[0];
  if (stop) stop.tabIndex = 0;
  const moveTo = (element) => {
    if (stop) stop.tabIndex = -1;
    stop = element;
    stop.tabIndex = 0;
    stop.focus();
  };
  const visible = (element) => element.getClientRects().length > 0;
  sheet.addEventListener("keydown", (event) => {
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in moves) {
      let at = stops.indexOf(stop) + moves[event.key];
      while (stops[at] && !visible(stops[at])) at += moves[event.key];
      if (stops[at]) { held = null; moveTo(stops[at]); }
    } else if (event.key === "Home" || event.key === "End") {
      const shown = stops.filter(visible);
      if (shown.length) { held = null; moveTo(event.key === "Home" ? shown[0] : shown[shown.length - 1]); }
    } else if (event.key === "ArrowLeft" && now) {
      const outer = spoken(now.parentElement);
      if (outer) hold(outer);
    } else if (event.key === "Enter" && now) {
      if (held === now) held = null; else hold(now);
    } else return;
    event.preventDefault();
  });

  // ---- going to a node -----------------------------------------------------------------------------------------
  const hide = document.getElementById("hide");
  const go = (unit) => {
    const element = document.getElementById(`n${unit}`);
    const node = nodes.get(unit);
    if (!element) {
      if (node) { letGo(); fill(node, null); }
      return;
    }
    if (!visible(element) && hide.checked) { hide.checked = false; sheet.classList.remove("hide"); }
    hold(element);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollIntoView({ block: element.offsetHeight > innerHeight ? "start" : "center", behavior: calm ? "auto" : "smooth" });
    element.classList.remove("flash");
    void element.offsetWidth;
    element.classList.add("flash");
    if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-go]");
    if (!link) return;
    event.preventDefault();
    go(Number(link.dataset.go));
  });
  hide.addEventListener("change", () => sheet.classList.toggle("hide", hide.checked));
  sheet.classList.toggle("hide", hide.checked);

  // ---- the chart -------------------------------------------------------------------------------------------------
  const chart = document.getElementById("bars");
  const note = document.getElementById("bar-note");
  let pointed = null;
  function point(unit) {
    pointed?.classList.remove("on");
    pointed = barOf.get(unit) ?? null;
    pointed?.classList.add("on");
  }
  const tellBar = (bar) => { if (bar) note.textContent = bar.querySelector("title").textContent; };
  const barAt = (event) => {
    const box = chart.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * bars.length);
    return bars[Math.min(Math.max(at, 0), bars.length - 1)];
  };
  if (chart) {
    chart.addEventListener("mousemove", (event) => {
      const bar = barAt(event);
      if (bar === pointed) return;
      point(Number(bar.dataset.bar));
      tellBar(bar);
    });
    chart.addEventListener("mouseleave", () => point(held ? unitOf(held) : null));
    chart.addEventListener("click", (event) => {
      event.preventDefault();
      const bar = event.detail === 0 ? event.target.closest("a") : barAt(event);
      if (bar) go(Number(bar.dataset.bar));
    });
    chart.addEventListener("focusin", (event) => tellBar(event.target.closest("a")));
    chart.addEventListener("keydown", (event) => {
      const moves = { ArrowRight: 1, ArrowLeft: -1 };
      const at = bars.indexOf(document.activeElement);
      if (at < 0 || !(event.key in moves)) return;
      const next = bars[at + moves[event.key]];
      if (!next) return;
      event.preventDefault();
      bars[at].setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }

  // ---- the table -------------------------------------------------------------------------------------------------
  const STEP = 100;
  const body = document.querySelector("#table tbody");
  const heads = [...document.querySelectorAll("#table th")];
  const more = document.getElementById("more");
  const verdict = document.getElementById("verdict");
  const find = document.getElementById("find");
  const found = document.getElementById("found");
  let sorted = { column: 2, down: true };
  let shown = STEP;

  const cellOf = (node, column) => {
    switch (column) {
      case 0: return node[UNIT];
      case 1: return node[VERDICT];
      case 2: return node[SCORE];
      case 3: return node[WORDS];
      case 4: return node[TEXT];
      default: return node[FIGURES][column - 5];
    }
  };
  const order = (a, b) => {
    const [left, right] = [cellOf(a, sorted.column), cellOf(b, sorted.column)];
    if (left === right) return a[UNIT] - b[UNIT];
    if (left === null) return 1;
    if (right === null) return -1;
    const less = typeof left === "string" ? left.localeCompare(right) : left - right;
    return sorted.down ? -less : less;
  };
  const link = (node) => {
    const steps = node[PATH].split(" > ");
    const anchor = make("a");
    anchor.href = `#n${node[UNIT]}`;
    anchor.dataset.go = node[UNIT];
    anchor.title = node[PATH];
    const outer = steps.slice(-3, -1).join(" > ");
    if (outer) anchor.append(make("i", `${steps.length > 3 ? "… > " : ""}${outer}`), make("span", " > ", "sep"));
    anchor.append(make("b", steps[steps.length - 1]));
    return anchor;
  };
  const line = (node) => {
    const row = make("tr");
    const first = make("td");
    first.append(link(node));
    const second = make("td");
    const name = data.verdicts[node[VERDICT]];
    second.append(make("span", name, `verdict ${name}`));
    const text = node[TEXT].length > 60 ? `${node[TEXT].slice(0, 59)}…` : node[TEXT];
    row.append(first, second, make("td", show(node[SCORE])), make("td", show(node[WORDS])), make("td", text));
    node[FIGURES].forEach((value) => row.append(make("td", show(value))));
    return row;
  };
  const fillTable = () => {
    const wanted = find.value.trim().toLowerCase();
    const matching = data.nodes.filter((node) =>
      (!verdict.value || data.verdicts[node[VERDICT]] === verdict.value) &&
      (!wanted || node[PATH].toLowerCase().includes(wanted) || node[TEXT].toLowerCase().includes(wanted)));
    matching.sort(order);
    body.replaceChildren(...matching.slice(0, shown).map(line));
    more.hidden = matching.length <= shown;
    found.textContent = `${Math.min(shown, matching.length).toLocaleString("en")} of ${matching.length.toLocaleString("en")} shown`;
    heads.forEach((head, at) => {
      head.setAttribute("aria-sort", at !== sorted.column ? "none" : sorted.down ? "descending" : "ascending");
    });
  };
  document.querySelector("#table thead").addEventListener("click", (event) => {
    const button = event.target.closest("[data-sort]");
    if (!button) return;
    const column = Number(button.dataset.sort);
    // Figures are read from the highest down, names and places from the first on.
    sorted = { column, down: sorted.column === column ? !sorted.down : ![0, 4].includes(column) };
    shown = STEP;
    fillTable();
  });
  [verdict, find].forEach((field) => field.addEventListener("input", () => { shown = STEP; fillTable(); }));
  more.addEventListener("click", () => { shown += STEP; fillTable(); });
  fillTable();
})();
