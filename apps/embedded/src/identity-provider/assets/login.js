// The page works without any of this.
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
    // A second press would send the password twice and count as two attempts.
    if (submit.ariaBusy === 'true') return event.preventDefault();
    for (const secret of secrets) secret.querySelector('input').type = 'password';
    submit.ariaBusy = 'true';
    submit.querySelector('.label').textContent = submit.dataset.busy;
  });
  // The browser brings the page back as it was left when people go back.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    submit.ariaBusy = null;
    submit.querySelector('.label').textContent = submit.dataset.label;
  });
}

// The portal shall speak the language that was chosen here.
for (const link of document.querySelectorAll('[data-language]')) {
  link.addEventListener('click', () => {
    try {
      localStorage.setItem('language', link.dataset.language);
    } catch {
      // The choice then holds for these pages only.
    }
  });
}
