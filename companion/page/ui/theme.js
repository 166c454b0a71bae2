// @ts-check
/**
 * Theme of this device. This script is not a module, so that the theme is set before the page is painted. The
 * system's theme is used until the user chooses one. Then "light" or "dark" is stored, and a "theme" event is
 * dispatched.
 */

{
  const THEME_COLOURS = { light: "#f1e8d8", dark: "#120d09" };
  const light = matchMedia("(prefers-color-scheme: light)");

  const chosen = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // The browser refuses access to its storage.
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
