import { createReadStream } from "node:fs";
import { join } from "node:path";
import { bytesOfPath } from "../../files/byte-names.ts";
import type { SecretAnswers } from "../../shell/secret-answers.ts";
import { walkEntries } from "../../trial/fingerprint.ts";

/** Characters before a piece of a file in which an answer may begin. */
const overlap = 8_192;

/** A file below a folder that holds, in its bytes or its name, what the owner answered to a program in secret; null where none does. */
export async function findKeptAnswer(folder: string, answers: SecretAnswers): Promise<string | null> {
  if (answers.isEmpty) return null;
  for await (const { inside, status } of walkEntries(folder)) {
    if (answers.isIn(inside)) return inside;
    if (!status.isFile()) continue;
    let before = "";
    for await (const piece of createReadStream(bytesOfPath(join(folder, inside)), "utf8")) {
      const text = before + String(piece);
      if (answers.isIn(text)) return inside;
      before = text.slice(-overlap);
    }
  }
  return null;
}
