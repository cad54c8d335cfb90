import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { resolveLinks } from "../settings/user-folders.ts";
import { describeError } from "../text/describe-error.ts";
import { isInside } from "../text/is-inside.ts";
import { systemPath } from "../text/system-programs.ts";
import type { EditedText } from "../tui/prompt/edited-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Has the owner edit a text in the editor that VISUAL or EDITOR names: in a file that only they can read,
 * which is removed afterwards. A program of the workspace (with links resolved; null for none) is no editor
 * of theirs.
 */
export async function editText(
  text: string,
  environment: Environment,
  workspace: string | null,
): Promise<EditedText> {
  const editor = environment["VISUAL"] || environment["EDITOR"] || "";
  if (editor === "") return unchanged("no editor is set. Name one in VISUAL or EDITOR.");
  let folder = "";
  try {
    folder = mkdtempSync(join(tmpdir(), "passepartout-"));
    const path = join(folder, "message.md");
    writeFileSync(path, text === "" ? "" : `${text}\n`, { mode: 0o600 });
    const PATH = editorPath(environment, workspace);
    const code = await runEditor(editor, path, { ...environment, PATH });
    if (code !== 0) return unchanged(`${editor} ended with code ${code ?? "none"}.`);
    return { ok: true, text: readFileSync(path, "utf8").replace(/\n+$/, "") };
  } catch (error) {
    return unchanged(describeError(error));
  } finally {
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
  }
}

function unchanged(why: string): EditedText {
  return { ok: false, reason: `The text is as it was: ${why}` };
}

/** The name of an editor may have options, as a shell reads them. */
function runEditor(editor: string, path: string, env: Environment): Promise<number | null> {
  const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", path], { env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}

/** The system's folders, and then the owner's own, wherever links lead. */
function editorPath(environment: Environment, workspace: string | null): string {
  const own = (environment["PATH"] ?? "").split(":").filter((folder) => isAbsolute(folder));
  const isTheirs = (folder: string): boolean =>
    workspace !== null && (isInside(workspace, folder) || isInside(workspace, resolveLinks(folder)));
  return [systemPath, ...own.filter((folder) => !isTheirs(folder))].join(":");
}
