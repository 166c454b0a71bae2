// @ts-check
/**
 * Keeping a phone's screen on. Browsers offer that to secure pages alone; elsewhere a silent film of one
 * dot plays, which keeps most screens on too.
 */

/** Keep the screen on while this page is seen, from the first press on. */
export function keepAwake() {
  const start = "wakeLock" in navigator ? lock : playFilm;
  addEventListener("pointerdown", start, { once: true });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && start());
}

async function lock() {
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // A phone that saves its battery refuses.
  }
}

/** @type {HTMLVideoElement | null} */
let film = null;

async function playFilm() {
  film ??= makeFilm();
  try {
    await film.play();
  } catch {
    // Then the phone's own time counts.
  }
}

function makeFilm() {
  const dot = Object.assign(document.createElement("canvas"), { width: 2, height: 2 });
  const pen = dot.getContext("2d");
  setInterval(() => pen?.fillRect(0, 0, 1, 1), 1000);
  const video = document.createElement("video");
  Object.assign(video, { muted: true, loop: true, playsInline: true, srcObject: dot.captureStream(1) });
  video.className = "hidden";
  video.setAttribute("aria-hidden", "true");
  document.body.append(video);
  return video;
}
