import { isInside } from "../../text/is-inside.ts";
import { followLinks } from "../files/real-path.ts";
import type { Confinement, Mask } from "../sandbox/bubblewrap.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { type Covers, type OverlayView, openOverlayView } from "../sandbox/overlay-view.ts";
import { StandIns } from "../sandbox/stand-ins.ts";
import { copyOf } from "./outside-copies.ts";
import { type OpenParent, openFromRoot } from "./redirect-file.ts";
import type { RunOverlay } from "./shell-ports.ts";

/**
 * How one command sees the overlay of its line: what is covered there, and what its own sandbox adds outside
 * of it.
 */
export type PlacedView = Pick<OverlayView, "enter" | "openFolder"> & {
  readonly confinement: Confinement;
  /** Finds a name that its sandbox would resolve and that leads elsewhere by now; null for none. */
  readonly findMoved: () => Promise<string | null>;
};

/**
 * The views of the commands of a line that runs over an overlay. All that is hidden or locked in the
 * workspace is mounted before the first command starts: by then every name is as it was judged. Afterwards
 * no program outside of a sandbox resolves a name of the workspace, whatever a command made of it.
 */
export class OverlayViews implements AsyncDisposable {
  readonly #overlay: Overlay | null;
  readonly #covered: NonNullable<RunOverlay["covered"]>;
  /** Finds the copy that has a folder outside of the overlay; null where none does. */
  readonly #outside: (path: string) => Overlay | null;
  readonly #opened = new Map<string, OverlayView>();
  readonly #standIns = new StandIns();
  /** What is ended with the line: its views, and then what they show. */
  readonly #ended = new AsyncDisposableStack();

  /** Null for a line that runs in the workspace itself: bubblewrap alone makes the views of its commands. */
  constructor(run: Pick<RunOverlay, "overlay" | "outside" | "covered"> | null) {
    this.#overlay = run?.overlay ?? null;
    this.#covered = run?.covered ?? (() => undefined);
    this.#outside = copyOf(run?.outside);
    this.#ended.use(this.#standIns);
  }

  /**
   * Places the views of commands; those of which the same is covered share one. Gives the reason where one
   * cannot be.
   */
  async placeEach<Command>(
    views: ReadonlyMap<Command, Confinement>,
  ): Promise<ReadonlyMap<Command, PlacedView> | string> {
    const placed = new Map<Command, PlacedView>();
    for (const [command, given] of views) {
      const confinement = { ...given, masked: await this.#withStandIns(given.masked) };
      const view =
        this.#overlay === null ? inWorkspace(confinement) : await this.#placeIn(this.#overlay, confinement);
      if (typeof view === "string") return view;
      placed.set(command, view);
    }
    return placed;
  }

  async #withStandIns(masked: Confinement["masked"]): Promise<Confinement["masked"]> {
    const all: Mask[] = [];
    for (const mask of masked)
      all.push(
        mask.keepsNames === true && mask.standIn === undefined
          ? { ...mask, standIn: await this.#standIns.of(mask.path) }
          : mask,
      );
    return all;
  }

  async #placeIn(overlay: Overlay, confinement: Confinement): Promise<PlacedView | string> {
    const { masked, locked, pinned = [] } = confinement;
    const isOver = (path: string): boolean => overlay.folders.some((folder) => isInside(folder, path));
    const covers = {
      masked: masked.filter(({ path }) => isOver(path)),
      locked: locked.filter(isOver),
      pinned: pinned.filter(isOver),
    };
    this.#covered(covers);
    const paths = [...covers.masked.map(({ path }) => path), ...covers.locked, ...covers.pinned];
    const moved = paths.find((path) => overlay.copied?.folders.some((folder) => isInside(folder, path)));
    if (moved !== undefined)
      return `${moved} appeared while the command was carried out. Propose the command again.`;
    const view = await this.#open(overlay, covers);
    if (typeof view === "string") return view;
    const openFolder: OpenParent = (path) =>
      isOver(path) ? view.openFolder(path) : (this.#outside(path)?.openFolder(path) ?? openFromRoot(path));
    const outside = {
      masked: masked.filter(({ path }) => !isOver(path)),
      locked: locked.filter((path) => !isOver(path)),
      pinned: pinned.filter((path) => !isOver(path)),
    };
    const findMoved = () => Promise.resolve(null);
    return { enter: view.enter, openFolder, confinement: { ...confinement, ...outside }, findMoved };
  }

  async #open(overlay: Overlay, covers: Covers): Promise<OverlayView | string> {
    const key = JSON.stringify(covers);
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const view = await openOverlayView(overlay, covers);
    if (typeof view === "string") return `A copy of ${overlay.folder} cannot be shown: ${view}.`;
    this.#opened.set(key, this.#ended.use(view));
    return view;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#ended.disposeAsync();
  }
}

/**
 * Without an overlay bubblewrap resolves the names itself, each time that a command starts: none of them may
 * be a link by then.
 */
function inWorkspace(confinement: Confinement): PlacedView {
  const { masked, locked, pinned = [] } = confinement;
  const paths = [...masked.map(({ path }) => path), ...locked, ...pinned];
  const findMoved = async (): Promise<string | null> => {
    for (const path of paths) if ((await followLinks(path)).links.length > 0) return path;
    return null;
  };
  return { enter: [], openFolder: openFromRoot, confinement, findMoved };
}
