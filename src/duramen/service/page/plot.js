// CETD's density plot: a bar for each node in the order of the page, the threshold as a line. A cursor walks the bars.

import { draw, find, make } from "./elements.js";
import { number, t, word } from "./language.js";

const [WIDTH, HEIGHT] = [1000, 240];
let at = 0;

function scale(plot) {
  const highest = Math.max(...plot.bars.map((bar) => bar.value), (plot.threshold ?? 0) * 1.05, 0) || 1;
  const share = (value) => Math.min(Math.max(value, 0), highest) / highest;
  const logarithmic = (value) => Math.log1p(Math.min(Math.max(value, 0), highest)) / Math.log1p(highest);
  return { highest, height: plot.logarithmic ? logarithmic : share, half: plot.logarithmic ? Math.expm1(Math.log1p(highest) / 2) : highest / 2 };
}

function describe(plot, nodes, index) {
  const bar = plot.bars[index];
  const node = nodes.get(bar.n);
  return t("plot.bar", {
    verdict: word("verdict", bar.verdict), label: word("measure", plot.label), value: number(bar.value),
    place: node?.path.split(" > ").at(-1) ?? "", text: node?.text ?? "",
  });
}

export function drawPlot(answer, { go }) {
  const { plot } = answer;
  const nodes = new Map(answer.nodes.map((node) => [node.n, node]));
  const place = find("plot");
  find("plot-note").textContent = plot.bars.length ? t("plot.hint") : "";
  find("plot-lead").textContent = [
    t("plot.lead", { label: word("measure", plot.label) }),
    plot.threshold === null ? "" : t("plot.threshold", { threshold: number(plot.threshold) }),
    plot.logarithmic ? t("plot.log") : "",
    plot.per_bar > 1 ? t("plot.shared", { number: number(plot.per_bar) }) : "",
  ].join(" ");
  if (!plot.bars.length) {
    place.replaceChildren(make("p", { class: "soft", text: t("plot.none") }));
    return;
  }
  const { highest, height, half } = scale(plot);
  const step = WIDTH / plot.bars.length;
  const bars = plot.bars.map((bar, index) => {
    const tall = Math.max(height(bar.value) * HEIGHT, 1.5);
    const shape = { x: index * step, y: HEIGHT - tall, width: Math.max(step * 0.8, 0.4), height: tall, class: bar.verdict };
    return draw("rect", shape);
  });
  const cursor = draw("rect", { x: 0, y: 0, width: step, height: HEIGHT, class: "cursor" });
  const kept = plot.bars.flatMap((bar, index) =>
    (bar.verdict === "kept" ? [draw("rect", { x: index * step, y: HEIGHT + 4, width: step + 0.2, height: 5, class: "kept" })] : []));
  const lines = [];
  if (plot.threshold !== null) {
    const level = HEIGHT - height(plot.threshold) * HEIGHT;
    lines.push(draw("line", { x1: 0, x2: WIDTH, y1: level, y2: level, class: "halo" }));
    lines.push(draw("line", { x1: 0, x2: WIDTH, y1: level, y2: level, class: "threshold" }));
  }
  const drawing = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + 10}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    cursor, ...bars, ...kept, ...lines);
  const walker = make("div", {
    class: "walker", role: "slider", tabindex: "0", "aria-label": t("plot.walker", { label: word("measure", plot.label) }),
    "aria-valuemin": "1", "aria-valuemax": String(plot.bars.length),
  }, drawing);

  const point = (index, speak = true) => {
    at = Math.min(Math.max(index, 0), plot.bars.length - 1);
    cursor.setAttribute("x", at * step);
    walker.setAttribute("aria-valuenow", String(at + 1));
    const told = describe(plot, nodes, at);
    walker.setAttribute("aria-valuetext", told);
    if (speak) find("plot-note").textContent = told;
  };
  const under = (event) => {
    const box = drawing.getBoundingClientRect();
    return Math.floor(((event.clientX - box.left) / box.width) * plot.bars.length);
  };
  walker.addEventListener("pointermove", (event) => point(under(event)));
  walker.addEventListener("click", (event) => {
    point(under(event));
    go(plot.bars[at].n);
  });
  walker.addEventListener("focus", () => point(at));
  walker.addEventListener("keydown", (event) => {
    const far = Math.max(1, Math.round(plot.bars.length / 10));
    const moves = {
      ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1,
      PageUp: at + far, PageDown: at - far, Home: 0, End: plot.bars.length - 1,
    };
    if (event.key === "Enter") go(plot.bars[at].n);
    else if (event.key in moves) point(moves[event.key]);
    else return;
    event.preventDefault();
  });
  point(at, false);

  const tick = (value) => make("span", { text: number(value, 3) });
  const axis = make("div", { class: "axis", "aria-hidden": "true" }, tick(highest), tick(half), tick(0));
  place.replaceChildren(axis, walker);
}
