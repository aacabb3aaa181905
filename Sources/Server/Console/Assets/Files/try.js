// Sends an image to one or two versions, and draws what they found.
import { make } from "./making.js";
import { callAddress, formToken, showProblem } from "./page.js";
import { onChange, stated, used } from "./processing.js";

const form = document.getElementById("try");
const element = (id) => document.getElementById(id);
const models = `/hearth/v1/projects/${encodeURIComponent(form.dataset.project)}/models/${form.dataset.model}`;
const space = "http://www.w3.org/2000/svg";
/** The image, its answers and what was stated: { address, results: [{ version, value or error }], options }. */
let shown = null;
let turn = 0;
/** The least confidence that the reader chose, in per cent. */
let wanted = 50;

function draw(name, attributes, text) {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

const title = (answer) => answer.label || `class ${answer.index}`;
/** Logits and other scores that are no probabilities would look like impossible percentages. */
const areShares = (results) => results.every(({ answers }) => answers.every(({ confidence }) => confidence >= -0.02 && confidence <= 1.02));
const scoreText = (result, value) => areShares([result]) ? `${(value * 100).toFixed(1)} %` : value.toFixed(2);

function drawn(result) {
  const box = make("figure", "", { class: "image" });
  box.append(make("img", "", { src: shown.address, alt: "The image that was tried" }));
  const boxes = result.answers.filter((answer) => answer.box);
  if (boxes.length) {
    const { width, height } = result;
    const chart = draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `${boxes.length} boxes` });
    const size = Math.max(width, height) / 40;
    for (const answer of boxes) {
      const [x, y, w, h] = answer.box;
      const group = draw("g", { "data-confidence": String(answer.confidence) });
      group.append(draw("rect", { x, y, width: w, height: h, fill: "none", class: `series-${(answer.index % 4) + 1}`, "stroke-width": size / 5 }));
      const words = `${title(answer)} ${scoreText(result, answer.confidence)}`;
      group.append(draw("text", { x: x + size / 4, y: Math.max(y - size / 3, size), "font-size": size, class: `fill-${(answer.index % 4) + 1}` }, words));
      chart.append(group);
    }
    box.append(chart);
  }
  return box;
}

/** `output` is one of several: { name, answers }. */
function table(result, output) {
  const box = make("div", "", { class: "scroll" });
  const rows = make("table");
  if (output) rows.append(make("caption", output.name || "An output without a name"));
  else rows.append(make("caption", `Answers of version ${result.version}`, { class: "hidden" }));
  const head = make("tr");
  for (const name of ["Label", "Confidence"]) head.append(make("th", name, { scope: "col" }));
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  for (const answer of (output ?? result).answers) {
    const row = make("tr", "", { "data-confidence": String(answer.confidence) });
    row.append(make("th", title(answer), { scope: "row" }), make("td", scoreText(result, answer.confidence), { class: "number" }));
    body.append(row);
  }
  rows.append(top, body);
  box.append(rows);
  return box;
}

function applyThreshold() {
  const least = Number(element("threshold").value) / 100;
  const values = shown.results.flatMap(({ value }) => (value ? [value] : []));
  element("threshold-text").textContent = areShares(values) ? `${element("threshold").value} %` : least.toFixed(2);
  for (const column of element("columns").children) {
    let count = 0;
    for (const part of column.querySelectorAll("[data-confidence]")) {
      const isShown = Number(part.dataset.confidence) >= least;
      part.toggleAttribute("hidden", !isShown);
      if (part.localName === "g") part.style.display = isShown ? "" : "none";
      if (isShown && part.localName === "tr") count += 1;
    }
    const none = column.querySelector("[data-none]");
    if (none) none.hidden = count > 0;
  }
}

function show() {
  const columns = shown.results.map(({ version, value, error, status }) => {
    const column = make("section");
    column.append(make("h2", `Version ${version}`));
    if (error) {
      const problem = make("p", "", { class: "problem", role: "alert" });
      showProblem(problem, error, status);
      column.append(problem);
      return column;
    }
    const cost = `${(value.runMicroseconds / 1000).toFixed(1)} ms for a first run, ${value.width} × ${value.height} pixels`;
    const tables = value.outputs ? value.outputs.map((output) => table(value, output)) : [table(value)];
    column.append(make("p", cost, { class: "faint" }), drawn(value), make("p", "No answer has that confidence.", { "data-none": "" }), ...tables);
    column.append(...used(value.vision, shown.options, form.dataset.name));
    return column;
  });
  element("columns").replaceChildren(...columns);
  element("answers").hidden = false;
  const highest = Math.max(0, ...shown.results.flatMap(({ value }) => (value ? value.answers.map((answer) => answer.confidence) : [])));
  // Something is shown, although all answers may be below what the reader chose.
  element("threshold").value = String(Math.min(wanted, Math.floor(highest * 100)));
  applyThreshold();
}

async function ask(version, body, processing) {
  const query = `threshold=0.01${processing ? `&processing=${encodeURIComponent(processing)}` : ""}`;
  try {
    const answer = await fetch(callAddress(`${models}/versions/${version}:try?${query}`), {
      method: "POST", body, headers: { "X-Hearth-Form-Token": formToken(), "Content-Type": "application/octet-stream" },
    });
    const text = await answer.text();
    if (answer.ok) return { version, value: JSON.parse(text) };
    let error = text.trim();
    try { error = JSON.parse(text).error.message; } catch { /* plain text */ }
    return { version, error, status: answer.status };
  } catch {
    return { version, error: "The server did not answer. Try again." };
  }
}

async function run(body) {
  turn += 1;
  const own = turn;
  const versions = [element("version").value, element("with").value].filter((value, index, all) => value && all.indexOf(value) === index);
  let settings;
  try {
    settings = stated();
  } catch (error) {
    element("status").textContent = `Not done. ${error.message}`;
    return;
  }
  element("status").textContent = "The server runs the model …";
  const results = [];
  for (const version of versions) results.push(await ask(version, body, settings.json));
  if (own !== turn) return;
  if (shown) URL.revokeObjectURL(shown.address);
  shown = { address: URL.createObjectURL(body), results, body, options: settings.options };
  element("status").textContent = results.every(({ error }) => error) ? "Not done." : "Done.";
  show();
}

element("image").addEventListener("change", (event) => { if (event.target.files[0]) run(event.target.files[0]); });
for (const id of ["version", "with"]) element(id).addEventListener("change", () => { if (shown) run(shown.body); });
onChange(() => { if (shown) run(shown.body); });
element("threshold").addEventListener("input", () => {
  wanted = Number(element("threshold").value);
  applyThreshold();
});
form.addEventListener("submit", (event) => event.preventDefault());

const drop = element("drop");
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  if (event.dataTransfer.files[0]) run(event.dataTransfer.files[0]);
});

for (const button of document.querySelectorAll("[data-sample]")) {
  button.addEventListener("click", async () => {
    const answer = await fetch(callAddress(`${models}/images/${encodeURIComponent(button.dataset.sample)}`));
    if (answer.ok) run(await answer.blob());
    else element("status").textContent = "The server does not have this image any more.";
  });
}

let stream = null;
function closeCamera() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
  element("viewfinder").hidden = true;
}

element("camera").addEventListener("click", async () => {
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    element("video").srcObject = stream;
    await element("video").play();
    element("viewfinder").hidden = false;
    element("shoot").focus();
  } catch {
    element("status").textContent = "The browser gives no camera: it needs https or localhost, a camera, and your permission.";
  }
});
element("close-camera").addEventListener("click", closeCamera);
element("shoot").addEventListener("click", () => {
  const video = element("video");
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d").drawImage(video, 0, 0);
  closeCamera();
  canvas.toBlob((blob) => { if (blob) run(blob); }, "image/jpeg", 0.92);
});
