import type { Json, JsonObject } from "../text/json.ts";

/**
 * Asks for the tree of one thing: of an Org file, of a note by its id, or of a text. A tree comes page by
 * page; `cursor` is where a page ended, and `limit` how many nodes a page has at most. Nobody types this.
 */
export type OrgTreeRequest = {
  readonly kind: "org-ast";
  readonly file: string | null;
  readonly node: string | null;
  readonly text: string | null;
  readonly cursor: string | null;
  readonly limit: number | null;
};

/** The request that a message of a client is. */
export function orgTreeRequestOf({ file, node, text, cursor, limit }: JsonObject): OrgTreeRequest {
  return {
    kind: "org-ast",
    file: textOrNull(file),
    node: textOrNull(node),
    text: textOrNull(text),
    cursor: textOrNull(cursor),
    limit: typeof limit === "number" ? limit : null,
  };
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
