/** What could not be done, in a kebab-case code and in words for a person. */
export type ActProblem = { readonly ok: false; readonly code: string; readonly message: string };

/** The value of something that the world may refuse. */
export type Fallible<T> = { readonly ok: true; readonly value: T } | ActProblem;

/** A refusal as a value. */
export function problem(code: string, message: string): ActProblem {
  return { ok: false, code, message };
}

/** A success as a value. */
export function done<T>(value: T): Fallible<T> {
  return { ok: true, value };
}

/** Does the work; what the file system refuses becomes a problem that names the subject, anything else is a fault and throws. */
export async function catchFileErrors<T>(
  subject: string,
  work: () => Promise<Fallible<T>>,
): Promise<Fallible<T>> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusals.get(errorCode(error));
    if (refusal === undefined) throw error;
    return problem(refusal.code, `${subject}: ${refusal.words}.`);
  }
}

/** The errno name of an error of the system (`ENOENT`), or an empty text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

const denied = {
  code: "no-permission",
  words: "permission denied. Check the owner and mode of it and of its folder",
};
const swapped = {
  code: "changed-since-judged",
  words: "a symbolic link stands where none was when this was judged. Nothing was done; propose it again",
};

const refusals = new Map<string, { readonly code: string; readonly words: string }>([
  ["ENOENT", { code: "not-found", words: "there is no such file or folder. Check the path with list-files" }],
  [
    "ENOTDIR",
    {
      code: "not-a-folder",
      words: "a part of the path is a file, not a folder. Check the path with list-files",
    },
  ],
  ["EISDIR", { code: "is-a-folder", words: "this is a folder. Use list-files, or name a file in it" }],
  ["EACCES", denied],
  ["EPERM", denied],
  ["EROFS", { code: "read-only", words: "the file system is read-only. Choose another place" }],
  [
    "ENOSPC",
    { code: "disk-full", words: "the disk is full. The file is as it was; free some space and try again" },
  ],
  [
    "EDQUOT",
    {
      code: "disk-full",
      words: "the disk quota is used up. The file is as it was; free some space and try again",
    },
  ],
  [
    "EFBIG",
    { code: "too-large", words: "the file system refuses a file of this size. The file is as it was" },
  ],
  [
    "ENAMETOOLONG",
    { code: "invalid-path", words: "the name is too long for the file system. Choose a shorter one" },
  ],
  ["EILSEQ", { code: "invalid-path", words: "the file system refuses this name. Choose another one" }],
  ["ELOOP", swapped],
  ["EMFILE", { code: "too-many-open-files", words: "too many files are open. Try again in a moment" }],
  [
    "ENXIO",
    { code: "special-file", words: "this is a device, pipe or socket, not a file. Nothing was done" },
  ],
  ["EIO", { code: "disk-error", words: "the disk reported an error. Check it before going on" }],
]);
