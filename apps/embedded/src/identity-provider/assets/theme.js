// The choice made in the portal; without one the style sheet follows the system.
(() => {
  try {
    const mode = localStorage.getItem('color-mode');
    if (mode === 'light' || mode === 'dark') document.documentElement.dataset.theme = mode;
  } catch {
    // Storage can be refused; the system's mode holds then.
  }
})();
