import { done, type Fallible, problem } from "./fallible.ts";
import type { EditorBuffers } from "./present-file.ts";
import { type FileReplacement, type Replaced, replaceFile } from "./replace.ts";

/** How often a change that counts for any contents is tried again in a buffer that is typed in. */
const mostTries = 5;

/**
 * Changes a file, or, where buffers are given, the buffer that has unsaved changes of it: as a whole or not
 * at all, with its pre-image kept first.
 */
export async function replacePresent(
  change: FileReplacement,
  buffers: EditorBuffers | undefined,
): Promise<Fallible<Replaced>> {
  const { path, before, after, keepPreImage } = change;
  if (buffers === undefined) return replaceFile(change);
  if (before === null || after === null)
    return problem(
      "locked",
      `${path}: it has unsaved text in Emacs, which cannot be made or deleted from here. Save or kill the buffer, and try again`,
    );
  await keepPreImage({ path, before, after, mode: null });
  let [from, to] = [before, after];
  for (let tries = 1; ; tries += 1) {
    const made = await buffers.replace({ path, before: from, after: to });
    if (made.ok) return done({ before: from, after: to });
    if (made.code !== "conflict" || change.carryOver === undefined || tries === mostTries) return made;
    const now = await buffers.read(path);
    if (now === null) return problem("locked", `Emacs does not tell what the buffer of ${path} holds`);
    const wanted = change.carryOver(now);
    if (!wanted.ok) return wanted;
    if (wanted.value === null) return made;
    [from, to] = [now, wanted.value];
  }
}
