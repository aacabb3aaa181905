// The form that uploads a model: what the person chose, and how far its upload is.
import { finish } from "./creation.js";
import { showProblem } from "./page.js";
import { send } from "./sending.js";
import { remembered } from "./storage.js";
import { zipOf } from "./zip.js";

const form = document.getElementById("upload");
const project = encodeURIComponent(form.dataset.project);
const uploads = `/hearth/v1/projects/${project}/uploads`;
const element = (id) => document.getElementById(id);
/** What the person chose: { name, blob, key, isZip }. */
let chosen = null;
/** How often the person has chosen something. Reading a folder takes a while, and only the newest choice counts. */
let choices = 0;
/** The AbortController of the upload that is under way. */
let running = null;

/** `3.4 MiB`, not rounded, as the pages and the command line show it. */
function sizeText(count) {
  if (count < 1024) return `${count} bytes`;
  const unit = Math.min(3, Math.floor(Math.log2(count) / 10));
  return `${(Math.floor((count * 10) / 1024 ** unit) / 10).toFixed(1)} ${["KiB", "MiB", "GiB"][unit - 1]}`;
}

/** What the first bytes say that the file is: "model", "zip" or null. */
async function kind(blob) {
  const bytes = new Uint8Array(await blob.slice(0, 8).arrayBuffer());
  const has = (place, text) => [...text].every((letter, index) => bytes[place + index] === letter.charCodeAt(0));
  if (has(4, "TFL3")) return "model";
  return has(0, "PK\u0003\u0004") || has(0, "PK\u0005\u0006") ? "zip" : null;
}

/** Throws an Error that says what is expected, for files that the server could only call malformed. */
async function check(files) {
  const expected = "Expected is a TensorFlow Lite model (.tflite), an AutoML folder with one, or its .zip.";
  const found = await Promise.all(files.map(kind));
  if (files.length > 1) {
    if (!found.includes("model")) throw new Error(`The folder has no TensorFlow Lite model. ${expected}`);
    return false;
  }
  const [file] = files;
  if (file.size === 0) throw new Error(`‘${file.name}’ is empty. ${expected}`);
  if (!found[0]) throw new Error(`‘${file.name}’ is not a model. ${expected}`);
  return found[0] === "zip";
}

/** Shows what was chosen, or why it cannot be uploaded. `files` may be a promise. */
async function choose(files) {
  choices += 1;
  const choice = choices;
  chosen = null;
  element("send").disabled = true;
  element("chosen").className = "faint";
  let text = "Nothing is chosen.";
  let isProblem = false;
  let found = null;
  let plain = [];
  try {
    plain = (await files).filter((file) => !file.name.startsWith("."));
    const isZip = plain.length > 0 && await check(plain);
    if (plain.length === 1) {
      const [file] = plain;
      found = { name: file.name, blob: file, isZip, key: `${file.name} ${file.size} ${file.lastModified}` };
    } else if (plain.length > 1) {
      if (choice === choices) element("chosen").textContent = "Reading the folder …";
      const newest = Math.max(...plain.map((file) => file.lastModified));
      const blob = await zipOf(plain);
      found = { name: "folder.zip", blob, isZip: true, key: `${plain.map((file) => file.name).join(" ")} ${blob.size} ${newest}` };
    }
    if (found) text = `${plain.length > 1 ? `${plain.length} files` : found.name}, ${sizeText(found.blob.size)}`;
  } catch (error) {
    text = error.message;
    isProblem = true;
  }
  if (choice !== choices) return;
  chosen = found;
  if (isProblem) element("chosen").className = "problem";
  element("chosen").textContent = text;
  const field = element("name");
  if (chosen && field && !field.value && plain.length === 1) {
    field.value = chosen.name.replace(/\.[a-z]+$/i, "").replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 32);
  }
  element("send").disabled = !chosen;
}

/** The files of what was dropped: a file, or the files in a folder. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const folder = entries.find((entry) => entry.isDirectory);
  if (!folder) return [...transfer.files];
  const reader = folder.createReader();
  const found = [];
  for (;;) {
    const batch = await new Promise((done, failed) => { reader.readEntries(done, failed); });
    if (batch.length === 0) break;
    found.push(...batch.filter((entry) => entry.isFile));
  }
  return Promise.all(found.map((entry) => new Promise((done, failed) => { entry.file(done, failed); })));
}

/** Runs the body, unless another window of this browser does so for the same file: two would make two versions of it. */
function alone(place, body) {
  // Only a secure context has locks.
  if (!navigator.locks) return body();
  return navigator.locks.request(`hearth-upload ${place}`, { ifAvailable: true }, (lock) => {
    if (!lock) throw new Error("Another window of this browser is uploading this file. It goes on there.");
    return body();
  });
}

/** Uploads the file and makes the model or version of it. `place` names the file among all. Returns the address of its page. */
async function upload(file, place, signal, show) {
  const parts = remembered(`parts ${place}`);
  // What is known of an upload whose bytes have all arrived: { file, isPacked, tried }. It outlives the page, so that a
  // connection that is lost while the model is made costs no second upload and makes no second model. `tried` is what was
  // asked for, and what there was before: { name, before }, the model of that name, or { after }, the newest version.
  const finished = remembered(`finished ${form.dataset.model} ${place}`);
  let known = finished.read();
  if (!known) {
    known = { file: await send(file, uploads, parts, signal, show), isPacked: false, tried: null };
    finished.write(known);
  }
  element("cancel").hidden = true;
  const store = {
    write: finished.write,
    remove: () => {
      finished.remove();
      parts.remove();
    },
  };
  return finish(known, file.isZip, store, signal, (text) => show(file.blob.size, text));
}

async function run() {
  const file = chosen;
  const bar = element("bar");
  const status = element("status");
  running = new AbortController();
  const { signal } = running;
  element("progress").hidden = false;
  element("result").hidden = true;
  element("send").disabled = true;
  const show = (bytes, text) => {
    const percent = file.blob.size ? Math.floor((bytes / file.blob.size) * 100) : 100;
    if (bytes !== null) bar.value = percent;
    status.textContent = text ?? `${sizeText(bytes)} of ${sizeText(file.blob.size)}, ${percent} %`;
  };
  try {
    show(0);
    const place = `${form.dataset.project} ${file.key}`;
    const address = await alone(place, () => upload(file, place, signal, show));
    // Before it leaves: nothing is lost any more, so the browser must not ask.
    running = null;
    location.assign(address);
  } catch (error) {
    running = null;
    element("progress").hidden = true;
    element("cancel").hidden = false;
    const result = element("result");
    result.className = "problem";
    result.hidden = false;
    if (signal.aborted) result.textContent = "Cancelled. The server keeps what has arrived for some days; the same file continues there.";
    else showProblem(result, `Not done. ${error.message}`, error.status);
    element("send").disabled = !chosen;
  }
}

element("file").addEventListener("change", (event) => choose([...event.target.files]));
element("folder").addEventListener("change", (event) => choose([...event.target.files]));
const drop = element("drop");
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  choose(dropped(event.dataTransfer));
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (chosen && !running) run();
});
element("cancel").addEventListener("click", () => running?.abort(new Error("Cancelled.")));
addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });
