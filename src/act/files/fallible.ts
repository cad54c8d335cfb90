import { getSystemErrorMap } from "node:util";
import { noPermission } from "../../signal/no-permission.ts";

/** The reason why something could not be done: a kebab-case code and a message for a person. */
export type ActProblem = { readonly ok: false; readonly code: string; readonly message: string };

/** The result of an operation that may be refused: the value, or the problem. */
export type Fallible<T> = { readonly ok: true; readonly value: T } | ActProblem;

/** Makes a problem. */
export function problem(code: string, message: string): ActProblem {
  return { ok: false, code, message };
}

/** Makes a successful result. */
export function done<T>(value: T): Fallible<T> {
  return { ok: true, value };
}

/** Does the work. An error of the file system becomes a problem that names the subject; any other error is thrown. */
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

/** What an error of the file system means, and what to do next; null for any other error. */
export function fileErrorWords(error: unknown): string | null {
  return refusals.get(errorCode(error))?.words ?? null;
}

/**
 * The same for what a program of the system printed, which ends with the system's own words. Its names of
 * files are left out: they may be descriptors and drafts of ours.
 */
export function programErrorWords(printed: string): string {
  const [line = ""] = printed.trim().split("\n");
  const reason = line.slice(line.lastIndexOf(": ") + 1).trim();
  for (const [code, words] of getSystemErrorMap().values())
    if (words === reason.toLowerCase()) return refusals.get(code)?.words ?? reason;
  return reason === "" ? "a program of the system failed without a word" : reason;
}

/** Whether the system refused something, as to read a file: no fault of this program. */
export function isSystemFault(error: unknown): boolean {
  return errorCode(error) !== "" && error instanceof Error && "syscall" in error;
}

/** The errno name of a system error (`ENOENT`), or an empty text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

const denied = {
  code: noPermission,
  words: "permission denied. Check the owner and mode of the file and of its folder",
};
const swapped = {
  code: "changed-since-judged",
  words: "a symbolic link appeared in the path after this was judged. Nothing was done; propose it again",
};

const failing = {
  code: "disk-error",
  words: "the disk or its mount reported an error. Check the disk before you go on",
};

const refusals = new Map<string, { readonly code: string; readonly words: string }>([
  ["ENOENT", { code: "not-found", words: "there is no such file or folder. Check the path with list-files" }],
  [
    "ENOTDIR",
    {
      code: "not-a-folder",
      words: "part of the path is a file, not a folder. Check the path with list-files",
    },
  ],
  ["EISDIR", { code: "is-a-folder", words: "this is a folder. Use list-files, or name a file in it" }],
  ["EACCES", denied],
  ["EPERM", denied],
  [
    "EROFS",
    { code: "read-only", words: "the file system is read-only. Mount it writable, or choose another place" },
  ],
  [
    "ENOSPC",
    { code: "disk-full", words: "the disk is full. Nothing was written; free some space and try again" },
  ],
  [
    "EDQUOT",
    {
      code: "disk-full",
      words: "the disk quota is used up. Nothing was written; free some space and try again",
    },
  ],
  [
    "EFBIG",
    {
      code: "too-large",
      words:
        "no file of this size is allowed here, by a limit (ulimit -f) or by the file system. Nothing was written",
    },
  ],
  [
    "ENAMETOOLONG",
    { code: "invalid-path", words: "the name is too long for the file system. Choose a shorter name" },
  ],
  [
    "EILSEQ",
    { code: "invalid-path", words: "the file system does not allow this name. Choose another name" },
  ],
  ["ELOOP", swapped],
  ["EMFILE", { code: "too-many-open-files", words: "too many files are open. Try again in a moment" }],
  [
    "ENXIO",
    { code: "special-file", words: "this is a device, pipe or socket, not a file. Nothing was done" },
  ],
  ["EIO", failing],
  // What mounts say that lost their server, and files of the kernel that have nothing to give.
  ...["ENOTCONN", "ESTALE", "EHOSTDOWN", "ETIMEDOUT", "EREMOTEIO", "ENODEV", "EINVAL", "EOVERFLOW"].map(
    (name) => [name, failing] as const,
  ),
]);
