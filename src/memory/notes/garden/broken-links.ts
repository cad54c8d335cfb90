import type { Finding, Repair } from "./finding.ts";
import type { KnownTargets } from "./known-targets.ts";
import { lineAt } from "./line-at.ts";
import type { LinkPlace } from "./read-file-facts.ts";

/** A file with its links. */
export type LinkingFile = {
  readonly file: string;
  readonly text: string;
  readonly links: readonly LinkPlace[];
};

/** The files of the machine: whether there is one that a link names, where it is, whether one has an identifier of Denote in its name, and the path of a note as a link from a file. */
export type LinkWorld = {
  readonly hasFile: (from: string, target: string) => boolean;
  readonly pathOf: (from: string, target: string) => string;
  readonly hasDenoteFile: (identifier: string) => boolean;
  readonly pathFrom: (from: string, to: string) => string;
};

/** Finds broken links. A new target is proposed if exactly one fits: a file of the same name elsewhere, an ID in other case, or a note with the title that the link shows. */
export function findBrokenLinks(
  { file, text, links }: LinkingFile,
  targets: KnownTargets,
  world: LinkWorld,
): readonly { readonly finding: Finding; readonly repair: Repair | null }[] {
  return links.flatMap((link) => {
    const { type, target, begin } = link;
    if (isThere({ type, target, file }, targets, world)) return [];
    const line = lineAt(text, begin);
    const repair =
      type === "file"
        ? movedFile({ file, text, link, line }, targets, world)
        : (otherCase({ file, text, link, line }, targets) ?? sameTitle({ file, text, link, line }, targets));
    const what = type === "file" ? `there is no file '${target}'` : `no note has the ID '${target}'`;
    const finding: Finding = {
      code: "broken-link",
      file,
      line,
      message: `a link leads nowhere: ${what}.`,
      repairable: repair !== null,
    };
    return [{ finding, repair }];
  });
}

/** An ID in other case counts in its own file only, as in Emacs. */
function isThere(
  { type, target, file }: Pick<LinkPlace, "type" | "target"> & { readonly file: string },
  targets: KnownTargets,
  world: LinkWorld,
): boolean {
  if (type === "file") return target === "" || isRemote(target) || world.hasFile(file, target);
  if (targets.hasId(target) || (type === "denote" && world.hasDenoteFile(target))) return true;
  const like = targets.idsLike(target).flatMap((id) => targets.claims.get(id) ?? []);
  return like.some((claim) => claim.file === file);
}

const remoteFile = /^\/(?:[a-z]+:|[^/]*@[^/]*:)|^\/\/|^[a-z]+:\/\//i;

function isRemote(target: string): boolean {
  return remoteFile.test(target);
}

type Broken = {
  readonly file: string;
  readonly text: string;
  readonly link: LinkPlace;
  readonly line: number;
};

function movedFile(broken: Broken, targets: KnownTargets, world: LinkWorld): Repair | null {
  const { file, link } = broken;
  const name = link.target.slice(link.target.lastIndexOf("/") + 1);
  const [only, other] = targets.byName.get(name) ?? [];
  if (only === undefined || other !== undefined || only === file) return null;
  const target = world.pathFrom(file, only);
  const why = `The link leads to ${link.target}, which is not there. The only note of that name is ${only}.`;
  return withTarget(broken, target, why);
}

function otherCase(broken: Broken, targets: KnownTargets): Repair | null {
  const [id, other] = targets.idsLike(broken.link.target);
  if (id === undefined || other !== undefined) return null;
  return withTarget(
    broken,
    id,
    `The link leads to the ID ${broken.link.target}. A note has it in other case: ${id}.`,
  );
}

function sameTitle(broken: Broken, targets: KnownTargets): Repair | null {
  const { text, link } = broken;
  const shown = /^\[\[[^\]]*\]\[([^\]]+)\]\]$/.exec(text.slice(link.begin, link.end))?.[1] ?? "";
  const [id, other] = targets.byTitle.get(shown.trim().toLowerCase()) ?? [];
  if (shown === "" || id === undefined || other !== undefined || targets.claims.get(id)?.length !== 1)
    return null;
  const why = `No note has the ID ${link.target}. The link shows '${shown}', and exactly one note with an ID has that title.`;
  return withTarget(broken, id, why);
}

/** Null if the target is not written in the link as it is. */
function withTarget({ file, text, link, line }: Broken, target: string, why: string): Repair | null {
  const written = text.slice(link.begin, link.end);
  const at = written.indexOf(link.target);
  if (at === -1 || !written.startsWith("[[") || /[[\]\n]/.test(target)) return null;
  const begin = link.begin + at;
  const splices = [{ begin, end: begin + link.target.length, insert: target }];
  return { file, title: `Repair a link in ${file}`, why, line, splices };
}
