// What the reader states about how images go in and what comes out, and what was done in a run.
import { make } from "./making.js";

const element = (id) => document.getElementById(id);

/** The numbers of a text such as `0.5 0.5 0.5` or `123.7:116.3:103.5`. Throws for what is no list of numbers. */
function numbers(text, name) {
  const found = text.trim().split(/[\s,;:]+/).map((word) => (word === "" ? NaN : Number(word)));
  if (found.some((number) => !Number.isFinite(number))) throw new Error(`${name} must be a number, or one for each channel.`);
  return found;
}

/** Lists of the same length: one number stands for all channels. */
function paired(mean, deviation) {
  const count = Math.max(mean.length, deviation.length);
  const repeated = (list) => (list.length === 1 ? Array(count).fill(list[0]) : list);
  return [repeated(mean), repeated(deviation)];
}

/** Mean and standard deviation as two lists; null for what the file says. Throws. */
function normalizationOfFields() {
  const { value } = element("normalize");
  if (!value) return null;
  if (value !== "own") return value.split(",").map((list) => list.split(":").map(Number));
  return paired(numbers(element("mean").value, "The mean"), numbers(element("deviation").value, "The standard deviation"));
}

/** What the fields state: { json, options }, where `json` is for the call and `options` are those of a command. Throws. */
export function stated() {
  const processing = {};
  const options = [];
  const normalization = normalizationOfFields();
  if (normalization) {
    [processing.mean, processing.standardDeviation] = normalization;
    const values = normalization.map((list) => list.join(":")).join(",");
    options.push(values.startsWith("-") ? `--normalize=${values}` : `--normalize ${values}`);
  }
  for (const name of ["channels", "resize", "layout", "activation"]) {
    const { value } = element(name);
    if (!value) continue;
    processing[name] = value;
    if (name !== "activation") options.push(`--${name} ${value}`);
    else if (value !== "none") options.push(`--${value}`);
  }
  return { json: Object.keys(processing).length ? JSON.stringify(processing) : "", options: options.join(" ") };
}

/** Calls back when the reader states something else. */
export function onChange(changed) {
  for (const name of ["normalize", "channels", "resize", "layout", "activation", "mean", "deviation"]) {
    element(name).addEventListener("change", () => {
      element("own-numbers").hidden = element("normalize").value !== "own";
      changed();
    });
  }
}

/** How the image went in and what came out, in words; with what the reader stated, the command that keeps it. */
export function used(vision, options, model) {
  const parts = [];
  if (vision?.images) {
    const facts = make("dl", "", { class: "facts" });
    facts.append(make("dt", "The image went in as"), make("dd", vision.images), make("dt", "What came out"), make("dd", vision.answers.join("; ")));
    parts.push(facts);
  }
  if (options) {
    const command = `hearth models push ${model} FILE.tflite ${options}`;
    const copied = make("div", "", { class: "copied" });
    const text = make("pre");
    const code = make("code");
    // Browsers would break a line after the hyphens of an option.
    for (const word of command.split(/( )/)) code.append(/^--[a-z]+$/.test(word) ? make("span", word, { class: "pair" }) : word);
    text.append(code);
    copied.append(text, make("button", "Copy", { type: "button", class: "copy", "data-copy": command }));
    parts.push(make("p", "To write these settings into the file, as a new version:"), copied);
  }
  return parts;
}
