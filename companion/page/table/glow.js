// @ts-check
/**
 * Glow on the paper around lit holes. The light of all lamps is added up in linear numbers on a coarse grid.
 * The browser stretches the grid over the sheet, which makes the glow soft.
 */

/** @typedef {[number, number] | null} Place in millimetres on the sheet, null for an LED without a hole */

const CELL_MM = 2.5;
const REACH_MM = 16;
const STEPS = 1024;
/** Brightness of a channel on the screen as a share of the brightest channel, by the linear share in 255ths. */
export const SHARES = Float32Array.from({ length: 256 }, (_, share) => Math.pow(share / 255, 1 / 2.3));
/** Light of a cell at which its brightness reaches the maximum. */
const MOST = 2;
const GLOW_LOOKS = Float32Array.from({ length: STEPS }, (_, step) => looks((MOST * step) / (STEPS - 1), 2.2, 1.55));

/**
 * Return the brightness on a screen for linear light, 0 for black to 1 for white.
 *
 * @param {number} light linear light, 1 for a lamp at its brightest
 * @param {number} exposure larger values reach the full brightness of the screen at less light
 * @param {number} gamma larger values make faint light brighter
 */
export function looks(light, exposure, gamma) {
  return Math.pow(1 - Math.exp(-exposure * light), 1 / gamma);
}

/** Return the share of a lamp's light at a distance from the lamp. @param {number} mm */
function fall(mm) {
  if (mm >= REACH_MM) return 0;
  const edge = 1 - (mm / REACH_MM) ** 2;
  return edge * edge * (0.5 * Math.exp(-((mm / 3.4) ** 2)) + 0.13 * Math.exp(-((mm / 8.5) ** 2)));
}

export class Glow {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Place[]} leds positions of the LEDs in frame order
   * @param {{width: number, height: number, bleed: number}} sheet in millimetres
   */
  constructor(canvas, leds, { width, height, bleed }) {
    this.canvas = canvas;
    this.columns = canvas.width = Math.ceil((width + 2 * bleed) / CELL_MM);
    this.rows = canvas.height = Math.ceil((height + 2 * bleed) / CELL_MM);
    this.paint = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.picture = this.paint.createImageData(this.columns, this.rows);
    this.sums = new Float32Array(3 * this.columns * this.rows);
    this.cell = { x: (width + 2 * bleed) / this.columns, y: (height + 2 * bleed) / this.rows };
    this.spots = leds.map((place) =>
      place ? this.spot(place[0] + bleed, place[1] + bleed) : { cells: [], shares: [] },
    );
  }

  /**
   * Return the cells that a lamp lights, and its share of light in each cell.
   *
   * @param {number} x
   * @param {number} y
   */
  spot(x, y) {
    const cells = [];
    const shares = [];
    const first = (/** @type {number} */ at, /** @type {number} */ size) =>
      Math.max(0, Math.floor((at - REACH_MM) / size));
    for (let row = first(y, this.cell.y); row < this.rows; row += 1) {
      const dy = (row + 0.5) * this.cell.y - y;
      if (dy > REACH_MM) break;
      for (let column = first(x, this.cell.x); column < this.columns; column += 1) {
        const dx = (column + 0.5) * this.cell.x - x;
        if (dx > REACH_MM) break;
        const share = fall(Math.hypot(dx, dy));
        if (share < 0.0005) continue;
        cells.push(3 * (row * this.columns + column));
        shares.push(share / 255);
      }
    }
    return { cells: Uint32Array.from(cells), shares: Float32Array.from(shares) };
  }

  /** @param {ArrayLike<number>} frame red, green and blue of each LED */
  draw(frame) {
    this.sums.fill(0);
    this.spots.forEach((spot, led) => {
      const red = frame[3 * led];
      const green = frame[3 * led + 1];
      const blue = frame[3 * led + 2];
      if (red || green || blue) this.add(spot, red, green, blue);
    });
    this.develop();
    this.paint.putImageData(this.picture, 0, 0);
  }

  /**
   * @param {{cells: ArrayLike<number>, shares: ArrayLike<number>}} spot
   * @param {number} red
   * @param {number} green
   * @param {number} blue
   */
  add({ cells, shares }, red, green, blue) {
    const { sums } = this;
    for (let n = 0; n < cells.length; n += 1) {
      const cell = cells[n];
      const share = shares[n];
      sums[cell] += share * red;
      sums[cell + 1] += share * green;
      sums[cell + 2] += share * blue;
    }
  }

  /** Turn the sums of light into a picture. The colour of each cell is kept; its brightness follows `GLOW_LOOKS`. */
  develop() {
    const { sums, picture } = this;
    const { data } = picture;
    for (let cell = 0, pixel = 0; cell < sums.length; cell += 3, pixel += 4) {
      const most = Math.max(sums[cell], sums[cell + 1], sums[cell + 2]);
      data[pixel + 3] = 0;
      if (!most) continue;
      const step = Math.min(STEPS - 1, Math.round((most / MOST) * (STEPS - 1)));
      for (let channel = 0; channel < 3; channel += 1) {
        data[pixel + channel] = 255 * SHARES[Math.round((255 * sums[cell + channel]) / most)];
      }
      data[pixel + 3] = 255 * GLOW_LOOKS[step];
    }
  }
}
