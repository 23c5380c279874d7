// Two texts side by side: paragraphs that both have are set level, and in paragraphs that differ the words are marked.

const CELLS = 4_000_000; // of the table that finds the longest common sequence; beyond that, sets decide
const TOKENS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+|\s+|./gsu;

// Pairs of indexes of a longest common sequence.
function common(left, right) {
  let [start, ends] = [0, 0];
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  while (ends < left.length - start && ends < right.length - start && left.at(-1 - ends) === right.at(-1 - ends)) ends += 1;
  const pairs = Array.from({ length: start }, (_, at) => [at, at]);
  const [a, b] = [left.slice(start, left.length - ends), right.slice(start, right.length - ends)];
  const middle = a.length * b.length <= CELLS ? longest(a, b) : greedy(a, b);
  for (const [i, j] of middle) pairs.push([start + i, start + j]);
  for (let at = ends; at > 0; at -= 1) pairs.push([left.length - at, right.length - at]);
  return pairs;
}

function longest(a, b) {
  const width = b.length + 1;
  const best = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      best[i * width + j] = a[i] === b[j]
        ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}

// Linear: each line is paired with the next place where the other text has it.
function greedy(a, b) {
  const places = new Map();
  b.forEach((line, j) => { if (places.has(line)) places.get(line).push(j); else places.set(line, [j]); });
  const pairs = [];
  const used = new Map();
  let from = 0;
  a.forEach((line, i) => {
    const all = places.get(line) ?? [];
    let at = used.get(line) ?? 0;
    while (at < all.length && all[at] < from) at += 1;
    used.set(line, at);
    if (at === all.length) return;
    pairs.push([i, all[at]]);
    from = all[at] + 1;
  });
  return pairs;
}

// Two paragraphs as runs [text, whether only this side has it].
function words(left, right) {
  const [a, b] = [left.match(TOKENS) ?? [], right.match(TOKENS) ?? []];
  if (a.length * b.length > CELLS) return [[[left, true]], [[right, true]]];
  const pairs = common(a, b);
  const runs = (tokens, shared) => {
    const found = [];
    tokens.forEach((token, at) => {
      const alone = !shared.has(at);
      if (found.length && found.at(-1)[1] === alone) found.at(-1)[0] += token;
      else found.push([token, alone]);
    });
    return found;
  };
  const shared = pairs.filter(([i]) => a[i].trim()).length;
  // With little in common they are two different paragraphs, not two versions of one.
  if (shared * 3 < Math.min(a.length, b.length)) return null;
  return [runs(a, new Set(pairs.map(([i]) => i))), runs(b, new Set(pairs.map(([, j]) => j)))];
}

const lines = (text) => text.split("\n").map((line) => line.trimEnd()).filter((line) => line.trim());

// Rows { left, right, same }: each side is a list of runs, or null where that side has nothing.
export function differ(leftText, rightText) {
  const [left, right] = [lines(leftText), lines(rightText)];
  const rows = [];
  let [i, j] = [0, 0];
  const between = (toI, toJ) => {
    while (i < toI || j < toJ) {
      const both = i < toI && j < toJ ? words(left[i], right[j]) : null;
      if (both) rows.push({ left: both[0], right: both[1], same: false, lone: false }), i += 1, j += 1;
      else if (i < toI && (toI - i >= toJ - j || j >= toJ)) rows.push({ left: [[left[i++], true]], right: null, same: false, lone: true });
      else rows.push({ left: null, right: [[right[j++], true]], same: false, lone: true });
    }
  };
  for (const [pairI, pairJ] of common(left, right)) {
    between(pairI, pairJ);
    rows.push({ left: [[left[i++], false]], right: [[right[j++], false]], same: true, lone: false });
  }
  between(left.length, right.length);
  return rows;
}
