// @ts-check
/** Frame events as bytes, and the bytes of LEDs as brightness on a screen. Nothing here draws. */

const BYTES_A_CHANGE = 5;

/**
 * Put the changes of a frame event into a frame.
 *
 * @param {Uint8Array} frame red, green and blue of each LED, linear; changed in place
 * @param {string} text base64 of the changes: index (two bytes, low first), red, green, blue
 */
export function change(frame, text) {
  const packed = atob(text);
  for (let at = 0; at + BYTES_A_CHANGE <= packed.length; at += BYTES_A_CHANGE) {
    const led = packed.charCodeAt(at) + 256 * packed.charCodeAt(at + 1);
    for (let channel = 0; channel < 3; channel += 1) {
      frame[3 * led + channel] = packed.charCodeAt(at + 2 + channel);
    }
  }
}

/**
 * Return the brightness on a screen of linear light, between black and white.
 *
 * @param {number} light linear, 1 being a lamp at its brightest
 * @param {number} exposure how soon bright light is as bright as the screen gets
 * @param {number} gamma how much faint light is lifted
 * @returns {number} 0 to 1
 */
export function looks(light, exposure, gamma) {
  return Math.pow(1 - Math.exp(-exposure * light), 1 / gamma);
}

/** Brightness of a lit hole by the byte of its brightest channel: 2 is an ember, 255 is 1. */
export const HOLE_LOOKS = Float32Array.from({ length: 256 }, (_, byte) =>
  looks(byte / 255, 6, 2.3),
);

/** The share of a channel in the brightest one, on the screen, by its linear share in 255ths. */
export const SHARES = Float32Array.from({ length: 256 }, (_, share) =>
  Math.pow(share / 255, 1 / 2.3),
);
