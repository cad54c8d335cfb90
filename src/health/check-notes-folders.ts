import { existsSync } from "node:fs";
import type { Policy } from "../settings/policy.ts";
import { resolveLinks } from "../settings/user-folders.ts";
import { isInside } from "../text/is-inside.ts";
import { findFolderProblem } from "./find-folder-problem.ts";
import type { HealthCheck } from "./health-check.ts";

/** Checks each folder that MEMEX_DIR names: that it is there and can be written, and how it lies to the others and to the agent's own folders. */
export function checkNotesFolders(policy: Policy): readonly HealthCheck[] {
  const { folder: first, otherFolders, deadLink } = policy.notesPlace;
  const folders = [first, ...otherFolders];
  const checkLink = (folder: string, check: (folder: string) => HealthCheck): HealthCheck => {
    const link = deadLink(folder);
    if (link === null) return check(folder);
    return bad(
      `the link ${link} to your notes leads nowhere: ${folder} is not there. Mount its disk, make that folder, or correct the link.`,
    );
  };
  return [
    checkLink(first, checkFirst),
    ...otherFolders.map((folder) => checkLink(folder, checkOther)),
    ...checkRepeated(policy),
    ...folders.flatMap((folder) => checkNested(folder, folders)),
    ...folders.flatMap((folder) => checkOwnInside(folder, policy)),
  ];
}

/** New notes go into the first folder, which is made when it is missing. */
function checkFirst(folder: string): HealthCheck {
  const problem = findFolderProblem(folder);
  if (problem !== null) {
    return bad(`notes cannot be saved: ${problem.text} Or set MEMEX_DIR to another folder.`);
  }
  return ok(existsSync(folder) ? `${folder} is writable` : `${folder} is created with the first note`);
}

function checkOther(folder: string): HealthCheck {
  if (!existsSync(folder)) {
    return finding(
      `MEMEX_DIR names ${folder}, and there is no such folder. Mount its disk, create it, or take it out of MEMEX_DIR. Write a colon in a name as \\:.`,
    );
  }
  const problem = findFolderProblem(folder);
  if (problem === null) return ok(`${folder} is writable`);
  return finding(
    `notes in a folder of MEMEX_DIR cannot be changed: ${problem.text} Or take it out of MEMEX_DIR.`,
  );
}

function checkRepeated({ config: { places } }: Policy): readonly HealthCheck[] {
  const byFolder = Map.groupBy([places.notes, ...places.otherNotes], resolveLinks);
  return [...byFolder].flatMap(([folder, names]) =>
    names.length === 1
      ? []
      : [
          finding(
            `MEMEX_DIR names ${folder} ${names.length} times (${names.join(", ")}). It counts once. Take the others out.`,
          ),
        ],
  );
}

function checkNested(folder: string, folders: readonly string[]): readonly HealthCheck[] {
  return folders
    .filter((other) => other !== folder && isInside(other, folder))
    .map((other) => ok(`${folder} is inside ${other}; each note in it counts once`));
}

function checkOwnInside(folder: string, { config: { places }, folders }: Policy): readonly HealthCheck[] {
  const own = [places.state, places.configuration, places.runtime].map(resolveLinks);
  const inside = own.filter((each) => isInside(folder, each));
  if (inside.length > 0) {
    return [
      finding(
        `the notes folder ${folder} holds folders of the agent itself (${inside.join(", ")}), which no action may write. Name the folder that only your notes are in.`,
      ),
    ];
  }
  const around = own.find((each) => isInside(each, folder));
  if (around !== undefined) {
    return [
      finding(
        `the notes folder ${folder} is inside ${around}, which belongs to the agent itself, so nothing in it can be read or written. Move your notes elsewhere.`,
      ),
    ];
  }
  if (!isInside(folder, folders.home)) return [];
  return [
    finding(
      `the notes folder ${folder} holds your home folder, so every file in it may be read and changed without a question. Name the folder that only your notes are in.`,
    ),
  ];
}

function ok(text: string): HealthCheck {
  return { name: "folders", result: "ok", text };
}

function finding(text: string): HealthCheck {
  return { name: "folders", result: "finding", text };
}

function bad(text: string): HealthCheck {
  return { name: "folders", result: "bad", text };
}
