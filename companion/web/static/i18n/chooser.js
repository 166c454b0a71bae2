// @ts-check
/**
 * The choice of this device's language, in every `select` of a document that asks for it.
 */

const COOKIE = "cribwars-language";
const YEAR_S = 365 * 24 * 3600;

/**
 * Offer the languages of the table.
 *
 * @param {Record<string, string>} languages the name of each in itself
 * @param {string} language the one of this page
 */
export function offerLanguages(languages, language) {
  for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (
    document.querySelectorAll("select[data-languages]")
  )) {
    select.replaceChildren(
      ...Object.entries(languages).map(([code, name]) => {
        const option = new Option(name, code, false, code === language);
        option.lang = code;
        return option;
      }),
    );
    select.onchange = () => choose(select.value);
  }
}

/** @param {string} language */
function choose(language) {
  document.cookie = `${COOKIE}=${language}; path=/; max-age=${YEAR_S}; SameSite=Lax`;
  location.reload();
}
