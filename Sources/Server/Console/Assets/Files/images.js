// Adds images to those on which a model is rehearsed, one after the other, and says at each why it was not added.
import { call, fetchPage, showProblem } from "./page.js";

const form = document.getElementById("images");
const element = (id) => document.getElementById(id);
const images = `/hearth/v1/projects/${encodeURIComponent(form.dataset.project)}/models/${form.dataset.model}/images`;
const mostBytes = Number(form.dataset.mostBytes);
const mostPixels = 100e6;
/** What waits to be added: { file, name, label, reason }. The reason says why it cannot be; null if nothing is known. */
let waiting = [];
let running = false;

/** Whether the first bytes are those of a format that the server decodes. */
function isImage(bytes) {
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  return text.startsWith("\xff\xd8\xff") || text.startsWith("\x89PNG\r\n\x1a\n") || text.startsWith("GIF8")
    || text.startsWith("BM") || (text.startsWith("RIFF") && text.slice(8) === "WEBP");
}

/** Why a file is no image to rehearse on; null if nothing speaks against it. The server looks only when it runs a version. */
async function fault(file) {
  if (file.size === 0) return "it is empty";
  if (file.size > mostBytes) return `it has ${(file.size / 2 ** 20).toFixed(2)} MiB, and ${mostBytes / 2 ** 20} MiB is the most`;
  const start = new Uint8Array(await file.slice(0, 24).arrayBuffer());
  if (!isImage(start)) return "it is no JPEG, PNG, WebP, BMP or GIF file";
  if (start[0] === 0x89) {
    const sides = new DataView(start.buffer);
    if (start.length < 24 || sides.getUint32(16) * sides.getUint32(20) > mostPixels) return "it has too many pixels";
  }
  try {
    (await createImageBitmap(file)).close();
  } catch {
    return "it is damaged: it cannot be decoded";
  }
  return null;
}

/** Name, expected answer and, if it cannot be added, the reason of each file. A folder in the chosen one names the answer. */
function described(files) {
  const label = element("label").value.trim();
  const taken = new Set();
  return files.map((file) => {
    // The name of the folder that was chosen does not count.
    const parts = file.parts ?? file.webkitRelativePath.split("/").slice(1);
    const name = parts.join("/") || file.name;
    let reason = null;
    if (parts.length > 2) reason = "it is in a folder of a folder, and only the folder around an image can name its answer";
    else if (taken.has(name)) reason = "another one of this name is before it";
    taken.add(name);
    return { file, name, label: label || (parts.length === 2 ? parts[0] : ""), reason };
  }).filter(({ name }) => !name.split("/").some((part) => part.startsWith(".")));
}

function refuse(name, reason, status) {
  const line = document.createElement("li");
  showProblem(line, `${name}: ${reason}`, status);
  element("refused").append(line);
  element("refused").hidden = false;
}

/** Whether no other image can be added either: signed out, not allowed, no model, a full set, a full disk. */
const isFinal = (error) => [401, 403, 404, 507].includes(error.status) || error.code === "FAILED_PRECONDITION";

/** Adds an image, or says why not. Returns what is known then: "added", "refused", or "stop" if no other can be added. */
async function addOne({ file, name, label, reason }) {
  try {
    const problem = reason ?? await fault(file);
    if (problem) {
      refuse(name, problem);
      return "refused";
    }
    const query = label ? `?label=${encodeURIComponent(label)}` : "";
    await call("PUT", `${images}/${encodeURIComponent(name)}${query}`, file);
    return "added";
  } catch (error) {
    refuse(name, error instanceof TypeError ? "the server did not answer" : error.message, error.status);
    return isFinal(error) ? "stop" : "refused";
  }
}

/** Adds files behind those that are being added. */
async function add(files) {
  waiting.push(...described(files));
  if (running || waiting.length === 0) return;
  running = true;
  element("refused").replaceChildren();
  element("refused").hidden = true;
  let added = 0;
  let done = 0;
  let end = "";
  while (waiting.length > 0) {
    const next = waiting.shift();
    element("status").textContent = `Adding ${done + 1} of ${done + 1 + waiting.length}: ${next.name}`;
    const result = await addOne(next);
    done += 1;
    if (result === "added") added += 1;
    if (result === "stop") {
      end = waiting.length ? ` It stopped at ${next.name}: the others would get the same answer.` : "";
      done += waiting.length;
      waiting = [];
    }
  }
  if (!end && added < done) end = " Those below were not added.";
  element("status").textContent = `Added ${added} of ${done} images.${end}`;
  running = false;
  try {
    const now = (await fetchPage(location.href)).getElementById("list");
    if (now) element("list").replaceWith(document.adoptNode(now));
  } catch { /* The list is as it was; a reload shows the new one. */ }
}

/** The files of what was dropped, with the parts of their path. The name of a folder does not count if it is the only thing. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  const read = async (entry, above) => {
    const parts = [...above, entry.name];
    if (entry.isFile) {
      const file = await new Promise((done, failed) => { entry.file(done, failed); });
      found.push(Object.assign(file, { parts }));
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const batch = await new Promise((done, failed) => { reader.readEntries(done, failed); });
      if (batch.length === 0) break;
      for (const inner of batch) await read(inner, entries.length === 1 && entry === entries[0] ? [] : parts);
    }
  };
  for (const entry of entries) await read(entry, []);
  return found;
}

for (const id of ["files", "folder"]) {
  element(id).addEventListener("change", (event) => {
    add([...event.target.files]);
    // The same can be chosen again.
    event.target.value = "";
  });
}
form.addEventListener("submit", (event) => event.preventDefault());
const drop = element("drop");
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  let files;
  try {
    files = await dropped(event.dataTransfer);
  } catch (error) {
    refuse("What was dropped", `it cannot be read: ${error.message}`);
    return;
  }
  add(files);
});
addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });
