// Asking the service. What goes wrong becomes a Failure that says what to do.

export class Failure extends Error {
  constructor(code, message, hint = null, wait = null) {
    super(message);
    Object.assign(this, { code, hint, wait });
  }
}

let key = null;
export const useKey = (given) => { key = given || null; };

async function request(path, settings) {
  const headers = { Accept: "application/json", ...settings.headers };
  if (key) headers["X-API-Key"] = key;
  let answer;
  try {
    answer = await fetch(path, { ...settings, headers, credentials: "omit", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure("unreachable", "");
  }
  let body = null;
  try {
    body = await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  if (answer.ok && body !== null) return body;
  const told = body?.error ?? {};
  const wait = Number(answer.headers.get("Retry-After")) || null;
  throw new Failure(told.code ?? `http_${answer.status}`, told.message ?? answer.statusText, told.hint ?? null, wait);
}

export const get = (path) => request(path, {});

export const post = (path, body, signal) =>
  request(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });
