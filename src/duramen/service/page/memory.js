// What is remembered between visits: language and colours, on this device only. A browser may refuse; then nothing is.

export function recall(name) {
  try { return localStorage.getItem(`duramen.${name}`); } catch { return null; }
}

export function remember(name, value) {
  try { localStorage.setItem(`duramen.${name}`, value); } catch { /* private window: fine */ }
}
