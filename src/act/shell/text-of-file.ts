import { identify } from "../files/identify.ts";

/**
 * The text of a regular file; null for anything else, which could keep its reader waiting, and for one that
 * is too large.
 */
export async function textOfFile(path: string): Promise<string | null> {
  const found = await identify(path, { mayRead: true });
  return found === null || found.bytes === null ? null : new TextDecoder().decode(found.bytes);
}
