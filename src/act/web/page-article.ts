import { Readability } from "@mozilla/readability";
import { type PageDocument, type PageElement, parsePage } from "./page-document.ts";
import { oneLine, toMarkdown } from "./to-markdown.ts";

/** The main text of a page as Markdown with absolute links. */
export type Article = { readonly title: string; readonly text: string };

const menus = "nav, [role=navigation], [hidden]";
const surroundings = `${menus}, header, footer, aside, [role=banner], [role=contentinfo]`;

/** A find with less of a page's text than this is one part among many: the page is a list or an index and has no article. */
const leastShare = 0.3;

/** Menus are kept where the rest of a page has less than this share of its text. */
const leastRest = 0.1;

/**
 * Finds the main text of a page with Readability and writes it as Markdown. A page without an article gives all its text but menus, header and footer.
 * Hostile pages take more than linear time or make it throw: run it where it can be ended.
 */
export function readArticle(html: string, url: string): Article {
  const page = parsePage(html, url);
  const title = oneLine(page.querySelector("title")?.textContent ?? "");
  removeUnlessMost(page, menus);
  const least = leastShare * lengthWithout(page.body, surroundings);
  const article = new Readability(page, {}).parse();
  const content = article?.content ?? "";
  if (content !== "" && (article?.textContent?.length ?? 0) >= least)
    return { title, text: toMarkdown(parsePage(content, url).body) };
  const whole = parsePage(html, url);
  removeUnlessMost(whole, surroundings);
  return { title, text: toMarkdown(whole.body) };
}

function removeUnlessMost({ body }: PageDocument, parts: string): void {
  if (lengthWithout(body, parts) < leastRest * lengthOf(body)) return;
  for (const element of outermost(body, parts)) element.remove();
}

function lengthWithout(body: PageElement, parts: string): number {
  return outermost(body, parts).reduce((length, element) => length - lengthOf(element), lengthOf(body));
}

/** The elements of these kinds that are in no other of them. */
function outermost(body: PageElement, parts: string): readonly PageElement[] {
  return [...body.querySelectorAll(parts)].filter(
    (element) => (element.parentNode?.closest(parts) ?? null) === null,
  );
}

function lengthOf(element: PageElement): number {
  return (element.textContent ?? "").replace(/\s+/g, " ").length;
}
