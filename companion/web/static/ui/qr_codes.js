// @ts-check
/**
 * Codes for a phone's camera: what the table's pages are called in the network.
 */

/**
 * @param {string} side whose score pad it opens; "": the board's page
 * @param {string} words for who cannot see it
 */
export function codeImage(side, words) {
  const image = document.createElement("img");
  Object.assign(image, { className: "code", src: `/qr.svg${side && `?side=${side}`}`, alt: words });
  return image;
}
