import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { readWholeFile } from "../../../act/files/contents.ts";
import { errorCode } from "../../../act/files/fallible.ts";
import { deadLink, isThere } from "../../../act/files/read-own-file.ts";
import type { LabelRules } from "../../../memory/notes/labels/labelled-index.ts";
import type { Policy } from "../../../settings/policy.ts";
import { notesFolders } from "../../../signal/facts.ts";
import { isInside } from "../../../text/is-inside.ts";

/** What reading a file for the prompt needs. `report` tells the owner why a file was left out. */
export type PromptFileParts = {
  readonly policy: Pick<Policy, "folders" | "notesPlace" | "config" | "isSecretPath">;
  readonly labels: LabelRules;
  readonly report: (message: string) => void;
};

/** The largest file that stands in the prompt, in bytes. */
const maxBytes = 64 * 1024;

/**
 * The owner's words on who the agent is: `identity.org` of the notes folder, else of the configuration folder. It goes through the same door as a file
 * that a tool reads: real path, secret paths, label and size. A file that may not be shown is reported, and the prompt stands without it.
 */
export async function readIdentity(parts: PromptFileParts): Promise<string> {
  const { folders, config } = parts.policy;
  for (const folder of [folders.notes, config.places.configuration]) {
    const path = join(folder, "identity.org");
    const read = await readPromptFile(path, parts).catch((error: unknown) => {
      return { problem: error instanceof Error ? error.message : String(error) };
    });
    if (read === null) continue;
    if ("text" in read) return read.text;
    parts.report(`${path} is left out of the prompt: ${read.problem}`);
    return "";
  }
  return "";
}

type PromptFile = { readonly text: string } | { readonly problem: string };

/** Null where there is no such file. */
async function readPromptFile(path: string, parts: PromptFileParts): Promise<PromptFile | null> {
  const real = await realpath(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  });
  if (real === null) return (await isThere(path)) ? { problem: deadLink } : null;
  const place = await placeProblem(path, real, parts.policy);
  if (place !== null) return { problem: place };
  const read = await readWholeFile(real, maxBytes);
  if (!read.ok)
    return {
      problem:
        read.code === "too-large"
          ? `it is larger than ${maxBytes.toLocaleString("en")} bytes. Shorten it.`
          : read.message,
    };
  if (read.value === null) return null;
  const { labelOfFile } = await import("../../../memory/notes/labels/label-of-file.ts");
  const { label } = await labelOfFile(real, read.value.bytes, {
    ...parts.labels,
    notes: parts.policy.notesPlace,
  });
  if (label.secrecy !== "public")
    return {
      problem: `its text is ${label.secrecy}, and each provider gets it. Take out what is ${label.secrecy}.`,
    };
  if (label.integrity === "untrusted")
    return { problem: "it holds words of others, and it would instruct the model. Write it yourself." };
  return { text: new TextDecoder().decode(read.value.bytes) };
}

/** Why a file in this place may not be shown; null where it may. Others may write into a notes folder that is shared, so a link there leads to notes only. */
async function placeProblem(
  path: string,
  real: string,
  { folders, config, isSecretPath }: PromptFileParts["policy"],
): Promise<string | null> {
  const own = join(await realpath(config.places.configuration).catch(() => ""), "identity.org");
  const isOwners = real === own;
  const inOwn = folders.own.some((folder) => isInside(folder, real));
  if (isSecretPath(real) || (inOwn && !isOwners))
    return `it is a link to ${real}, which is secret. Replace the link by a file.`;
  const notes = await Promise.all(
    notesFolders(folders).map((folder) => realpath(folder).catch(() => folder)),
  );
  if (isInside(folders.notes, path) && !notes.some((folder) => isInside(folder, real)))
    return `it is a link to ${real}, outside the notes folders. Copy the file into the notes folder.`;
  const found = await stat(real);
  return found.isFile() && found.nlink > 1
    ? "the same file has another name elsewhere (a hard link). Replace it by a copy."
    : null;
}
