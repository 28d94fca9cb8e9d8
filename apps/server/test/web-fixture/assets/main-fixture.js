document.title = 'fixture';
