import { brokenSyntax } from "../syntax/broken-syntax.ts";
import type { ScriptParser } from "../syntax/script-syntax.ts";
import { textOf } from "./text-of.ts";

/** A parser, and what it said of files before. */
type SyntaxParts = { readonly parser: ScriptParser; readonly parsed: Map<string, string | null> };

/** What is wrong with a file that was valid before, as with an edit of it; null where nothing is. */
export async function breakage(
  target: string,
  before: string | null,
  { incoming, judging }: { readonly incoming: string; readonly judging: SyntaxParts },
): Promise<string | null> {
  const { parsed, parser } = judging;
  const known = parsed.get(target);
  if (known !== undefined || before === null) return known ?? null;
  const [old, after] = [Buffer.from(before, "latin1"), textOf(incoming)];
  const breaks =
    after === null ? null : await brokenSyntax(target, old, Buffer.from(after, "latin1"), parser);
  parsed.set(target, breaks);
  return breaks;
}
