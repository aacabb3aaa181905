// Uploads a file in parts, and continues where it stopped after a lost connection or in another session of the browser.
import { call, callAddress, formToken } from "./page.js";
import { zipOf } from "./zip.js";

const partBytes = 8 * 1024 * 1024;
const form = document.getElementById("upload");
const project = encodeURIComponent(form.dataset.project);
const uploads = `/hearth/v1/projects/${project}/uploads`;
const element = (id) => document.getElementById(id);
/** What the person chose: { name, blob, key }. */
let chosen = null;
let running = null;

const wait = (seconds) => new Promise((done) => { setTimeout(done, seconds * 1000); });
const megabytes = (count) => `${(count / 1e6).toFixed(1)} MB`;

async function choose(files) {
  chosen = null;
  const plain = files.filter((file) => !file.name.startsWith("."));
  try {
    if (plain.length === 1) {
      const [file] = plain;
      chosen = { name: file.name, blob: file, key: `${file.name} ${file.size} ${file.lastModified}` };
    } else if (plain.length > 1) {
      element("chosen").textContent = "Reading the folder …";
      const newest = Math.max(...plain.map((file) => file.lastModified));
      const blob = await zipOf(plain);
      chosen = { name: "folder.zip", blob, key: `${plain.map((file) => file.name).join(" ")} ${blob.size} ${newest}` };
    }
    element("chosen").textContent = chosen
      ? `${plain.length > 1 ? `${plain.length} files` : chosen.name}, ${megabytes(chosen.blob.size)}` : "Nothing is chosen.";
    const field = element("name");
    if (chosen && field && !field.value && plain.length === 1) {
      field.value = chosen.name.replace(/\.[a-z]+$/i, "").replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 32);
    }
  } catch (error) {
    element("chosen").textContent = error.message;
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

/** Sends one request of the upload. XMLHttpRequest, because it tells the progress and takes the answer 308. */
function put(address, range, body, state, onProgress) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    state.request = request;
    request.open("PUT", callAddress(address));
    request.setRequestHeader("X-Hearth-Form-Token", formToken());
    request.setRequestHeader("Content-Range", range);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onload = () => done(request);
    request.onerror = () => failed(Object.assign(new Error("The connection was lost."), { isLost: true }));
    request.onabort = () => failed(cancelled());
    request.send(body);
  });
}

const cancelled = () => Object.assign(new Error("Cancelled."), { isCancelled: true });

function refusal(request) {
  let message = `The server answered ${request.status}.`;
  try { message = JSON.parse(request.responseText).error.message; } catch { message = request.responseText.trim() || message; }
  return Object.assign(new Error(message), { status: request.status });
}

/** How many bytes the server has, by the answer 308. */
const received = (request) => {
  const range = request.getResponseHeader("Range");
  return range ? Number(range.split("-")[1]) + 1 : 0;
};

async function begin(file) {
  const answer = await fetch(callAddress(`${uploads}?resumable=true&name=${encodeURIComponent(file.name)}`), {
    method: "POST", headers: { "X-Hearth-Form-Token": formToken(), "X-Upload-Content-Length": String(file.blob.size) },
  });
  const responseText = await answer.text();
  if (!answer.ok) throw refusal({ status: answer.status, responseText });
  return new URL(answer.headers.get("Location")).searchParams.get("upload_id");
}

async function send(file, state, show) {
  const total = file.blob.size;
  const stored = `hearth-upload ${form.dataset.project} ${file.key}`;
  let id = localStorage.getItem(stored);
  let offset = id ? null : 0;
  let failures = 0;
  for (;;) {
    try {
      if (state.isCancelled) throw cancelled();
      if (!id) {
        id = await begin(file);
        localStorage.setItem(stored, id);
        offset = 0;
      }
      const address = `${uploads}?upload_id=${encodeURIComponent(id)}`;
      const end = offset === null ? 0 : Math.min(offset + partBytes, total);
      const request = offset === null
        ? await put(address, `bytes */${total}`, null, state, () => {})
        : await put(address, `bytes ${offset}-${end - 1}/${total}`, file.blob.slice(offset, end), state, (sent) => show(offset + sent));
      if (request.status === 308) {
        offset = received(request);
        show(offset);
        failures = 0;
      } else if (request.status === 200 || request.status === 201) {
        localStorage.removeItem(stored);
        return JSON.parse(request.responseText);
      } else if ((request.status === 404 || request.status === 410) && state.restarts < 1) {
        state.restarts += 1;
        localStorage.removeItem(stored);
        id = null;
      } else {
        throw refusal(request);
      }
    } catch (error) {
      const mayRepeat = error.isLost || error instanceof TypeError || [409, 429, 500, 502, 503, 504].includes(error.status);
      failures += 1;
      if (error.isCancelled || !mayRepeat || failures > 15) throw error;
      const pause = Math.min(2 ** failures / 4, 30);
      // What has arrived is not known now, so the bar stays.
      show(null, `${error.message} Trying again in ${Math.ceil(pause)} s.`);
      // Cancelling must not wait for the end of the pause.
      await Promise.race([wait(pause), new Promise((done) => { state.wake = done; })]);
      // Ask what has arrived.
      offset = id ? null : 0;
    }
  }
}

/** Makes the model or the version, and waits for the server's check of the file. */
async function create(uploaded, show) {
  const id = form.dataset.model;
  show("The server checks the file …");
  if (id) {
    const versions = `/hearth/v1/projects/${project}/models/${id}/versions`;
    const body = { source: uploaded.gcsTfliteUri };
    if (element("note").value.trim()) body.note = element("note").value.trim();
    let version = await call("POST", versions, JSON.stringify(body), { "Content-Type": "application/json" });
    while (version.verdict === "pending") {
      await wait(1);
      version = await call("GET", `${versions}/${version.version}`);
    }
    return `${form.dataset.models}/${id}/versions/${version.version}`;
  }
  const tags = element("tags").value.split(",").map((tag) => tag.trim()).filter(Boolean);
  const model = { displayName: element("name").value.trim(), tags, tfliteModel: { gcsTfliteUri: uploaded.gcsTfliteUri } };
  let operation = await call("POST", `/v1beta2/projects/${project}/models`, JSON.stringify(model), { "Content-Type": "application/json" });
  while (!operation.done) {
    await wait(1);
    operation = await call("GET", `/v1beta2/${operation.name}`);
  }
  if (operation.error) throw new Error(operation.error.message);
  return `${form.dataset.models}/${operation.response.name.split("/").pop()}`;
}

async function run() {
  const file = chosen;
  const bar = element("bar");
  const status = element("status");
  const state = { request: null, restarts: 0, isCancelled: false, wake: () => {} };
  running = state;
  element("progress").hidden = false;
  element("result").hidden = true;
  element("send").disabled = true;
  const show = (bytes, text) => {
    const percent = file.blob.size ? Math.floor((bytes / file.blob.size) * 100) : 100;
    if (bytes !== null) bar.value = percent;
    status.textContent = text ?? `${megabytes(bytes)} of ${megabytes(file.blob.size)}, ${percent} %`;
  };
  try {
    show(0);
    let uploaded = await send(file, state, show);
    element("cancel").hidden = true;
    if (/\.zip$/i.test(file.name)) {
      show(file.blob.size, "The server packs the files into one …");
      uploaded = await call("POST", `${uploads}:pack`, JSON.stringify({ source: uploaded.gcsTfliteUri }), { "Content-Type": "application/json" });
    }
    location.assign(await create(uploaded, (text) => show(file.blob.size, text)));
  } catch (error) {
    element("progress").hidden = true;
    element("cancel").hidden = false;
    const result = element("result");
    result.className = "problem";
    result.hidden = false;
    result.textContent = error.isCancelled
      ? "Cancelled. The server keeps what has arrived for some days; the same file continues there." : `Not done. ${error.message}`;
    element("send").disabled = false;
  }
  running = null;
}

element("file").addEventListener("change", (event) => choose([...event.target.files]));
element("folder").addEventListener("change", (event) => choose([...event.target.files]));
const drop = element("drop");
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  choose(await dropped(event.dataTransfer));
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (chosen && !running) run();
});
element("cancel").addEventListener("click", () => {
  if (!running) return;
  running.isCancelled = true;
  running.request?.abort();
  running.wake();
});
addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });
