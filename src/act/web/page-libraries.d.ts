/** The part of linkedom that is used here. Its own types need those of a browser, which this program has not. */
declare module "linkedom" {
  export function parseHTML(html: string): { readonly document: import("./page-document.ts").PageDocument };
}

/** The part of Turndown's browser build that is used here. That build takes the nodes of any DOM; the other one brings a DOM of its own. */
declare module "turndown/lib/turndown.browser.cjs.js" {
  type Node = import("./page-document.ts").PageElement;
  type Rule = {
    readonly filter: readonly string[] | ((node: Node) => boolean);
    readonly replacement: (content: string, node: Node) => string;
  };
  class TurndownService {
    constructor(options: Readonly<Record<string, string>>);
    escape: (text: string) => string;
    addRule(name: string, rule: Rule): this;
    turndown(node: Node): string;
  }
  export = TurndownService;
}
