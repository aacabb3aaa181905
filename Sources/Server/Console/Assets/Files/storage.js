// What the browser remembers of uploads, for some days. Where it may not store anything, or has no room, that lasts as long
// as the page.

const prefix = "hearth-upload ";
// The server keeps an unfinished upload for as long by default.
const keptMilliseconds = 7 * 24 * 3600 * 1000;
const unstored = new Map();

/** The result of something with the local storage; null if the browser refuses it. */
function attempt(body) {
  try { return body(); } catch { return null; }
}

/** A short stand-in for a text: twice FNV-1a with 32 bits. `crypto.subtle` is only there in a secure context. */
function digest(text) {
  return [0x811c9dc5, 0x9747b28c].map((start) => {
    let value = start;
    for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
    return (value >>> 0).toString(16).padStart(8, "0");
  }).join("");
}

/** What was stored under a key and is not too old; null if there is nothing of that kind. */
function entry(key) {
  const found = attempt(() => JSON.parse(localStorage.getItem(key)));
  return Math.abs(Date.now() - found?.at) < keptMilliseconds ? found : null;
}

/**
 * A place for a value that JSON can express; `read` gives null while there is none. Pages that give the same text have the same
 * place. The text may be long, such as the names of all files of a folder: only a stand-in for it is stored.
 */
export function remembered(text) {
  const key = `${prefix}${digest(text)} ${text.length}`;
  const remove = () => {
    unstored.delete(key);
    attempt(() => localStorage.removeItem(key));
  };
  return {
    remove,
    read: () => unstored.get(key) ?? entry(key)?.value ?? null,
    write: (value) => {
      try {
        localStorage.setItem(key, JSON.stringify({ at: Date.now(), value }));
        unstored.delete(key);
      } catch {
        // What was there before must not outlive this page.
        remove();
        unstored.set(key, structuredClone(value));
      }
    },
  };
}

attempt(() => {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("hearth-upload") && !entry(key)) localStorage.removeItem(key);
  }
});
