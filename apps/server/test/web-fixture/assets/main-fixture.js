document.title = "fixture";
