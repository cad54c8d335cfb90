import { basename, dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { executedLaterRule } from "../../text/later/executed-later.ts";
import { pushAll } from "../../text/lists.ts";
import { namesInSettings } from "../files/git-names.ts";
import { type Identified, identify, identifyFolder } from "../files/identify.ts";
import { isKernelFile } from "../files/kernel-files.ts";
import { realPath } from "../files/real-path.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { type Entry, FolderListings, isSample } from "./folder-listings.ts";
import { inBatches } from "./in-batches.ts";
import { enteredFolders, findNamedWords, isPattern, makeSegmentTest } from "./named-words.ts";
import { foldersOfOthers, obeyedEntries } from "./obeyed-entries.ts";
import { impliedScripts, isBuildFile, isScript, isScriptName } from "./script-names.ts";

/** A file or folder that a command names, runs or reads as a script: its real path, and what it is now. */
export type NamedFile = { readonly path: string; readonly stamp: string };

/** The text of a command line, and where it runs. */
export type NamedFilesRequest = {
  readonly cwd: string;
  readonly workspace: string | null;
  readonly home: string;
  readonly texts: readonly string[];
  /** Files that git obeys beside those of the folders that the line names. */
  readonly obeyed: readonly string[];
  /** Whether a program of the line may run what it names: then the files that those files name count too. */
  readonly runsCode: boolean;
  readonly isSecretPath: (path: string) => boolean;
  readonly isUnseen: (folder: string) => boolean;
};

const maxFiles = 2_000;
const maxTreeFiles = 2_000;
const maxTreeEntries = 10_000;
const maxFollowed = 64;
const maxFolders = 16;
const maxPatterns = 20;
const maxLookups = 200_000;
const maxTextBytes = 64 * 1024;
const maxWordsOfFile = 2_000;
const programFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/**
 * Finds the files that a command line would run or read as scripts, and the folders that it names: after each `cd`, with
 * patterns expanded, with what interpreters read by themselves, and with what those files name. Takes too many rather than
 * too few; what only running the command would tell counts as every name that fits. Sorted by path.
 */
export async function findNamedFiles(request: NamedFilesRequest): Promise<readonly NamedFile[]> {
  const search = new NamedFilesSearch(request);
  await search.run();
  return search.result();
}

class NamedFilesSearch {
  readonly #request: NamedFilesRequest;
  readonly #listings = new FolderListings();
  readonly #found = new Map<string, string>();
  readonly #texts: { readonly path: string; readonly text: string }[] = [];
  readonly #trees = new Set<string>();
  readonly #samples: Entry[] = [];
  readonly #realFolders = new Map<string, Promise<string | null>>();
  #full = false;
  #lookups = maxLookups;
  #treeEntries = maxTreeEntries;
  #treeFiles = maxTreeFiles;

  constructor(request: NamedFilesRequest) {
    this.#request = request;
  }

  result(): readonly NamedFile[] {
    return [...this.#found, ...(this.#full ? [["", "there are more"] as const] : [])]
      .map(([path, stamp]) => ({ path, stamp }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  async run(): Promise<void> {
    await this.#addNamed();
    // Git runs none by itself, but a hook or a line may. What one names counts only where something names it.
    await this.#addAll(this.#samples, { ofLine: false, tree: true });
  }

  async #addNamed(): Promise<void> {
    const { cwd, home, texts, runsCode } = this.#request;
    const words = [...new Set(texts.flatMap((text) => findNamedWords(text, { cwd, home })))];
    const folders = await this.#foldersNamed(cwd, words);
    const entered = new Set(texts.flatMap(enteredFolders));
    const named: Entry[] = [{ path: cwd, kind: "folder" }];
    const trees: Entry[] = [];
    for (const folder of folders) {
      for (const word of words) {
        const entries = await this.#resolve(folder, word);
        pushAll(named, entries);
        if (!isPattern(word) && !entered.has(word)) pushAll(trees, entries);
      }
    }
    await this.#addAll(named, { ofLine: true });
    await this.#addImplied(folders, words, { trees: runsCode });
    if (words.some((word) => basename(word) === "git")) await this.#addOfGit(folders);
    if (!runsCode) return;
    for (const folder of folders)
      await this.#addAll(await obeyedEntries(folder, this.#listings), { ofLine: false, tree: true });
    for (const { path } of trees) if (await this.#isFolder(path)) await this.#addTree(path, words);
    for (const [index, { path, text }] of this.#texts.entries()) {
      if (index < maxFollowed) await this.#follow(path, text, folders);
      else this.#full = true;
    }
  }

  /** The folders in which a word of the line can be resolved: each folder that a word names, from each of the others. */
  async #foldersNamed(start: string, words: readonly string[]): Promise<readonly string[]> {
    const folders = [start];
    for (const folder of folders) {
      for (const word of words) {
        for (const { path, kind } of await this.#resolve(folder, word)) {
          if (folders.length >= maxFolders) return folders;
          if (kind !== "file" && !folders.includes(path) && (await this.#isFolder(path))) folders.push(path);
        }
      }
    }
    return folders;
  }

  async #isFolder(path: string): Promise<boolean> {
    const real = await this.#realFolder(path);
    return real !== null && !this.#request.isUnseen(real);
  }

  /** The real path of a folder that is looked into; null for any other path. */
  #realFolder(path: string): Promise<string | null> {
    const found = this.#realFolders.get(path) ?? this.#findRealFolder(path);
    this.#realFolders.set(path, found);
    return found;
  }

  async #findRealFolder(path: string): Promise<string | null> {
    const real = await realPath("/", path).catch(() => null);
    const outside = real === null || (await this.#isOfSystem(real));
    return outside || (await identifyFolder(real)) === null ? null : real;
  }

  /** Whether a path is of the kernel, or of the programs of this machine: these nobody but root changes. What is in the workspace is the user's. */
  async #isOfSystem(real: string): Promise<boolean> {
    if (await isKernelFile(real)) return true;
    const { cwd, workspace } = this.#request;
    if (!programFolders.some((folder) => isInside(folder, real)) || isInside(workspace ?? cwd, real))
      return false;
    const status = await entryIfThere(real);
    return status === null || (status.uid === 0 && (status.mode & 0o022) === 0);
  }

  async #resolve(folder: string, word: string): Promise<readonly Entry[]> {
    this.#lookups -= 1;
    if (this.#lookups > 0) return this.#listings.resolve(folder, word, this.#request.runsCode);
    this.#full = true;
    return [];
  }

  /** Identifies entries side by side and adds them. A folder counts only where the line itself names it. */
  async #addAll(
    entries: readonly Entry[],
    how: { readonly ofLine: boolean; readonly tree?: true },
  ): Promise<void> {
    const unique = [...new Map(entries.map((entry) => [entry.path, entry])).values()];
    const counted = unique.filter(({ kind }) => kind !== "folder" || how.ofLine);
    const identified = inBatches(counted, (entry) => this.#identify(entry, how.tree === true));
    for await (const found of identified) if (found !== null) this.#keep(found, how);
  }

  async #identify(
    { path, kind }: Entry,
    tree: boolean,
  ): Promise<(Identified & { readonly real: string }) | null> {
    const parent = kind === "link" ? null : await this.#realFolder(dirname(path));
    const real = parent === null ? await realPath("/", path).catch(() => null) : join(parent, basename(path));
    if (real === null || this.#found.has(real)) return null;
    if (await this.#isOfSystem(real)) return null;
    const found = await identify(real, { mayRead: !tree && !this.#request.isSecretPath(real) });
    return found === null ? null : { ...found, real };
  }

  #keep(
    found: Identified & { readonly real: string },
    { ofLine, tree }: { ofLine: boolean; tree?: true },
  ): void {
    const { real, stamp, kind, bytes } = found;
    if (kind === "folder" && !ofLine) return;
    if (tree === true ? this.#treeFiles <= 0 : this.#found.size >= maxFiles + maxTreeFiles) {
      this.#full = true;
      return;
    }
    if (tree === true) this.#treeFiles -= 1;
    this.#found.set(real, stamp);
    const text = this.#request.runsCode ? textOf(bytes) : null;
    if (text !== null && (ofLine || isScript(basename(real), text))) this.#texts.push({ path: real, text });
  }

  /** Adds the scripts below a folder that the line names: a test runner or an interpreter may run them all. */
  async #addTree(root: string, words: readonly string[]): Promise<void> {
    if (this.#trees.has(root)) return;
    this.#trees.add(root);
    const names = new Set(words);
    const patterns = words.filter((word) => isPattern(word) && !word.includes("/") && !/^[*?.]*$/.test(word));
    const fits = patterns.slice(0, maxPatterns).map(makeSegmentTest);
    const folders = [root];
    const scripts: Entry[] = [];
    for (const folder of folders) {
      for (const entry of await this.#listings.entries(folder)) {
        this.#treeEntries -= 1;
        await this.#listings.yieldToEventLoop();
        const name = basename(entry.path);
        if (entry.kind === "folder" && !foldersOfOthers.has(name)) folders.push(entry.path);
        else if (
          isScriptName(name) ||
          !name.includes(".") ||
          names.has(name) ||
          executedLaterRule(entry.path.slice(root.length)) !== null ||
          fits.some((fit) => fit(name))
        )
          scripts.push(entry);
      }
      if (this.#treeEntries <= 0) this.#full = true;
      if (this.#full) break;
    }
    await this.#addAll(scripts, { ofLine: false, tree: true });
  }

  /** Adds what the programs among the words read without being told. */
  async #addImplied(
    folders: readonly string[],
    words: readonly string[],
    { trees }: { readonly trees: boolean },
  ): Promise<void> {
    const entries: Entry[] = [];
    for (const name of new Set(words.flatMap((word) => impliedScripts.get(basename(word)) ?? []))) {
      for (const folder of folders) {
        if (name !== ".") pushAll(entries, this.#setAside(await this.#resolve(folder, name)));
        else if (trees) await this.#addTree(folder, words);
      }
    }
    await this.#addAll(entries, { ofLine: false });
  }

  /** All but the samples of hooks, which are added last. */
  #setAside(entries: readonly Entry[]): readonly Entry[] {
    pushAll(this.#samples, entries.filter(isSample));
    return entries.filter((entry) => !isSample(entry));
  }

  /** Adds what the settings of repositories name: programs, and folders of hooks with what is in them. */
  async #addOfGit(folders: readonly string[]): Promise<void> {
    const { cwd, home, obeyed } = this.#request;
    for (const folder of folders) {
      const hooks = this.#setAside(await this.#listings.entries(join(folder, ".git", "hooks")));
      const own = [join(folder, ".git", "config"), ...hooks.map(({ path }) => path)];
      const files = [...own, ...(await namesInSettings(folder)), ...obeyed];
      const entries = files.map((path): Entry => ({ path, kind: "link" }));
      await this.#addAll(entries, { ofLine: false });
      const read = await Promise.all(files.map((path) => identify(path, { mayRead: true })));
      const texts = read.map((each) => textOf(each?.bytes ?? null) ?? "");
      for (const word of findNamedWords(texts.join("\n"), { cwd, home }).slice(0, maxWordsOfFile)) {
        const named = isPattern(word) ? [] : await this.#resolve(folder, word);
        await this.#addAll(named, { ofLine: false });
        for (const { path, kind } of named)
          if (kind !== "file") await this.#addAll(await this.#listings.entries(path), { ofLine: false });
      }
    }
  }

  /** Adds what a script names, in its own folder and in those where it may run. */
  async #follow(script: string, text: string, folders: readonly string[]): Promise<void> {
    const { cwd, home } = this.#request;
    await this.#listings.yieldToEventLoop();
    const all = findNamedWords(text, { cwd, home }).slice(0, maxWordsOfFile);
    const patterns = all.filter((word) => isPattern(word) && /\w{2}/.test(word)).slice(0, maxPatterns);
    const words = [...all.filter((word) => !isPattern(word)), ...patterns];
    const around = [...new Set([dirname(script), ...folders])];
    for (const word of enteredFolders(text)) {
      for (const folder of [...around]) {
        for (const { path } of await this.#resolve(folder, word)) {
          if (around.length < maxFolders && !around.includes(path) && (await this.#isFolder(path)))
            around.push(path);
        }
      }
    }
    const entries: Entry[] = [];
    for (const folder of around) {
      for (const word of words) pushAll(entries, await this.#resolve(folder, word));
    }
    await this.#addAll(entries, { ofLine: false });
    await this.#addImplied(around, words, { trees: isBuildFile(basename(script)) });
  }
}

function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.length > maxTextBytes || bytes.subarray(0, 1_000).includes(0)) return null;
  return new TextDecoder().decode(bytes);
}
