// jsdom matches the rules of its own style sheet with an element again after each change of the document, which took a seventh of the time of
// all screen tests. Tests load no style sheets: what applies depends on the element's name, a few attributes and its inline style.
const computedByJsdom = window.getComputedStyle.bind(window);
const displays = new Map<string, string>();

function defaultDisplay(element: Element): string {
  const states = ['hidden', 'open', 'popover'].filter((name) => element.hasAttribute(name));
  const kind = [element.localName, element.getAttribute('type') === 'hidden', ...states].join();
  const display = displays.get(kind) ?? computedByJsdom(element.cloneNode() as Element).display;
  displays.set(kind, display);
  return display;
}

function inline(element: Element, property: string): string {
  return element.hasAttribute('style') ? (Reflect.get((element as HTMLElement).style, property) ?? '') : '';
}

function inherited(element: Element | null, property: string): string {
  return element === null ? '' : inline(element, property) || inherited(element.parentElement, property);
}

function computed(element: Element, property: string): string {
  if (property === 'display') return inline(element, property) || defaultDisplay(element);
  if (property === 'visibility') return inherited(element, property) || 'visible';
  if (property === 'pointerEvents') return inherited(element, property) || 'auto';
  return inline(element, property);
}

window.getComputedStyle = (element) =>
  new Proxy({} as CSSStyleDeclaration, {
    get(_style, property) {
      if (property !== 'getPropertyValue') return computed(element, String(property));
      return (name: string) => (name.startsWith('--') ? computedByJsdom(element).getPropertyValue(name) : computed(element, name));
    },
  });
