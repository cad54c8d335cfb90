import type { DeletePath, Effect, ReadPath, WritePath } from "../signal/effect.ts";
import { type Folders, notesFolders } from "../signal/facts.ts";
import { isBuildOutput } from "../text/build-output.ts";
import { isMaybeCertificates } from "../text/certificates.ts";
import { countOf } from "../text/count-of.ts";
import { isInside } from "../text/is-inside.ts";
import { executedLaterRule, isRepositoryData } from "../text/later/executed-later.ts";
import { shadowedModule } from "../text/later/python-modules.ts";
import { oneLine } from "../text/visible.ts";
import type { GateAnswer } from "./answer.ts";
import type { Gate } from "./judge.ts";
import { isInsideFolded, pathProblem } from "./path.ts";
import { secretPathRule } from "./secret-path.ts";

type PathEffect = ReadPath | WritePath | DeletePath;

/**
 * The owner gate of paths. The workspace and the notes pass. Elsewhere, names may be read and everything else
 * asks. Secret paths and the agent's own folders block, but the owner's undo takes a secret file away that a
 * command made. Targets are real paths, resolved when the action was prepared.
 */
export const paths: Gate = {
  name: "paths",
  priority: 500,
  revision: 14,
  answer(effect, { action, folders }) {
    if (!isPathEffect(effect)) return { result: "not-concerned" };
    const isKept = action.kind === "command" && effect.kind !== "read-path" && effect.isKept === true;
    return forbidden(effect, folders, isKept) ?? allowed(effect, folders);
  },
};

function isPathEffect(effect: Effect): effect is PathEffect {
  return effect.kind === "read-path" || effect.kind === "write-path" || effect.kind === "delete-path";
}

function forbidden(effect: PathEffect, folders: Folders, isKept: boolean): GateAnswer | null {
  const target = oneLine(effect.target);
  const block = (code: string, reason: string): GateAnswer => ({ result: "block", code, reason });
  const problem = pathProblem(effect.target, isKept);
  if (problem !== null) return block("malformed-path", `the path ${target} ${problem}`);
  const own = folders.own.find(
    (folder) =>
      isInsideFolded(folder, effect.target) && (effect.kind !== "read-path" || !isReadable(folder, folders)),
  );
  if (own !== undefined) {
    return block("own-folder", `${target} belongs to the agent itself, and no action may ${verb(effect)} it`);
  }
  if (effect.kind === "delete-path" && holdsOneOf(effect.target, folders.own)) {
    return block("own-folder", `${target} holds folders of the agent itself, and no action may delete it`);
  }
  if (effect.kind === "delete-path" && isInsideFolded(effect.target, folders.home)) {
    return block("delete-home", `${target} is or holds your home folder, and no action may delete it`);
  }
  const secret = isKept && effect.kind === "delete-path" ? null : secretPathRule(effect.target, folders.home);
  if (secret === null || folders.notSecret?.some((path) => isInside(path, effect.target)) === true)
    return null;
  if (effect.kind !== "read-path" && effect.certificates === true && isByEnding(effect.target, folders.home))
    return null;
  return block("secret-path", `${target} is a secret path (${secret}), and no action may ${verb(effect)} it`);
}

/** Whether a target is secret by its ending alone, which public certificates have as well. */
function isByEnding(target: string, home: string): boolean {
  return isMaybeCertificates(target, (path) => secretPathRule(path, home) !== null);
}

function allowed(effect: PathEffect, folders: Folders): GateAnswer {
  const place = placeOf(effect.target, folders);
  switch (effect.kind) {
    case "read-path":
      return reading(effect, folders, place);
    case "write-path":
      return writing(effect, folders, place);
    case "delete-path":
      return deleting(effect, folders, holdsOneOf(effect.target, homes(folders)) ? null : place);
  }
}

/** The folders whose files the agent may read and change. */
function homes(folders: Folders): readonly string[] {
  return [...(folders.workspace === null ? [] : [folders.workspace]), ...notesFolders(folders)];
}

function placeOf(target: string, folders: Folders): string | null {
  const home = homes(folders).find((folder) => isInside(folder, target));
  if (home === undefined) return null;
  return home === folders.workspace ? "the workspace" : "the notes";
}

function reading(effect: ReadPath, folders: Folders, place: string | null): GateAnswer {
  if (effect.access === "names") {
    return { result: "passed", reason: place === null ? "names are free to read" : `inside ${place}` };
  }
  if (effect.tree && holdsOneOf(effect.target, unreadable(folders))) {
    return ask(
      "read-around-own",
      `reading everything below ${oneLine(effect.target)} would touch the agent's own folders`,
    );
  }
  if (place === null && folders.skills?.some((folder) => isInside(folder, effect.target)) === true)
    return { result: "passed", reason: "a file of a skill that you accepted" };
  return place === null
    ? ask("read-outside", `${oneLine(effect.target)} is outside the workspace and the notes`)
    : { result: "passed", reason: `inside ${place}` };
}

function writing(effect: WritePath, folders: Folders, place: string | null): GateAnswer {
  const { lostFolders = [], workspace } = folders;
  const named = laterByName(effect);
  const shadowed = workspace === null ? null : shadowedModule(effect.target, workspace);
  const later = named ?? effect.executedLater ?? shadowed ?? laterAsProgram(effect, folders, place);
  const target = oneLine(effect.target);
  if (later !== null) {
    const what =
      effect.tree === true
        ? `files in ${target} are executed later`
        : `what is written to ${target} is executed later`;
    return ask("write-executed-later", `${what}: ${oneLine(later)}`);
  }
  if (effect.opens !== undefined)
    return ask(
      "write-opens-rights",
      `other users of this machine would have rights on ${target} that they do not have (${oneLine(effect.opens)})`,
    );
  if (effect.gets !== undefined) return ask("write-beside", `${target} ${oneLine(effect.gets)}`);
  if (place === null) return ask("write-outside", `${target} is outside the workspace and the notes`);
  const lost = lostFolders.find(({ folder }) => isInside(folder, effect.target));
  if (lost?.files === 0) {
    return ask(
      "write-lost-notes",
      `a link leads to ${oneLine(lost.folder)}, which is not there: its disk may not be mounted, and a yes begins new notes there`,
    );
  }
  if (lost !== undefined) {
    return ask(
      "write-lost-notes",
      `${oneLine(lost.folder)} has none of the ${countOf(lost.files, "file")} of notes that ${lost.files === 1 ? "was" : "were"} known in it: its disk may not be mounted, and a yes begins new notes there`,
    );
  }
  if (effect.change === "replace" && effect.reversal === "final") {
    return ask("write-final", `the current contents of ${target} could not be restored`);
  }
  return { result: "passed", reason: `inside ${place}` };
}

/**
 * What executes or obeys a target of this name later. What git keeps in its own folder git obeys, unless it
 * is known to be what git would write there.
 */
function laterByName({ target, ownBranch, repositoryData }: WritePath): string | null {
  const isKnown = ownBranch === true || repositoryData === true;
  if (isRepositoryData(target))
    return executedLaterRule(target) ?? (isKnown ? null : "git obeys what it keeps in its own folder");
  return isKnown ? null : executedLaterRule(target);
}

/**
 * What executes a target later that is in a folder of the owner's programs, or holds one: outside of the
 * workspace and the notes, and in the workspace where the owner declared that folder.
 */
function laterAsProgram(
  { target }: WritePath | DeletePath,
  { programs = [], declared = [], workspace }: Folders,
  place: string | null,
): string | null {
  const held = declared.filter((each) => workspace !== null && isInside(workspace, each));
  const folder = (place === null ? programs : held).find(
    (each) => isInsideFolded(each, target) || isInsideFolded(target, each),
  );
  return folder === undefined ? null : `programs in ${folder} are run by their names, or load what is there`;
}

/** Whether a build of the workspace makes a file again. Nothing makes a note again. */
function isBuiltAgain({ target, tracked }: DeletePath, folders: Folders): boolean {
  const { workspace } = folders;
  if (
    tracked === true ||
    workspace === null ||
    notesFolders(folders).some((folder) => isInside(folder, target))
  )
    return false;
  return isInside(workspace, target) && isBuildOutput(target, workspace);
}

function deleting(effect: DeletePath, folders: Folders, place: string | null): GateAnswer {
  const later = executedLaterRule(effect.target) ?? laterAsProgram(effect, folders, place);
  const target = oneLine(effect.target);
  if (later !== null) return ask("delete-executed-later", `${target} is executed later: ${later}`);
  if (place === null) return ask("delete-outside", `${target} is not inside the workspace or the notes`);
  if (effect.reversal !== "undoable") return ask("delete-final", `${target} could not be restored`);
  if (effect.existed === true && !isBuiltAgain(effect, folders))
    return ask("delete-existing", `${target} was there before and is deleted; /undo brings it back`);
  return { result: "passed", reason: `inside ${place}, and it can be undone` };
}

function ask(code: string, reason: string): GateAnswer {
  return { result: "ask", code, reason };
}

function isReadable(folder: string, folders: Folders): boolean {
  return folders.readable?.includes(folder) === true;
}

function unreadable(folders: Folders): readonly string[] {
  return folders.own.filter((folder) => !isReadable(folder, folders));
}

function holdsOneOf(target: string, own: readonly string[]): boolean {
  return own.some((folder) => isInsideFolded(target, folder));
}

function verb(effect: PathEffect): string {
  return effect.kind === "read-path" ? "read" : effect.kind === "write-path" ? "write" : "delete";
}
