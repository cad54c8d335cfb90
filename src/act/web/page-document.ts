import { parseHTML } from "linkedom";

/** The part of the DOM that is used here. */
export type PageElement = {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentNode: PageElement | null;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
  readonly removeAttribute: (name: string) => void;
  readonly remove: () => void;
  readonly closest: (selector: string) => PageElement | null;
  readonly querySelector: (selector: string) => PageElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
};

/** A page as a tree. */
export type PageDocument = PageElement & { readonly body: PageElement };

/** What linkedom does not add by itself. Bounded, so that a tag without an end costs little. */
const frame = /<!doctype[^>]{0,500}>|<\/?(?:html|head|body)(?:\s[^>]{0,2000})?>/gi;

/** Parses a page. Links and images get absolute addresses; what is not text for a person is left out. */
export function parsePage(html: string, url: string): PageDocument {
  const isWhole = /<html[\s>]/i.test(html) && /<body[\s>]/i.test(html);
  const whole = isWhole ? html : `<html><head></head><body>${html.replace(frame, "")}</body></html>`;
  const { document } = parseHTML(whole);
  for (const element of document.querySelectorAll(neverText)) element.remove();
  const base = absolute(document.querySelector("base[href]")?.getAttribute("href") ?? "", url) ?? url;
  resolveAttribute(document, "href", base);
  resolveAttribute(document, "src", base);
  return document;
}

const neverText = "script, style, noscript, template, svg, iframe, object, embed, input, select, button";

/** A link within the page loses its address: it leads nowhere from here. */
function resolveAttribute(document: PageDocument, name: string, base: string): void {
  for (const element of document.querySelectorAll(`[${name}]`)) {
    const given = element.getAttribute(name) ?? "";
    const address = given.startsWith("#") ? null : absolute(given, base);
    if (address === null) element.removeAttribute(name);
    else element.setAttribute(name, address);
  }
}

/** The absolute form of an address that can be fetched or written to; null for any other, such as `javascript:` or `data:`. */
function absolute(address: string, base: string): string | null {
  const url = URL.parse(address, base);
  return url !== null && /^(?:https?|mailto|tel|ftp):$/.test(url.protocol) ? url.href : null;
}
