// @ts-check
/**
 * The theme of this device. It is set before the page is painted, so this is no module. It is the
 * system's theme until the user chooses one; then "light" or "dark" is stored and "theme" dispatched.
 */

{
  const THEME_COLOURS = { light: "#f1e8d8", dark: "#120d09" };
  const light = matchMedia("(prefers-color-scheme: light)");

  const chosen = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // A browser may store nothing.
    }
  };

  const apply = () => {
    const theme = (chosen() || (light.matches && "light")) === "light" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", THEME_COLOURS[theme]);
  };

  light.addEventListener("change", apply);
  for (const name of ["storage", "theme"]) addEventListener(name, apply);
  apply();
}
