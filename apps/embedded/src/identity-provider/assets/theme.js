// The choice made in the portal. Without one, the style sheet follows the system.
(() => {
  try {
    const mode = localStorage.getItem('color-mode');
    if (mode === 'light' || mode === 'dark') document.documentElement.dataset.theme = mode;
  } catch {
    // Storage is blocked: the system's mode applies.
  }
})();
