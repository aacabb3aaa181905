// Adds images to those on which a model is rehearsed, one after the other, and says at each why it was not added.
import { call, fetchPage } from "./page.js";

const form = document.getElementById("images");
const element = (id) => document.getElementById(id);
const images = `/hearth/v1/projects/${encodeURIComponent(form.dataset.project)}/models/${form.dataset.model}/images`;
const mostBytes = Number(form.dataset.mostBytes);
const mostPixels = 100e6;
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

/** The name and the expected answer. A folder's own name does not count; a folder in it names the answer. */
function description(file) {
  const parts = (file.path ?? file.webkitRelativePath ?? "").split("/").slice(1);
  const label = element("label").value.trim();
  return parts.length === 2 ? { name: parts.join("/"), label: label || parts[0] } : { name: file.name, label };
}

async function add(files) {
  const plain = files.filter((file) => !file.name.startsWith("."));
  if (running || plain.length === 0) return;
  running = true;
  element("refused").replaceChildren();
  element("refused").hidden = true;
  let added = 0;
  for (const [index, file] of plain.entries()) {
    element("status").textContent = `Adding ${index + 1} of ${plain.length}: ${file.name}`;
    const { name, label } = description(file);
    let reason = null;
    try {
      reason = await fault(file);
      if (!reason) {
        const query = label ? `?label=${encodeURIComponent(label)}` : "";
        await call("PUT", `${images}/${encodeURIComponent(name)}${query}`, file);
        added += 1;
      }
    } catch (error) {
      reason = error instanceof TypeError ? "the server did not answer" : error.message;
    }
    if (reason) {
      const line = document.createElement("li");
      line.textContent = `${name}: ${reason}`;
      element("refused").append(line);
      element("refused").hidden = false;
    }
  }
  const rest = plain.length - added;
  element("status").textContent = `Added ${added} of ${plain.length} images.${rest ? " Those below were not added." : ""}`;
  running = false;
  try {
    const now = (await fetchPage(location.href)).getElementById("list");
    if (now) element("list").replaceWith(document.adoptNode(now));
  } catch { /* The list is as it was; a reload shows the new one. */ }
}

/** The files of what was dropped; those in a folder and in its folders have their path. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  const read = async (entry, depth) => {
    if (entry.isFile) {
      const file = await new Promise((done, failed) => { entry.file(done, failed); });
      found.push(Object.assign(file, { path: depth ? entry.fullPath.slice(1) : "" }));
    } else if (depth < 2) {
      const reader = entry.createReader();
      for (;;) {
        const batch = await new Promise((done, failed) => { reader.readEntries(done, failed); });
        if (batch.length === 0) break;
        for (const inner of batch) await read(inner, depth + 1);
      }
    }
  };
  for (const entry of entries) await read(entry, 0);
  return found;
}

for (const id of ["files", "folder"]) {
  element(id).addEventListener("change", async (event) => {
    await add([...event.target.files]);
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
  add(await dropped(event.dataTransfer));
});
addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });
