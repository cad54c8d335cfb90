import { existsSync, readFileSync, realpathSync } from "node:fs";
import { changeAlone } from "./change-alone.ts";
import { type EnvChanges, editEnvText } from "./edit-env-text.ts";
import { readEnvText } from "./env-file.ts";
import { replaceFile } from "./replace-file.ts";

const byteOrderMark = "\ufeff";

/** The byte order mark with which a file begins; empty where it begins with none. */
function markOf(path: string): string {
  return existsSync(path) && readFileSync(path, "utf8").startsWith(byteOrderMark) ? byteOrderMark : "";
}

/** Changes settings in a `.env` file, which need not exist. All other lines stay, byte for byte; a link stays one. Throws where the file cannot be changed so. */
export async function changeEnvFile(path: string, changes: EnvChanges): Promise<void> {
  const real = existsSync(path) ? realpathSync(path) : path;
  await changeAlone(real, () => {
    const before = readEnvText(real);
    const after = editEnvText(before, changes, path);
    if (after !== before) replaceFile(real, `${markOf(real)}${after}`);
  });
}
