import type { Extent } from "../../signal/effect.ts";
import { shownPath } from "../files/shown-path.ts";
import { extentOf } from "../shell/extent.ts";
import type { FileChanges } from "../trial/lost-files.ts";
import { type LosingTurn, lossOfTurn } from "./loss-of-turn.ts";

/** A call of a turn that changes files. */
export type LosingCall = LosingTurn & {
  /** The command line; empty where the call is none. */
  readonly cmd: string;
  readonly mask: (text: string) => string;
  /** What the words of earlier commands take away, as they name it. */
  readonly worded: () => Promise<readonly string[]>;
};

/**
 * How much of what a turn found is lost once a call made its changes, where the owner's words do not name it
 * all. Null where that is nothing to ask about.
 */
export async function extentOfLoss(own: FileChanges, call: LosingCall): Promise<Extent | null> {
  const { sources, folder, cmd, mask } = call;
  const loss = await lossOfTurn(own, call);
  if (loss.own.length + loss.earlier.length === 0) return null;
  const shown = (path: string): string => shownPath(path, folder);
  const lost = loss.own.map(shown);
  const earlier = new Set([...(await call.worded()), ...loss.earlier.map(shown)]).difference(new Set(lost));
  const items = [...earlier, ...lost];
  const by = { words: sources.words, cmd, cwd: folder, mayLook: true, earlier: earlier.size };
  const extent = await extentOf({ kind: "files", items, isRemoved: true }, by);
  if (extent === null || extent.unnamed === 0) return null;
  return { ...extent, shown: extent.shown.map(mask), others: extent.others.map(mask) };
}
