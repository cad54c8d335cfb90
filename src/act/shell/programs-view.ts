import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import { followLinks } from "../files/real-path.ts";
import { statusIfThere } from "../files/status-if-there.ts";
import type { Bind } from "../sandbox/binds.ts";
import { sandboxHome } from "../sandbox/bubblewrap.ts";
import { isOwnPlace, isSystemFile } from "../sandbox/system-folders.ts";
import { inBatches } from "./in-batches.ts";
import { canRun, commonInstallation, installationOf, mayShow, type PrivatePlaces } from "./installation.ts";
import { loaderOf } from "./loader-of.ts";

/** Programs of one folder that are followed, how often a program is started by another one, and folders that are looked into for versions. */
const most = { programs: 500, loaders: 5, folders: 50 };

/** What commands see of programs: their installations, single files, and the links that lead to them. */
export class ProgramsView {
  readonly #places: PrivatePlaces;
  readonly #roots = new Set<string>();
  readonly #files = new Set<string>();
  readonly #links = new Map<string, string>();

  constructor(places: PrivatePlaces) {
    this.#places = places;
  }

  /** A view that begins with all of this one. */
  copy(): ProgramsView {
    const copy = new ProgramsView(this.#places);
    for (const root of this.#roots) copy.#roots.add(root);
    for (const file of this.#files) copy.#files.add(file);
    for (const [path, target] of this.#links) copy.#links.set(path, target);
    return copy;
  }

  /** The installations, outermost only. */
  roots(): readonly string[] {
    const all = [...this.#roots];
    return all.filter((root) => !all.some((other) => other !== root && isInside(other, root)));
  }

  binds(): readonly Bind[] {
    const roots = this.roots();
    const files = [...this.#files].filter((file) => !roots.some((root) => isInside(root, file)));
    return [...roots, ...files].map((path) => ({ from: path, to: path }));
  }

  /**
   * The links that lead to programs, and names below the home folder of the sandbox for what lies in the
   * owner's.
   */
  links(): readonly Bind[] {
    const { home } = this.#places;
    const links = [...this.#links].filter(([path]) => !this.shows(path));
    const named = [...this.roots(), ...links.map(([path]) => path)].filter((path) => isInside(home, path));
    return [
      ...links.map(([to, from]) => ({ from, to })),
      ...named.map((path) => ({ from: path, to: join(sandboxHome, relative(home, path)) })),
    ];
  }

  /** Whether commands see a path, by its real path, in an installation, the system or the workspace. */
  shows(path: string): boolean {
    const { workspace } = this.#places;
    return (
      isSystemFile(path) ||
      (workspace !== null && isInside(workspace, path)) ||
      [...this.#roots].some((root) => isInside(root, path))
    );
  }

  /** Whether commands see the file of a program, by its real path. */
  has(program: string): boolean {
    return this.#files.has(program) || this.shows(program);
  }

  /** Adds a folder that is shown as a whole. */
  addRoot(folder: string): void {
    this.#roots.add(folder);
  }

  /** Adds the installation whose programs are in a folder of `PATH`. Gives the real path of the folder. */
  async addFolder(folder: string): Promise<string | null> {
    const { path, links, obstacle } = await followLinks(folder);
    if (obstacle !== null) return null;
    if (!this.shows(path)) await this.#addInstallation(path, true);
    if (this.shows(path)) this.#addLinks(links);
    return path;
  }

  /** Adds what the programs of a folder are, where that lies elsewhere. */
  async addProgramsIn(folder: string): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const paths = names.slice(0, most.programs).map((name) => join(folder, name));
    for await (const _ of inBatches(paths, (path) => this.addProgram(path, { isNamed: false })));
    const several = await namesOfOne(paths);
    if (several.length > 0) await this.#addVersionsOf(several);
  }

  /**
   * Adds the hidden folders of the home that hold the versions of programs that are all one file in the
   * folder of `PATH`: it finds the one that is meant by its name.
   */
  async #addVersionsOf(names: readonly string[]): Promise<void> {
    const { home } = this.#places;
    const hidden = (await readdir(home).catch(() => [])).filter((name) => name.startsWith("."));
    for (const folder of hidden.map((name) => join(home, name)))
      if (mayShow(folder, this.#places) && !this.shows(folder) && (await holdsVersion(folder, names)))
        this.#roots.add(folder);
  }

  /** Adds a program: the installation of the file that its name leads to, and of what starts that. */
  async addProgram(program: string, { isNamed }: { readonly isNamed: boolean }, depth = 0): Promise<void> {
    const { path, links, obstacle } = await followLinks(program);
    if (obstacle !== null || !(isNamed || (await canRun(path)))) return;
    if (!this.shows(path)) {
      await this.#addInstallation(dirname(path), false);
      if (!this.shows(path) && (isNamed || mayShow(path, this.#places))) this.#files.add(path);
    }
    this.#addLinks(links);
    const { workspace } = this.#places;
    const isOfOwner = !isSystemFile(path) && (workspace === null || !isInside(workspace, path));
    if (depth < most.loaders && isOfOwner) await this.#addLoader(path, depth);
  }

  async #addInstallation(folder: string, isOfPath: boolean): Promise<void> {
    for (const part of await installationOf(folder, { isOfPath, places: this.#places }))
      this.#roots.add(part);
  }

  async #addLoader(program: string, depth: number): Promise<void> {
    const loader = await loaderOf(program);
    if (loader === null || isSystemFile(loader.path)) return;
    await this.addProgram(loader.path, { isNamed: false }, depth + 1);
    if (loader.kind === "interpreter") return;
    const common = await commonInstallation(program, loader.path, this.#places);
    if (common !== null) this.#roots.add(common);
  }

  #addLinks(links: readonly { readonly path: string; readonly target: string }[]): void {
    for (const { path, target } of links)
      if (!isOwnPlace(path) && !this.shows(path)) this.#links.set(path, target);
  }
}

/** Names of different programs that are one file; none where there are none. */
async function namesOfOne(paths: readonly string[]): Promise<readonly string[]> {
  const known = new Map<string, string[]>();
  for await (const { path, status } of inBatches(paths, async (each) => ({
    path: each,
    status: await statusIfThere(each),
  }))) {
    if (status?.isFile() !== true) continue;
    const key = `${status.dev} ${status.ino}`;
    known.set(key, [...(known.get(key) ?? []), basename(path)]);
  }
  return [...known.values()].filter(areUnlike).flat();
}

/** Whether two of some names are no versions of one name, such as `python` and `python3`. */
function areUnlike(names: readonly string[]): boolean {
  return names.some((one) => names.some((other) => !one.startsWith(other) && !other.startsWith(one)));
}

/** Whether a folder, or one so much deeper, has one of some programs, and their code beside it. */
async function holdsVersion(folder: string, programs: readonly string[], depth = 2): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).slice(0, most.folders);
  if (names.includes("bin") && names.includes("lib")) {
    const found = await readdir(join(folder, "bin")).catch(() => []);
    if (found.some((name) => programs.includes(name))) return true;
  }
  if (depth === 0) return false;
  for await (const has of inBatches(names, (name) => holdsVersion(join(folder, name), programs, depth - 1)))
    if (has) return true;
  return false;
}
