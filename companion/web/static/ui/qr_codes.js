// @ts-check
/**
 * QR codes of the addresses of the table's pages.
 */

/**
 * @param {string} side whose score pad it opens; "": the board's page
 * @param {string} words alternative text
 */
export function codeImage(side, words) {
  const image = document.createElement("img");
  Object.assign(image, { className: "code", src: `/qr.svg${side && `?side=${side}`}`, alt: words });
  return image;
}
