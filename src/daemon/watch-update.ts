import { describeError } from "../text/describe-error.ts";
import type { Loop } from "../turn/turn-loop.ts";
import { type BuildManifest, findOtherBuild, type OtherBuild, type OwnBuild } from "../update/own-build.ts";

/** What noticing an update needs. */
export type UpdateWatchParts = {
  /** The build of this process; null where it runs on none, as from sources. */
  readonly own: OwnBuild | null;
  /** Tells every client and the log; null where what was told holds no longer, for clients that come. */
  readonly tell: (text: string | null) => void;
  /** Why the other build cannot take over, in words; null where it can. */
  readonly rehearse: (other: BuildManifest) => Promise<string | null>;
  /** Resolves when no turn runs or waits. */
  readonly whenIdle: () => Promise<void>;
  readonly pauseTurns: Loop["pauseTurns"];
  /** What a new start would lose, in words; null where there is nothing. */
  readonly held: () => string | null;
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** Notices that another build of the program is installed, and when this process may give way to it. */
export type UpdateWatch = {
  /** Looks once; costs a small file. */
  readonly look: () => void;
  /** Resolves when nothing runs, and the other build can open the state. */
  readonly ready: Promise<BuildManifest>;
};

/** Milliseconds between two looks at what a new start would lose. */
const pause = 5_000;
/**
 * Milliseconds that an agent may be busy before what is said waits, so that what runs ends, and for how long
 * it waits. Where something long runs, it is tried again after twice the time, at most ten minutes.
 */
const [firstBusy, longestBusy, longestWait] = [30_000, 600_000, 20_000];

/**
 * Tells of each other build once, tries it on a copy of the state, and gives way when nothing runs and
 * nothing would be lost.
 */
export function watchUpdate(parts: UpdateWatchParts): UpdateWatch {
  const { own, tell } = parts;
  const ready = Promise.withResolvers<BuildManifest>();
  const known: { last: string | null } = { last: own?.id ?? null };
  const within = (work: Promise<void>, milliseconds: number): Promise<boolean> =>
    Promise.race([work.then(() => true), parts.wait(milliseconds).then(() => false)]);
  const follow = async (other: OtherBuild, now: OwnBuild): Promise<void> => {
    const problem = await parts.rehearse(other);
    if (problem !== null) {
      tell(`${wordsFor(other, now)}, and cannot take over: ${problem} Version ${now.version} goes on.`);
      return;
    }
    const held = parts.held();
    const until = held === null ? "when nothing runs" : `once ${held}`;
    tell(`${wordsFor(other, now)}. The agent (version ${now.version}) gives way to it ${until}.`);
    const mayTakeOver = (): boolean => parts.held() === null && findOtherBuild(now)?.id === other.id;
    for (let busy = firstBusy; known.last === other.id; busy = Math.min(busy * 2, longestBusy)) {
      const isIdle = await within(parts.whenIdle(), busy);
      using paused = new DisposableStack();
      const turns = isIdle || !mayTakeOver() ? null : parts.pauseTurns();
      paused.defer(() => turns?.resume());
      const isQuiet = turns === null ? isIdle : await within(turns.quiet, longestWait);
      if (isQuiet && mayTakeOver()) {
        // What waits stays on disk, and the other build answers it.
        paused.move();
        ready.resolve(other);
      }
      paused.dispose();
      await parts.wait(pause);
    }
  };
  return {
    look() {
      if (own === null) return;
      const other = findOtherBuild(own);
      const id = other?.id ?? own.id;
      if (id === known.last) return;
      known.last = id;
      if (other === null) {
        tell(`The other version is not installed any more, so version ${own.version} goes on.`);
        tell(null);
        return;
      }
      follow(other, own).catch((error: unknown) =>
        tell(
          `An update is installed and could not be looked at: ${describeError(error)}. Start again to use it.`,
        ),
      );
    },
    ready: ready.promise,
  };
}

function wordsFor({ version, isInstalled }: OtherBuild, own: OwnBuild): string {
  const name = version === own.version ? `Another build of version ${version}` : `Version ${version}`;
  return `${name} is ${isInstalled ? "installed" : "to be used again"}`;
}
