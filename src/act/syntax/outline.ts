import { kindOfLanguage, languageOfFile } from "./languages.ts";
import { lispDeclarations, lispProblem } from "./lisp-syntax.ts";
import type { Declaration } from "./script-declarations.ts";

/** What a file declares, or where it is wrong, in words; null where no parser here reads it. */
export type Outline =
  | { readonly ok: true; readonly declarations: readonly Declaration[] }
  | { readonly ok: false; readonly problem: string }
  | null;

/** The declarations of TypeScript, JavaScript and Lisp, by the ending of the file. */
export async function outlineOf(path: string, text: string): Promise<Outline> {
  const kind = kindOfLanguage(languageOfFile(path));
  if (kind === null || kind === "json") return null;
  if (kind !== "script" && kind !== "markup") {
    const problem = lispProblem(text, kind);
    return problem === null
      ? { ok: true, declarations: lispDeclarations(text, kind) }
      : { ok: false, problem };
  }
  const { parseScripts } = await import("./script-syntax.ts");
  const [parsed] = await parseScripts([text], kind === "markup");
  if (parsed?.kind === "script") return { ok: true, declarations: parsed.declarations };
  if (parsed?.kind !== "wrong") return { ok: false, problem: "the parser could not read it" };
  return { ok: false, problem: `it is no TypeScript at line ${parsed.line}, column ${parsed.column}` };
}
