// @ts-check
/** Conversion of frame events to bytes, and of the LEDs' bytes to brightness on a screen. */

const BYTES_A_CHANGE = 5;

/**
 * Apply the changes of a frame event to a frame.
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
 * Return the brightness on a screen for linear light.
 *
 * @param {number} light linear light, 1 for a lamp at its brightest
 * @param {number} exposure larger values reach the full brightness of the screen at less light
 * @param {number} gamma larger values make faint light brighter
 * @returns {number} 0 for black to 1 for white
 */
export function looks(light, exposure, gamma) {
  return Math.pow(1 - Math.exp(-exposure * light), 1 / gamma);
}

/** Brightness of a lit hole by the byte of its brightest channel. */
export const HOLE_LOOKS = Float32Array.from({ length: 256 }, (_, byte) =>
  looks(byte / 255, 6, 2.3),
);

/** Brightness of a channel on the screen as a share of the brightest channel, by the linear share in 255ths. */
export const SHARES = Float32Array.from({ length: 256 }, (_, share) =>
  Math.pow(share / 255, 1 / 2.3),
);
