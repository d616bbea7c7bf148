// Light or dark as the user chose, before anything is painted.
(() => {
  document.documentElement.classList.add("scripted");
  try {
    const chosen = localStorage.getItem("loatune-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Without storage the system's choice holds.
  }
})();
