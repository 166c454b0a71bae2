// @ts-check
/**
 * The lamps below the printed sheet, drawn on two canvases over it: one for the lit holes, one for their glow
 * on the paper. They are redrawn only after a new frame, or if the size or the visible part changes.
 *
 * A lit hole is the sum of three sprites, one for each colour channel, and of a white spark if it is bright.
 * The sprites are made once for each size of the sheet, so that a thousand lamps are drawn fast.
 */

import { Glow, SHARES, looks } from "./glow.js";

/** Distance by which the light extends beyond the edge of the sheet. */
const BLEED_MM = 16;
const HOLE_MM = 2.1;
const BYTES_A_CHANGE = 5;
/** Interval of the steps in which the light follows the frames if the user prefers reduced motion. */
const CALM_STEP_MS = 80;
/** Share of the remaining difference that each step adds. A blink becomes a slow change. */
const CALM_SHARE = 0.06;
/** Brightness below which a hole has no white spark. */
const FAINT = 0.6;
const CHANNELS = ["255, 0, 0", "0, 255, 0", "0, 0, 255"];
/** Brightness of a lit hole by the byte of its brightest channel. */
const HOLE_LOOKS = Float32Array.from({ length: 256 }, (_, byte) => looks(byte / 255, 6, 2.3));
const HOLE = [[0, 1], [0.55, 0.95], [0.8, 0.6], [1, 0]];
const SPARK = [[0, 0.95], [0.4, 0.7], [1, 0]];

/** @typedef {import("./zoom.js").View} View */

export class BoardLight {
  /**
   * @param {{holes: HTMLCanvasElement, glow: HTMLCanvasElement}} canvases laid over the sheet
   * @param {([number, number] | null)[]} leds position of each LED in frame order, in millimetres on the sheet
   * @param {View} whole the part of the sheet that is drawn
   */
  constructor({ holes, glow }, leds, whole) {
    this.canvas = holes;
    this.leds = leds;
    this.whole = this.view = whole;
    /** Red, green and blue of each LED, linear. */
    this.frame = new Uint8Array(3 * leds.length);
    /** Light that is shown. It lags behind the frame if the user prefers reduced motion. */
    this.shown = new Float32Array(3 * leds.length);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.paint = /** @type {CanvasRenderingContext2D} */ (holes.getContext("2d"));
    const origins = leds.map((at) => at && /** @type {[number, number]} */ ([at[0] - whole.x, at[1] - whole.y]));
    this.glow = new Glow(glow, origins, { width: whole.width, height: whole.height, bleed: BLEED_MM });
    this.waiting = false;
    this.timer = 0;
    /** Pixels per millimetre at the current zoom, and width of `BLEED_MM` in pixels without zoom. */
    this.scale = this.bleed = 1;
    /** Sprite of a hole for each channel. @type {HTMLCanvasElement[]} */
    this.holes = [];
    this.spark = glow;
    layOver(holes, whole, whole);
    layOver(glow, whole, whole);
    new ResizeObserver(() => this.fit()).observe(holes);
    this.fit();
  }

  /** Clear the frame for a new stream: its first frame event contains all lit LEDs. */
  reset() {
    this.frame.fill(0);
  }

  /**
   * Apply the changes of a frame event, and show the frame.
   *
   * @param {string} text base64 of the changes: index (two bytes, low first), red, green, blue
   */
  show(text) {
    const packed = atob(text);
    for (let at = 0; at + BYTES_A_CHANGE <= packed.length; at += BYTES_A_CHANGE) {
      const led = packed.charCodeAt(at) + 256 * packed.charCodeAt(at + 1);
      for (let channel = 0; channel < 3; channel += 1) this.frame[3 * led + channel] = packed.charCodeAt(at + 2 + channel);
    }
    this.follow();
  }

  /** Show the frame, at once or in steps. */
  follow() {
    if (!this.calm.matches) this.shown.set(this.frame);
    else if (!this.timer && this.step()) this.timer = setTimeout(() => this.goOn(), CALM_STEP_MS);
    this.redraw();
  }

  goOn() {
    this.timer = 0;
    this.follow();
  }

  /** Change the shown light by one step towards the frame. Return true if the light has changed. */
  step() {
    const { frame, shown } = this;
    let most = 0;
    for (let at = 0; at < frame.length; at += 1) {
      const far = frame[at] - shown[at];
      most = Math.max(most, Math.abs(far));
      shown[at] += Math.abs(far) < 1 ? far : CALM_SHARE * far;
    }
    return most > 0;
  }

  /** @param {View} view the visible part of the sheet */
  look(view) {
    this.view = view;
    layOver(this.glow.canvas, this.whole, view);
    this.measure();
  }

  /** Set the size of the canvas to its size on the screen, in device pixels. */
  fit() {
    const { width, height } = this.canvas.getBoundingClientRect();
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    this.measure();
  }

  /** Make the sprites for the current scale. */
  measure() {
    this.bleed = (BLEED_MM * this.canvas.width) / (this.whole.width + 2 * BLEED_MM);
    this.scale = (this.bleed / BLEED_MM) * (this.whole.width / this.view.width);
    const radius = Math.max(HOLE_MM * this.scale, 1.8);
    this.holes = CHANNELS.map((channel) => sprite(radius, channel, HOLE));
    this.spark = sprite(0.8 * radius, "255, 255, 255", SPARK);
    this.redraw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const { paint, canvas, shown } = this;
    paint.globalCompositeOperation = "source-over";
    paint.clearRect(0, 0, canvas.width, canvas.height);
    paint.globalCompositeOperation = "lighter";
    this.leds.forEach((place, led) => {
      const brightest = Math.round(Math.max(shown[3 * led], shown[3 * led + 1], shown[3 * led + 2]));
      if (place && brightest) this.drawHole(led, brightest, ...this.toPixels(place));
    });
    paint.globalAlpha = 1;
    this.glow.draw(shown);
  }

  /**
   * @param {[number, number]} place in millimetres on the sheet
   * @returns {[number, number]} in pixels of the canvas
   */
  toPixels([x, y]) {
    return [(x - this.view.x) * this.scale + this.bleed, (y - this.view.y) * this.scale + this.bleed];
  }

  /**
   * @param {number} led
   * @param {number} brightest the lamp's brightest channel, 1 to 255
   * @param {number} x
   * @param {number} y
   */
  drawHole(led, brightest, x, y) {
    const bright = HOLE_LOOKS[brightest];
    for (let channel = 0; channel < 3; channel += 1) {
      const share = SHARES[Math.min(255, Math.round((255 * this.shown[3 * led + channel]) / brightest))];
      if (share) this.stamp(this.holes[channel], bright * share, x, y);
    }
    const over = (bright - FAINT) / (1 - FAINT);
    if (over > 0) this.stamp(this.spark, over * over, x, y);
  }

  /**
   * @param {HTMLCanvasElement} image
   * @param {number} strength 0 to 1
   * @param {number} x middle of the image
   * @param {number} y
   */
  stamp(image, strength, x, y) {
    this.paint.globalAlpha = strength;
    this.paint.drawImage(image, x - image.width / 2, y - image.height / 2);
  }
}

/**
 * Place a canvas over the sheet. It extends beyond the edges by `BLEED_MM`.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {View} whole the sheet
 * @param {View} view the visible part
 */
function layOver({ style }, whole, view) {
  style.left = `${(100 * (whole.x - view.x - BLEED_MM)) / view.width}%`;
  style.top = `${(100 * (whole.y - view.y - BLEED_MM)) / view.height}%`;
  style.width = `${(100 * (whole.width + 2 * BLEED_MM)) / view.width}%`;
  style.height = `${(100 * (whole.height + 2 * BLEED_MM)) / view.height}%`;
}

/**
 * Return the image of a round light that is brightest in its middle.
 *
 * @param {number} radius in pixels
 * @param {string} colour red, green and blue as in CSS, e.g. "255, 0, 0"
 * @param {number[][]} fall pairs of a distance and a strength, both 0 to 1
 * @returns {HTMLCanvasElement}
 */
function sprite(radius, colour, fall) {
  const image = document.createElement("canvas");
  image.width = image.height = 2 * Math.ceil(radius) + 1;
  const middle = image.width / 2;
  const paint = /** @type {CanvasRenderingContext2D} */ (image.getContext("2d"));
  const light = paint.createRadialGradient(middle, middle, 0, middle, middle, radius);
  for (const [distance, strength] of fall) {
    light.addColorStop(distance, `rgba(${colour}, ${strength})`);
  }
  paint.fillStyle = light;
  paint.fillRect(0, 0, image.width, image.height);
  return image;
}
