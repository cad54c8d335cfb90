import { resolve } from "node:path";
import type { Outcome } from "../../signal/tool.ts";
import { isInside } from "../../text/is-inside.ts";
import { isJsonObject } from "../../text/json.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { type EndNote, joinEndNotes, noEndNote } from "./end-note.ts";
import type { LineNetwork } from "./network.ts";
import type { Execution } from "./shell-ports.ts";

/** How a line ended: whether it failed, and what it said on standard error. */
export type LineEnd = { readonly failed: boolean; readonly errors: string };

/** What is said at the end of a line; `unseen`: of the programs that it did not see whole. */
export function tellEnd(
  { failed, errors }: LineEnd,
  { ports, overlay, given }: Pick<Execution, "ports" | "overlay" | "given">,
  { unseen, network }: { readonly unseen: EndNote; readonly network: LineNetwork },
): EndNote {
  const renamed = failed && overlay !== null && refusedRename.test(errors);
  const remote = failed && ports.sandbox !== null ? remoteOutside(errors, given) : null;
  const why = renamed ? howToMove(overlay.overlay) : remote === null ? noEndNote : unseenRemote(remote);
  return joinEndNotes([unseen, why, network.note(failed && why === noEndNote)], ports.mask);
}

/** How git says that it sees no repository at a path, which it was given as a remote. */
const noRepository =
  /^fatal: (?:'([^'\n]+)' does not appear to be a git repository|repository '([^'\n]+)' does not exist)/m;

/** The folder outside of the workspace that git took for a remote and did not see, as git names it. */
function remoteOutside(
  errors: string,
  { cwd, workspace }: Pick<Execution["given"], "cwd" | "workspace">,
): string | null {
  const [, named, cloned] = noRepository.exec(errors) ?? [];
  const remote = (named ?? cloned ?? "").replace(/^file:\/\//, "");
  if (workspace === null || !/^(?:\/|\.\.(?:\/|$))/.test(remote)) return null;
  const isOutside = (from: string): boolean => !isInside(workspace, resolve(from, remote));
  return isOutside(cwd) || isOutside(workspace) ? remote : null;
}

function unseenRemote(remote: string): EndNote {
  const note = `The remote ${remote} is a folder outside of the workspace, and commands do not see it: that is why git found no repository there, whatever it says of rights.`;
  const advice =
    "A network does not help. The owner runs this git command in a terminal, or starts passepartout in a folder that holds both repositories.";
  return { note, advice };
}

/** How programs say that the kernel refuses to rename something from one file system to another. */
const refusedRename = /\bEXDEV\b|cross-device link/i;
/** The same in the words of the system's libraries, which hardly anything else prints. */
const wholeWords = /Invalid cross-device link|EXDEV: cross-device link not permitted/i;

/**
 * Whether what a line printed says that a rename was refused: also where another program at its end hides how
 * it ended. What says so without being true costs the time of another run, and nothing else.
 */
export function saysRefusedRename(outcome: Outcome): boolean {
  if (outcome.status === "error" || !isJsonObject(outcome.content)) return false;
  const { stdout, stderr, exitCode } = outcome.content;
  return (exitCode === 0 ? wholeWords : refusedRename).test(`${String(stdout)}\n${String(stderr)}`);
}

/** What is said of it at the end, by what of the overlay had been copied so that it could be renamed. */
function howToMove({ copied }: Overlay): EndNote {
  if (copied?.areAll === true) return otherDisk;
  return copied === undefined ? notCopied : { ...notCopied, note: `${notCopied.note} ${leftOut}` };
}

/**
 * The file system of a copy renames no folder that was there before, and says so in the words for two disks.
 */
const notCopied: EndNote = {
  note: "The command renamed a folder that was there before. The copy in which commands run refuses that as if it lay on another disk; new folders and files can be renamed.",
  advice:
    "Use mv, which copies the folder: for `git mv OLD NEW`, `mv OLD NEW && git add -A OLD NEW`; in a program, what copies where a rename is refused, such as shutil.move in Python. A folder with a secret file in it only its owner can move.",
};

const leftOut =
  "It was run again from the start in a copy that renames folders: all but those with a secret file, a pipe or a socket in them, with what belongs to somebody else or its owner cannot read, and beyond 50,000 files or 1 GB.";

const otherDisk: EndNote = {
  note: "The command renamed something from one file system to another, such as from /tmp into the workspace: they are two for it.",
  advice: "Make it where it is to be, or use mv, which copies.",
};
