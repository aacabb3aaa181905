// Makes a model, or a version of one, of an uploaded file.
import { call } from "./page.js";
import { repeated, wait } from "./sending.js";

const form = document.getElementById("upload");
const project = encodeURIComponent(form.dataset.project);
const models = `/v1beta2/projects/${project}/models`;
const versionsOf = (id) => `/hearth/v1/projects/${project}/models/${id}/versions`;
const field = (id) => document.getElementById(id).value.trim();
const post = (path, body) => call("POST", path, JSON.stringify(body), { "Content-Type": "application/json" });

/** The versions of a model, without their contracts, which may be long. */
async function versionList(id) {
  return (await call("GET", `${versionsOf(id)}?contracts=false`)).versions ?? [];
}

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
  const own = (await versionList(id)).find((version) => version.source === upload.file.gcsTfliteUri && version.version > after);
  return own ? { model: id, version: own.version } : null;
}

/** What this try asks for. What was tried before stays, unless the person chose another name meanwhile. */
async function intention(upload) {
  const id = form.dataset.model;
  if (id) {
    if (upload.tried) return upload.tried;
    return { after: Math.max(0, ...(await versionList(id)).map((version) => version.version)) };
  }
  const name = field("name");
  return upload.tried?.name === name ? upload.tried : { name, before: await modelNamed(name) };
}

/** Throws for a file that the server has found to be no model: it would only take a number, and perhaps a name. */
function checkVerdict(file) {
  if (!file.validationError) return;
  const what = form.dataset.model ? "version" : "model";
  throw Object.assign(
    new Error(`This file is not a valid model, so the server made no ${what}: ${file.validationError.message}`), { isFinal: true });
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
    const note = field("note");
    const body = { source: upload.file.gcsTfliteUri, ...(note ? { note } : {}) };
    let version = earlier ? await call("GET", `${versionsOf(id)}/${earlier.version}`) : await post(versionsOf(id), body);
    while (version.verdict === "pending") {
      await wait(1);
      version = await call("GET", `${versionsOf(id)}/${version.version}`);
    }
    // The newest version has the same bytes already.
    const isOld = version.version <= (upload.tried.after ?? 0);
    return `${form.dataset.models}/${id}/versions/${version.version}${isOld ? "?done=same-file" : ""}`;
  }
  if (earlier) return `${form.dataset.models}/${earlier.model}`;
  const tags = field("tags").split(",").map((tag) => tag.trim()).filter(Boolean);
  let operation = await post(models, {
    displayName: upload.tried.name, tags, tfliteModel: { gcsTfliteUri: upload.file.gcsTfliteUri },
    // As the command line does: later versions must fit the apps unless somebody allows another contract.
    hearth: { contractCheck: "refuse" },
  });
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

/** Whether a call was refused because the server no longer has the uploaded file. */
async function isGone(upload, error) {
  if (![400, 404, 410].includes(error.status)) return false;
  const [bucket, ...name] = upload.file.gcsTfliteUri.replace("gs://", "").split("/");
  try {
    await call("GET", `/storage/v1/b/${bucket}/o/${encodeURIComponent(name.join("/"))}`);
    return false;
  } catch (problem) {
    return problem.status === 404;
  }
}

/**
 * Returns the address of the page of what was made of the upload { file, isPacked, tried }, all bytes of which have arrived.
 *
 * - `isZip`: the file is a zip, of which the server first makes one file.
 * - `store`: keeps the upload, so that another try needs no second upload and makes no second model: `write` and `remove`.
 * - `show(text)`: says what is being done.
 */
export async function finish(upload, isZip, store, signal, show) {
  const showPause = (_, text) => show(text);
  try {
    if (isZip && !upload.isPacked) {
      show("The server packs the files into one …");
      const source = upload.file.gcsTfliteUri;
      upload.file = await repeated(signal, showPause, () => post(`/hearth/v1/projects/${project}/uploads:pack`, { source }));
      upload.isPacked = true;
      store.write(upload);
    }
    checkVerdict(upload.file);
    const address = await repeated(signal, showPause, () => create(upload, store, show));
    store.remove();
    return address;
  } catch (error) {
    // The same bytes again would be no better.
    if (error.isFinal) {
      store.remove();
      throw error;
    }
    // With another name the upload can still be used. The refusal says that nothing was made of it.
    if (error.status === 409) store.write({ ...upload, tried: null });
    // After all other refusals too, such as of a tag or of a session that ended: once that is mended, no byte goes again.
    if (!await isGone(upload, error)) throw error;
    store.remove();
    throw new Error("The server no longer has the uploaded file. Choose “Upload” to send it again.");
  }
}
