// @ts-check
/**
 * Keep a phone's screen on. Browsers offer a wake lock only to pages served by HTTPS, but phones use plain HTTP.
 * There the screen stays on while a video plays. By the browsers' source code, the video must be:
 *
 * - Chromium: large, with three quarters of it visible; a live stream can be small.
 * - Firefox: with sound; a live stream needs no sound.
 * - WebKit: with sound that is not muted, and not in a loop.
 *
 * So the video is a live stream of a dot in a corner. In WebKit it has a silent sound track, which can stop the
 * phone's music. The browser plays the video only after a tap.
 */

/** Keep the screen on while this page is visible, from the first tap on. */
export function keepAwake() {
  const start = "wakeLock" in navigator ? lock : playFilm;
  let isOn = false;
  const begin = async () => {
    isOn = (await start()) || isOn;
    if (isOn) removeEventListener("pointerup", begin);
  };
  // Browsers allow a video at `pointerup`, not yet at `pointerdown`.
  addEventListener("pointerup", begin);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && isOn && start());
}

/** Return true if the screen stays on. */
async function lock() {
  try {
    await navigator.wakeLock.request("screen");
    return true;
  } catch {
    return false; // a phone in its power-saving mode refuses
  }
}

/** @type {HTMLVideoElement | null} */
let film = null;

/** Return true if the video plays. */
async function playFilm() {
  film ??= makeFilm();
  try {
    await film.play();
    return true;
  } catch {
    return false; // the phone switches its screen off as usual
  }
}

function makeFilm() {
  const dot = Object.assign(document.createElement("canvas"), { width: 2, height: 2 });
  const pen = dot.getContext("2d");
  setInterval(() => pen?.fillRect(0, 0, 2, 2), 1000);
  const stream = dot.captureStream(1);
  const hasSound = navigator.vendor.startsWith("Apple");
  if (hasSound) stream.addTrack(silence());
  const video = document.createElement("video");
  Object.assign(video, { className: "film", muted: !hasSound, playsInline: true, srcObject: stream });
  video.setAttribute("aria-hidden", "true");
  document.body.append(video);
  return video;
}

function silence() {
  const context = new AudioContext();
  const sound = new ConstantSourceNode(context, { offset: 0 });
  const stream = context.createMediaStreamDestination();
  sound.connect(stream);
  sound.start();
  return stream.stream.getAudioTracks()[0];
}
