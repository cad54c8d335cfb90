import type { JsonObject } from "../../text/json.ts";
import { syntaxProblem } from "../syntax/broken-syntax.ts";

/** What a result says of contents that the parser of the file's kind cannot read; nothing of others. The gate `syntax` blocks only what breaks a valid file. */
export async function writtenProblem(path: string, after: Uint8Array | null): Promise<JsonObject> {
  const problem = after === null ? null : await syntaxProblem(path, after);
  return problem === null ? {} : { problem: `The file was written, and it does not parse: ${problem}.` };
}
