// @ts-check
/**
 * The board on the whole screen, where the browser can: for a television beside the table.
 */

const button = document.getElementById("full");
if (button && document.fullscreenEnabled) {
  button.hidden = false;
  button.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  });
  document.addEventListener("fullscreenchange", () => {
    button.setAttribute("aria-pressed", `${document.fullscreenElement !== null}`);
  });
}
