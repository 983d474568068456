import { legible } from '../../domain/legible.ts';

type Child = Node | string | undefined | false;

/** Makes an element. Strings become text, never markup, and hide nothing: what has no look is spelled out. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children) {
    if (child === undefined || child === false) continue;
    made.append(typeof child === 'string' ? legible(child) : child);
  }
  return made;
}

/** The element of the page with this id. */
export function byId<Kind extends HTMLElement>(
  id: string,
  kind: abstract new (...args: never) => Kind,
): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}
