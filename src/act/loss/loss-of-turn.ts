import { join } from "node:path";
import type { TurnSources } from "../../signal/tool.ts";
import { makeBuiltAgainTest } from "../trial/built-again.ts";
import {
  type ChangedFile,
  countedFiles,
  type FileChanges,
  filesAt,
  lossOf,
  type Version,
} from "../trial/lost-files.ts";
import {
  type EarlierFiles,
  earlierFiles,
  isAtOrBelow,
  type LossPorts,
  mostOfFolder,
} from "./earlier-files.ts";

/** A turn whose calls change files. What a build makes again in its folder is not counted. */
export type LosingTurn = LossPorts & { readonly sources: TurnSources; readonly folder: string };

/** Paths of files that are lost: by the call that is judged, and by those before it in its turn. */
export type LossOfTurn = { readonly own: readonly string[]; readonly earlier: readonly string[] };

/**
 * What is lost of what a turn found, and no question listed, once a call made its changes. Empty where the
 * call adds nothing to it.
 */
export async function lossOfTurn(own: FileChanges, turn: LosingTurn): Promise<LossOfTurn> {
  const files = await filesOf(turn);
  const changed = await sinceTurnBegan(own.changed, files, turn.folder);
  const freed = await copiesTakenAway(own.changed, files);
  const earlier = earlierChanges(own, files, turn.folder);
  const loss = await lossOf({ changed, made: earlier.made });
  if (freed.length + loss.taken.length + loss.replaced.length === 0) return none;
  const before = await lossOf({ changed: await earlier.changed(), made: earlier.made });
  const isOwn = new Set(changed.map(({ path }) => path));
  const counted = countedFiles({
    taken: [...before.taken, ...loss.taken],
    replaced: [...before.replaced, ...loss.replaced],
  });
  if (!counted.some((path) => isOwn.has(path) || freed.includes(path))) return none;
  return {
    own: counted.filter((path) => isOwn.has(path)),
    earlier: counted.filter((path) => !isOwn.has(path)),
  };
}

const none: LossOfTurn = { own: [], earlier: [] };

/** What is lost of what a turn found so far, and no question listed. */
export async function lostSoFar(turn: LosingTurn): Promise<readonly string[]> {
  const earlier = earlierChanges(noChange, await filesOf(turn), turn.folder);
  return countedFiles(await lossOf({ changed: await earlier.changed(), made: earlier.made }));
}

const noChange: FileChanges = { changed: [], paths: new Set(), made: async () => [] };

async function filesOf({ sources, folder, ...ports }: LosingTurn): Promise<EarlierFiles> {
  return earlierFiles((await sources.changed?.()) ?? { changes: [], listed: [] }, folder, ports);
}

/** The changes of a call, each from what its turn found; without those of what the turn made. */
async function sinceTurnBegan(
  changes: readonly ChangedFile[],
  { found, made }: EarlierFiles,
  folder: string,
): Promise<readonly ChangedFile[]> {
  const changed: ChangedFile[] = [];
  const isBuiltAgain = makeBuiltAgainTest(folder);
  for (const change of changes) {
    const { path } = change;
    if (isAtOrBelow(made, path) || (await isBuiltAgain(path))) continue;
    changed.push({ ...change, before: (await found.get(path)?.version()) ?? change.before });
  }
  return changed;
}

/** Whether a file has objects of a repository: how many of them a call loses is asked about at that call. */
function isObjects(path: string): boolean {
  return /\/\.git\/(?:modules\/.+\/)?objects\/./.test(path);
}

/** What the turn found and a call takes the copy away of. */
async function copiesTakenAway(
  changes: readonly ChangedFile[],
  { found }: EarlierFiles,
): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const { path, before } of changes)
    for (const [other, file] of found) if (other !== path && (await file.holds(before))) taken.push(other);
  return taken;
}

/**
 * What calls before it changed and a call leaves as it is, and all that the turn made and that stands once it
 * is done. What a build makes again is neither.
 */
function earlierChanges(
  own: FileChanges,
  { found, made }: EarlierFiles,
  folder: string,
): { readonly changed: () => Promise<readonly ChangedFile[]>; readonly made: FileChanges["made"] } {
  const ownPaths = new Set(own.changed.map(({ path }) => path));
  const left = [...found.keys()].filter((path) => !ownPaths.has(path));
  const isBuiltAgain = makeBuiltAgainTest(folder);
  return {
    async changed(): Promise<readonly ChangedFile[]> {
      const changed: ChangedFile[] = [];
      for (const path of left) {
        const isCounted = !isObjects(path) && !(await isBuiltAgain(path));
        const before = !isCounted ? null : await found.get(path)?.version();
        if (before != null) changed.push({ path, before, after: await fileAt(path) });
      }
      return changed;
    },
    async made(): Promise<readonly Version[]> {
      const versions = [...(await own.made())];
      for (const path of new Set([...left, ...made]))
        for (const [inside, file] of await filesAt(path, mostOfFolder)) {
          const copy = join(path, inside);
          if (file === null || isAtOrBelow(own.paths, copy) || (await isBuiltAgain(copy))) continue;
          versions.push(file);
        }
      return versions;
    },
  };
}

async function fileAt(path: string): Promise<Version | null> {
  return (await filesAt(path, 1)).get("") ?? null;
}
