// A result as a link: everything after the #, so that the service never sees it. Pasted HTML is packed into it.

const LONGEST = 30_000; // characters of a link; browsers take more, chat programs less

const readers = {
  async pack(text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  },
  async unpack(packed) {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return limited(stream, 10_000_000);
  },
};

// A small link may unpack to something huge: stop before that hurts.
async function limited(stream, most) {
  const reader = stream.getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces).text();
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    pieces.push(value);
  }
}

// The link of a state { url | html, algorithm, options, type, view, against }; null where the page does not fit in.
export async function linkOf(state) {
  const parts = new URLSearchParams();
  if (state.url) parts.set("url", state.url);
  else if (state.html !== undefined) parts.set("html", await readers.pack(state.html));
  else return null;
  parts.set("algorithm", state.algorithm);
  if (Object.keys(state.options).length) parts.set("options", JSON.stringify(state.options));
  if (state.type) parts.set("type", state.type);
  if (state.view !== "reading") parts.set("view", state.view);
  if (state.view === "compare" && state.against) parts.set("against", state.against);
  const link = new URL(location.href);
  link.hash = parts.toString();
  return link.href.length > LONGEST ? null : link.href;
}

// The state that a link holds; null where it holds none or is damaged.
export async function stateOf(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  if (!parts.has("url") && !parts.has("html")) return null;
  try {
    const options = JSON.parse(parts.get("options") ?? "{}");
    return {
      url: parts.get("url") ?? undefined,
      html: parts.has("html") ? await readers.unpack(parts.get("html")) : undefined,
      algorithm: parts.get("algorithm"),
      options: options !== null && typeof options === "object" && !Array.isArray(options) ? options : {},
      type: parts.get("type") ?? "",
      view: parts.get("view") ?? "reading",
      against: parts.get("against"),
    };
  } catch {
    return { damaged: true };
  }
}
