// Uploads a file in parts, and continues where it stopped after a lost connection or in another session of the browser.
import { call, callAddress, formToken } from "./page.js";
import { zipOf } from "./zip.js";

const partBytes = 8 * 1024 * 1024;
const form = document.getElementById("upload");
const project = encodeURIComponent(form.dataset.project);
const uploads = `/hearth/v1/projects/${project}/uploads`;
const element = (id) => document.getElementById(id);
/** What the person chose: { name, blob, key, isZip }. */
let chosen = null;
let running = null;

const wait = (seconds) => new Promise((done) => { setTimeout(done, seconds * 1000); });
const sizeText = (count) => count < 1e6 ? `${Math.ceil(count / 1e3)} kB` : `${(count / 1e6).toFixed(1)} MB`;

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

async function choose(files) {
  chosen = null;
  element("send").disabled = true;
  element("chosen").className = "faint";
  const plain = files.filter((file) => !file.name.startsWith("."));
  try {
    const isZip = plain.length > 0 && await check(plain);
    if (plain.length === 1) {
      const [file] = plain;
      chosen = { name: file.name, blob: file, isZip, key: `${file.name} ${file.size} ${file.lastModified}` };
    } else if (plain.length > 1) {
      element("chosen").textContent = "Reading the folder …";
      const newest = Math.max(...plain.map((file) => file.lastModified));
      const blob = await zipOf(plain);
      chosen = { name: "folder.zip", blob, isZip: true, key: `${plain.map((file) => file.name).join(" ")} ${blob.size} ${newest}` };
    }
    element("chosen").textContent = chosen
      ? `${plain.length > 1 ? `${plain.length} files` : chosen.name}, ${sizeText(chosen.blob.size)}` : "Nothing is chosen.";
    const field = element("name");
    if (chosen && field && !field.value && plain.length === 1) {
      field.value = chosen.name.replace(/\.[a-z]+$/i, "").replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 32);
    }
  } catch (error) {
    element("chosen").className = "problem";
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

const mayRepeat = (error) => error.isLost || error instanceof TypeError || [409, 429, 500, 502, 503, 504].includes(error.status);

/** Waits before the next try; longer after each failure. */
async function pause(failures, error, state, show) {
  const seconds = Math.min(2 ** failures / 4, 30);
  // What has arrived is not known now, so the bar stays.
  show(null, `${error.message} Trying again in ${Math.ceil(seconds)} s.`);
  // Cancelling must not wait for the end of the pause.
  await Promise.race([wait(seconds), new Promise((done) => { state.wake = done; })]);
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

const uploadPlace = (file) => `hearth-upload ${form.dataset.project} ${file.key}`;

async function send(file, state, show) {
  const total = file.blob.size;
  const stored = uploadPlace(file);
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
        return JSON.parse(request.responseText);
      } else if ((request.status === 404 || request.status === 410) && state.restarts < 1) {
        state.restarts += 1;
        localStorage.removeItem(stored);
        id = null;
      } else {
        throw refusal(request);
      }
    } catch (error) {
      failures += 1;
      if (error.isCancelled || !mayRepeat(error) || failures > 15) throw error;
      await pause(failures, error, state, show);
      // Ask what has arrived.
      offset = id ? null : 0;
    }
  }
}

/** Repeats a call whose answer was lost with the connection. The call must do no harm when it is made twice. */
async function repeated(state, show, body) {
  for (let failures = 1; ; failures += 1) {
    try {
      return await body();
    } catch (error) {
      // A refusal, such as a name that is taken, stays one.
      if (!mayRepeat(error) || error.status === 409 || failures > 15) throw error;
      const lost = error instanceof TypeError ? new Error("The connection was lost.") : error;
      await pause(failures, lost, state, show);
    }
  }
}

/**
 * What is known of an upload whose bytes have all arrived: { file, isPacked, tried }. It outlives the page, so that a
 * connection that is lost while the model is made costs no second upload and makes no second model. `tried` is what was
 * asked for, and what there was before: { name, before }, the model of that name, or { after }, the newest version.
 */
const finished = (file) => {
  const place = `hearth-uploaded ${form.dataset.project} ${form.dataset.model} ${file.key}`;
  return {
    read: () => JSON.parse(localStorage.getItem(place) ?? "null"),
    write: (value) => localStorage.setItem(place, JSON.stringify(value)),
    remove: () => {
      localStorage.removeItem(place);
      localStorage.removeItem(uploadPlace(file));
    },
  };
};

const models = `/v1beta2/projects/${project}/models`;
const versionsOf = (id) => `/hearth/v1/projects/${project}/models/${id}/versions`;

/** The number of the model with this name, or null. */
async function modelNamed(name) {
  const found = await call("GET", `${models}?filter=${encodeURIComponent(`displayName = ${name}`)}`);
  return found?.models?.find((model) => model.displayName === name)?.name.split("/").pop() ?? null;
}

/** What an earlier try made of the upload before its answer was lost: { model, version }, or null. */
async function made(upload) {
  const { name, before, after = 0 } = upload.tried;
  const id = form.dataset.model || await modelNamed(name);
  if (!id || id === before) return null;
  const { versions = [] } = await call("GET", versionsOf(id));
  const own = versions.find((version) => version.source === upload.file.gcsTfliteUri && version.version > after);
  return own ? { model: id, version: own.version } : null;
}

/** What this try asks for. What was tried before stays, unless the person chose another name meanwhile. */
async function intention(upload) {
  const id = form.dataset.model;
  if (id) {
    if (upload.tried) return upload.tried;
    const { versions = [] } = await call("GET", versionsOf(id));
    return { after: Math.max(0, ...versions.map((version) => version.version)) };
  }
  const name = element("name").value.trim();
  return upload.tried?.name === name ? upload.tried : { name, before: await modelNamed(name) };
}

/** Makes the model or the version once, and waits for the server's check of the file. Returns the address of its page. */
async function create(upload, store, show) {
  const id = form.dataset.model;
  show("The server checks the file …");
  const earlier = upload.tried && await made(upload);
  if (!earlier) {
    upload.tried = await intention(upload);
    store.write(upload);
  }
  if (id) {
    const body = { source: upload.file.gcsTfliteUri };
    if (element("note").value.trim()) body.note = element("note").value.trim();
    let version = earlier ? await call("GET", `${versionsOf(id)}/${earlier.version}`)
      : await call("POST", versionsOf(id), JSON.stringify(body), { "Content-Type": "application/json" });
    while (version.verdict === "pending") {
      await wait(1);
      version = await call("GET", `${versionsOf(id)}/${version.version}`);
    }
    return `${form.dataset.models}/${id}/versions/${version.version}`;
  }
  if (earlier) return `${form.dataset.models}/${earlier.model}`;
  const tags = element("tags").value.split(",").map((tag) => tag.trim()).filter(Boolean);
  const model = { displayName: upload.tried.name, tags, tfliteModel: { gcsTfliteUri: upload.file.gcsTfliteUri } };
  let operation = await call("POST", models, JSON.stringify(model), { "Content-Type": "application/json" });
  while (!operation.done) {
    await wait(1);
    operation = await call("GET", `/v1beta2/${operation.name}`);
  }
  // Code 6: the name is taken, perhaps by the model that an earlier try made a moment ago.
  const late = operation.error?.code === 6 && await made(upload);
  if (late) return `${form.dataset.models}/${late.model}`;
  if (operation.error) throw Object.assign(new Error(operation.error.message), { status: operation.error.code === 6 ? 409 : 400 });
  return `${form.dataset.models}/${operation.response.name.split("/").pop()}`;
}

/** The page of what was made of the file. All bytes have arrived when it begins with `upload`. */
async function finish(file, upload, state, show) {
  const store = finished(file);
  try {
    if (file.isZip && !upload.isPacked) {
      show("The server packs the files into one …");
      const source = JSON.stringify({ source: upload.file.gcsTfliteUri });
      upload.file = await repeated(state, (_, text) => show(text), () => call("POST", `${uploads}:pack`, source, { "Content-Type": "application/json" }));
      upload.isPacked = true;
      store.write(upload);
    }
    const address = await repeated(state, (_, text) => show(text), () => create(upload, store, show));
    store.remove();
    return address;
  } catch (error) {
    // With another name the upload can still be used. The refusal says that nothing was made of it.
    if (error.status === 409) store.write({ ...upload, tried: null });
    else if (error.status && error.status < 500) store.remove();
    throw error;
  }
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
    status.textContent = text ?? `${sizeText(bytes)} of ${sizeText(file.blob.size)}, ${percent} %`;
  };
  try {
    show(0);
    let upload = finished(file).read();
    if (!upload) {
      upload = { file: await send(file, state, show), isPacked: false, tried: null };
      finished(file).write(upload);
    }
    element("cancel").hidden = true;
    location.assign(await finish(file, upload, state, (text) => show(file.blob.size, text)));
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
