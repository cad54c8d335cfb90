import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { UnpackedFile } from "../../skills/archives/read-tarball.ts";

/** Writes a folder beside its place, and puts it there as a whole. No file of it can be run. */
export function putFolder(place: string, files: readonly UnpackedFile[]): void {
  const beside = join(dirname(place), `.${basename(place)}.${randomUUID()}`);
  try {
    for (const { path, bytes } of files) {
      mkdirSync(dirname(join(beside, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(beside, path), bytes, { flag: "wx", mode: 0o600 });
    }
    if (existsSync(place)) renameSync(place, `${beside}.old`);
    renameSync(beside, place);
  } finally {
    rmSync(beside, { recursive: true, force: true });
    rmSync(`${beside}.old`, { recursive: true, force: true });
  }
}
