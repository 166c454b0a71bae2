// @ts-check
/**
 * The lamps under the print, on two canvases over the sheet: the lit holes, and their glow on the
 * paper. Drawn when a frame came or the size changed, and at no other time.
 *
 * A lit hole is the sum of three sprites, one a channel, and a white spark where it is bright;
 * sprites are made once for a size of the sheet, so that a thousand lamps cost little.
 */

import { Glow } from "./glow.js";
import { HOLE_LOOKS, SHARES, change } from "./led_colour.js";

/** Reach of the light beyond the sheet. */
const BLEED_MM = 16;
const HOLE_MM = 2.1;
/** Holes that look dimmer than this have no white spark. */
const FAINT = 0.6;
const CHANNELS = ["255, 0, 0", "0, 255, 0", "0, 0, 255"];
const HOLE = [[0, 1], [0.55, 0.95], [0.8, 0.6], [1, 0]];
const SPARK = [[0, 0.95], [0.4, 0.7], [1, 0]];

export class BoardLight {
  /**
   * @param {{holes: HTMLCanvasElement, glow: HTMLCanvasElement}} canvases laid over the sheet
   * @param {{leds: ([number, number] | null)[], width_mm: number, height_mm: number}} about
   */
  constructor({ holes, glow }, { leds, width_mm: width, height_mm: height }) {
    this.canvas = holes;
    this.leds = leds;
    this.width = width;
    this.frame = new Uint8Array(3 * leds.length);
    this.paint = /** @type {CanvasRenderingContext2D} */ (holes.getContext("2d"));
    this.glow = new Glow(glow, leds, { width, height, bleed: BLEED_MM });
    this.waiting = false;
    /** Pixels in a millimetre. */
    this.scale = 1;
    /** A hole's light for each channel. @type {HTMLCanvasElement[]} */
    this.holes = [];
    this.spark = glow;
    for (const canvas of [holes, glow]) layOver(canvas, width, height);
    new ResizeObserver(() => this.fit()).observe(holes);
    this.fit();
  }

  /** Forget the frame: a full one comes next. */
  reset() {
    this.frame.fill(0);
  }

  /** @param {string} text the data of a frame event */
  show(text) {
    change(this.frame, text);
    this.redraw();
  }

  /** Take over the size on the screen, in its own pixels. */
  fit() {
    const { width, height } = this.canvas.getBoundingClientRect();
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    this.scale = this.canvas.width / (this.width + 2 * BLEED_MM);
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
    const { paint, canvas, frame } = this;
    paint.globalCompositeOperation = "source-over";
    paint.clearRect(0, 0, canvas.width, canvas.height);
    paint.globalCompositeOperation = "lighter";
    this.leds.forEach((place, led) => {
      const brightest = Math.max(frame[3 * led], frame[3 * led + 1], frame[3 * led + 2]);
      if (place && brightest) this.drawHole(led, brightest, ...this.toPixels(place));
    });
    paint.globalAlpha = 1;
    this.glow.draw(frame);
  }

  /**
   * @param {[number, number]} place in millimetres on the sheet
   * @returns {[number, number]} in pixels of the canvas
   */
  toPixels([x, y]) {
    return [(x + BLEED_MM) * this.scale, (y + BLEED_MM) * this.scale];
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
      const share = SHARES[Math.round((255 * this.frame[3 * led + channel]) / brightest)];
      if (share) this.stamp(this.holes[channel], bright * share, x, y);
    }
    const over = (bright - FAINT) / (1 - FAINT);
    if (over > 0) this.stamp(this.spark, over * over, x, y);
  }

  /**
   * @param {HTMLCanvasElement} image
   * @param {number} strength 0 to 1
   * @param {number} x its middle
   * @param {number} y
   */
  stamp(image, strength, x, y) {
    this.paint.globalAlpha = strength;
    this.paint.drawImage(image, x - image.width / 2, y - image.height / 2);
  }
}

/**
 * Lay a canvas over a sheet and beyond its edges, for the light that falls there.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width of the sheet in millimetres
 * @param {number} height
 */
function layOver({ style }, width, height) {
  style.setProperty("left", `${(-100 * BLEED_MM) / width}%`);
  style.setProperty("top", `${(-100 * BLEED_MM) / height}%`);
  style.setProperty("width", `${100 + (200 * BLEED_MM) / width}%`);
  style.setProperty("height", `${100 + (200 * BLEED_MM) / height}%`);
}

/**
 * A round light, brightest in its middle.
 *
 * @param {number} radius in pixels
 * @param {string} colour red, green and blue as CSS lists them
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
