// @ts-check
/**
 * QR codes of the addresses of the table's pages.
 */

/**
 * @param {string} side whose score pad it opens; "": the board's page
 * @param {string} words alternative text
 */
export function codeImage(side, words) {
  return image(side && `side=${side}`, words);
}

/**
 * @param {URLSearchParams} hand the query of the hand's address
 * @param {string} words alternative text
 */
export function handCode(hand, words) {
  return image(`${hand}`, words);
}

/**
 * @param {string} query
 * @param {string} words alternative text
 */
function image(query, words) {
  const code = document.createElement("img");
  Object.assign(code, { className: "code", src: `/qr.svg${query && `?${query}`}`, alt: words });
  return code;
}
