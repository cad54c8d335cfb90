import { findPathProblem } from "./archive-path.ts";
import { ArchiveProblem } from "./archive-problem.ts";
import { readTarball, type UnpackedFile } from "./read-tarball.ts";
import { readZip } from "./read-zip.ts";

/** The files of an archive, or in words why none of them is taken. */
export type Unpacked =
  | { readonly ok: true; readonly files: readonly UnpackedFile[] }
  | { readonly ok: false; readonly problem: string };

/** Unpacks an archive of a stranger (tar.gz or zip) into memory, whole or not at all: nothing but plain files, inside of the folder, and no more than a skill may have. */
export function unpackArchive(bytes: Buffer): Unpacked {
  const read = readerOf(bytes);
  if (read === null) return { ok: false, problem: "it is neither a zip nor a tar.gz file" };
  try {
    const files = read(bytes);
    const problem = findPathProblem(files.map(({ path }) => path));
    return problem === null ? { ok: true, files } : { ok: false, problem };
  } catch (error) {
    if (error instanceof ArchiveProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

function readerOf(bytes: Buffer): ((bytes: Buffer) => readonly UnpackedFile[]) | null {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return readTarball;
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? readZip : null;
}
