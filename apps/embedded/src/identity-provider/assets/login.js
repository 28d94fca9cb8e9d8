// Progressive enhancement: the page works without this script.
const form = document.querySelector('form');
const submit = document.querySelector('.submit');

const secrets = document.querySelectorAll('.secret');

for (const secret of secrets) {
  const field = secret.querySelector('input');
  const reveal = secret.querySelector('.reveal');
  reveal.hidden = false;
  reveal.addEventListener('click', () => {
    const shown = field.type === 'password';
    field.type = shown ? 'text' : 'password';
    reveal.setAttribute('aria-pressed', String(shown));
  });
}

if (form) {
  form.addEventListener('submit', (event) => {
    // Prevents a double submit, which would count as two attempts.
    if (submit.ariaBusy === 'true') return event.preventDefault();
    for (const secret of secrets) secret.querySelector('input').type = 'password';
    submit.ariaBusy = 'true';
  });
  // After going back, the browser restores the page as it was left (bfcache).
  addEventListener('pageshow', (event) => {
    if (event.persisted) submit.ariaBusy = null;
  });
}

// Stores the chosen language for the portal.
for (const link of document.querySelectorAll('[data-language]')) {
  link.addEventListener('click', () => {
    try {
      localStorage.setItem('language', link.dataset.language);
    } catch {
      // Storage is blocked: the choice applies to these pages only.
    }
  });
}
