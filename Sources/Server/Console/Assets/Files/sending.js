// Sends a file in parts, and continues where it stopped after a lost connection or in another session of the browser.
import { callAddress, formToken, refusalText } from "./page.js";

const partBytes = 8 * 1024 * 1024;
/** A connection on which nothing moves for so long is taken for lost: one that is half open never ends by itself. */
const patienceMilliseconds = 60_000;
/** So often in a row something may fail. */
const mostFailures = 15;

const lost = () => Object.assign(new Error("The connection was lost."), { isLost: true });
const mayRepeat = (error) => error.isLost || error instanceof TypeError || [409, 429, 500, 502, 503, 504].includes(error.status);
export const wait = (seconds) => new Promise((done) => { setTimeout(done, seconds * 1000); });
const aborted = (signal) => new Promise((_, failed) => {
  signal.addEventListener("abort", () => failed(signal.reason), { once: true });
});

/** Waits before the next try; longer after each failure. */
async function pause(failures, error, signal, show) {
  const seconds = Math.min(2 ** failures / 4, 30);
  // What has arrived is not known now, so the bar stays.
  show(null, `${error.message} Trying again in ${Math.ceil(seconds)} s.`);
  // Cancelling must not wait for the end of the pause.
  await Promise.race([wait(seconds), aborted(signal)]);
}

/** Sends one request of the upload. XMLHttpRequest, because it tells the progress and takes the answer 308. */
function put(address, range, body, signal, onProgress) {
  return new Promise((done, failed) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let timer = null;
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(abort, patienceMilliseconds);
    };
    signal.addEventListener("abort", abort);
    request.open("PUT", callAddress(address));
    request.setRequestHeader("X-Hearth-Form-Token", formToken());
    request.setRequestHeader("Content-Range", range);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => {
      moved();
      onProgress(event.loaded);
    };
    request.onload = () => done(request);
    request.onerror = () => failed(lost());
    request.onabort = () => failed(signal.aborted ? signal.reason : lost());
    request.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    moved();
    request.send(body);
  });
}

const refusal = (status, text) => Object.assign(new Error(refusalText(status, text)), { status });

/** How many bytes the server has, by the answer 308. */
const received = (request) => {
  const range = request.getResponseHeader("Range");
  return range ? Number(range.split("-")[1]) + 1 : 0;
};

/** Announces a file. Stores the id of the upload, also if it comes after the person has cancelled. */
async function begin(file, uploads, stored) {
  let answer;
  let text;
  try {
    answer = await fetch(callAddress(`${uploads}?resumable=true&name=${encodeURIComponent(file.name)}`), {
      method: "POST", headers: { "X-Hearth-Form-Token": formToken(), "X-Upload-Content-Length": String(file.blob.size) },
      signal: AbortSignal.timeout(patienceMilliseconds),
    });
    text = await answer.text();
  } catch {
    throw lost();
  }
  if (!answer.ok) throw refusal(answer.status, text);
  const id = new URL(answer.headers.get("Location")).searchParams.get("upload_id");
  stored.write(id);
  return id;
}

/**
 * Sends the file { name, blob }, and returns what the server says of the uploaded one.
 *
 * - `uploads`: the path of the project's uploads.
 * - `stored`: where the id of the upload is remembered.
 * - `signal`: ends it with its reason.
 * - `show(bytes, text)`: says what has arrived; `bytes` is null while that is not known.
 */
export async function send(file, uploads, stored, signal, show) {
  const total = file.blob.size;
  let id = stored.read();
  // The first byte to send; null: the server must be asked.
  let offset = id ? null : 0;
  // The most that the server ever had.
  let most = 0;
  let failures = 0;
  let restarts = 0;
  for (;;) {
    try {
      signal.throwIfAborted();
      if (!id) {
        id = await Promise.race([begin(file, uploads, stored), aborted(signal)]);
        offset = 0;
        most = 0;
      }
      const address = `${uploads}?upload_id=${encodeURIComponent(id)}`;
      const end = offset === null ? 0 : Math.min(offset + partBytes, total);
      const request = offset === null
        ? await put(address, `bytes */${total}`, null, signal, () => {})
        : await put(address, `bytes ${offset}-${end - 1}/${total}`, file.blob.slice(offset, end), signal, (sent) => show(offset + sent));
      if (request.status === 308) {
        const now = received(request);
        const isStuck = offset !== null && now <= offset;
        offset = now;
        show(offset);
        // Only what has arrived is a success: the question alone also succeeds where every part fails.
        if (now > most) failures = 0;
        most = Math.max(most, now);
        if (isStuck) throw Object.assign(new Error("The server took nothing of a part."), { isLost: true });
      } else if (request.status === 200 || request.status === 201) {
        return JSON.parse(request.responseText);
      } else if ((request.status === 404 || request.status === 410) && restarts < 1) {
        restarts += 1;
        stored.remove();
        id = null;
      } else {
        throw refusal(request.status, request.responseText);
      }
    } catch (error) {
      failures += 1;
      if (signal.aborted || !mayRepeat(error) || failures > mostFailures) throw error;
      await pause(failures, error, signal, show);
      // Ask what has arrived.
      offset = id ? null : 0;
    }
  }
}

/** Repeats a call whose answer was lost with the connection. The call must do no harm when it is made twice. */
export async function repeated(signal, show, body) {
  for (let failures = 1; ; failures += 1) {
    try {
      return await body();
    } catch (error) {
      // A refusal, such as a name that is taken, stays one.
      if (!mayRepeat(error) || error.status === 409 || failures > mostFailures) throw error;
      await pause(failures, error instanceof TypeError ? lost() : error, signal, show);
    }
  }
}
