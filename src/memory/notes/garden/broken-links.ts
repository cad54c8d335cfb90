import type { Finding, Repair } from "./finding.ts";
import type { KnownTargets } from "./known-targets.ts";
import { lineAt } from "./line-at.ts";
import type { LinkPlace } from "./read-file-facts.ts";

/** A file whose links are looked at. */
export type LinkingFile = {
  readonly file: string;
  readonly text: string;
  readonly links: readonly LinkPlace[];
};

/** What the rule asks of the world: whether there is a file that a link names, and what a path of the notes is called from a file. */
export type LinkWorld = {
  readonly hasFile: (from: string, target: string) => boolean;
  readonly pathFrom: (from: string, to: string) => string;
};

/** Finds links that lead nowhere. The new target is proposed where exactly one note can be meant: a file of the same name that moved, or a note of the title that the link shows. */
export function findBrokenLinks(
  { file, text, links }: LinkingFile,
  targets: KnownTargets,
  world: LinkWorld,
): readonly { readonly finding: Finding; readonly repair: Repair | null }[] {
  return links.flatMap((link) => {
    const { type, target, begin } = link;
    const isThere =
      type === "file"
        ? target === "" || isRemote(target) || world.hasFile(file, target)
        : targets.hasId(target);
    if (isThere) return [];
    const line = lineAt(text, begin);
    const repair =
      type === "file"
        ? movedFile({ file, text, link, line }, targets, world)
        : sameTitle({ file, text, link, line }, targets);
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

function sameTitle(broken: Broken, targets: KnownTargets): Repair | null {
  const { text, link } = broken;
  const shown = /^\[\[[^\]]*\]\[([^\]]+)\]\]$/.exec(text.slice(link.begin, link.end))?.[1] ?? "";
  const [id, other] = targets.byTitle.get(shown.trim().toLowerCase()) ?? [];
  if (shown === "" || id === undefined || other !== undefined || targets.claims.get(id)?.length !== 1)
    return null;
  const why = `No note has the ID ${link.target}. The link shows '${shown}', and exactly one note with an ID has that title.`;
  return withTarget(broken, id, why);
}

/** Null where the link is not written with its target as it stands. */
function withTarget({ file, text, link, line }: Broken, target: string, why: string): Repair | null {
  const written = text.slice(link.begin, link.end);
  const at = written.indexOf(link.target);
  if (at === -1 || !written.startsWith("[[") || /[[\]\n]/.test(target)) return null;
  const begin = link.begin + at;
  const splices = [{ begin, end: begin + link.target.length, insert: target }];
  return { file, title: `Repair a link in ${file}`, why, line, splices };
}
