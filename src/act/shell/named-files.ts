import { basename, dirname, join } from "node:path";
import { identify } from "../files/identify.ts";
import { FolderListings } from "./folder-listings.ts";
import { findNamedWords, isPattern, patternOfSegment } from "./named-words.ts";
import { isWithin, realPath } from "./real-path.ts";
import { impliedScripts, isScriptName } from "./script-names.ts";

/** A file or folder that a command names, runs or reads as a script: its real path, and what it is now. */
export type NamedFile = { readonly path: string; readonly stamp: string };

/** The text of a command line, and where it runs. */
export type NamedFilesRequest = {
  readonly cwd: string;
  readonly home: string;
  readonly texts: readonly string[];
  /** Whether a program of the line may run what it names: then the files that those files name count too. */
  readonly runsCode: boolean;
  readonly isSecretPath: (path: string) => boolean;
};

const maxFiles = 1_000;
const maxTreeEntries = 5_000;
const maxFolders = 16;
const maxLookups = 200_000;
const maxTextBytes = 256 * 1024;
const maxWordsOfFile = 2_000;
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/proc", "/sys", "/dev", "/run"];
const foldersOfOthers = new Set(["node_modules", ".git", ".venv", "__pycache__"]);

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

/** The path of a file or folder that is no longer as it was found; null if all are. */
export async function findChangedFile(files: readonly NamedFile[]): Promise<string | null> {
  for (const { path, stamp } of files) {
    if (path === "") continue;
    const now = await identify(path, { mayRead: stamp.startsWith("sha256 ") });
    if (now?.stamp !== stamp) return path;
  }
  return null;
}

class NamedFilesSearch {
  readonly #request: NamedFilesRequest;
  readonly #listings = new FolderListings();
  readonly #found = new Map<string, string>();
  readonly #texts: { readonly path: string; readonly text: string }[] = [];
  readonly #trees = new Set<string>();
  #lookups = maxLookups;
  #treeEntries = maxTreeEntries;

  constructor(request: NamedFilesRequest) {
    this.#request = request;
  }

  result(): readonly NamedFile[] {
    const full = this.#found.size >= maxFiles || this.#lookups <= 0 || this.#treeEntries <= 0;
    return [...this.#found, ...(full ? [["", "there are more"] as const] : [])]
      .map(([path, stamp]) => ({ path, stamp }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  async run(): Promise<void> {
    const { cwd, home, texts, runsCode } = this.#request;
    const words = [...new Set(texts.flatMap((text) => findNamedWords(text, { cwd, home })))];
    await this.#add(cwd, true);
    const folders = await this.#foldersNamed([cwd], words);
    const entered = new Set(texts.flatMap(enteredFolders));
    for (const folder of folders) {
      for (const word of words) {
        for (const path of await this.#resolve(folder, word)) {
          const real = path === cwd ? cwd : await this.#add(path, true);
          if (real !== null && runsCode && !isPattern(word) && !entered.has(word))
            await this.#addTree(real, words);
        }
      }
    }
    if (!runsCode) return;
    await this.#addImplied(folders, words);
    for (const { path, text } of this.#texts) await this.#follow(path, text, folders);
  }

  /** The folders in which a word can be resolved: each folder that a word names, from each of the others. */
  async #foldersNamed(start: readonly string[], words: readonly string[]): Promise<readonly string[]> {
    const folders = [...new Set(start)];
    for (const folder of folders) {
      for (const word of words) {
        for (const path of await this.#resolve(folder, word)) {
          if (folders.length >= maxFolders) return folders;
          if (!folders.includes(path) && (await this.#isFolder(path))) folders.push(path);
        }
      }
    }
    return folders;
  }

  async #isFolder(path: string): Promise<boolean> {
    const real = await realPath("/", path).catch(() => null);
    if (real === null || systemFolders.some((folder) => isWithin(real, folder))) return false;
    return (await identify(real, { mayRead: false }))?.kind === "folder";
  }

  async #resolve(folder: string, word: string): Promise<readonly string[]> {
    if (this.#lookups <= 0) return [];
    this.#lookups -= 1;
    return this.#listings.resolve(folder, word, this.#request.runsCode);
  }

  /** Adds a file, and a folder that the line itself names. Returns the real path of a folder that was added. */
  async #add(path: string, ofLine: boolean): Promise<string | null> {
    const real = await realPath("/", path).catch(() => null);
    if (real === null || this.#found.has(real) || this.#found.size >= maxFiles) return null;
    if (systemFolders.some((folder) => isWithin(real, folder))) return null;
    const found = await identify(real, { mayRead: !this.#request.isSecretPath(real) });
    if (found === null || (found.kind === "folder" && !ofLine)) return null;
    this.#found.set(real, found.stamp);
    if (found.kind === "folder") return real;
    const text = this.#request.runsCode ? textOf(found.bytes) : null;
    if (text !== null && (ofLine || isScript(basename(real), text))) this.#texts.push({ path: real, text });
    return null;
  }

  /** Adds the scripts below a folder that the line names: a test runner or an interpreter may run them all. */
  async #addTree(root: string, words: readonly string[]): Promise<void> {
    if (this.#trees.has(root)) return;
    this.#trees.add(root);
    const forms = words.filter((word) => !word.includes("/") && !/^[*?.]*$/.test(word)).map(patternOfSegment);
    const folders = [root];
    for (const folder of folders) {
      for (const [name, kind] of await this.#listings.entries(folder)) {
        if (this.#treeEntries <= 0) return;
        this.#treeEntries -= 1;
        const path = join(folder, name);
        if (kind === "folder" && !foldersOfOthers.has(name)) folders.push(path);
        else if (
          kind === "file" &&
          (isScriptName(name) || !name.includes(".") || forms.some((form) => form.test(name)))
        )
          await this.#add(path, false);
      }
    }
  }

  /** Adds what the programs among the words read without being told. */
  async #addImplied(folders: readonly string[], words: readonly string[]): Promise<void> {
    for (const name of new Set(words.flatMap((word) => impliedScripts.get(basename(word)) ?? []))) {
      for (const folder of folders) {
        if (name === ".") await this.#addTree(folder, []);
        else for (const path of await this.#resolve(folder, name)) await this.#add(path, false);
      }
    }
  }

  /** Adds what a script names, in its own folder and in those where it may run. */
  async #follow(script: string, text: string, folders: readonly string[]): Promise<void> {
    const { cwd, home } = this.#request;
    const words = findNamedWords(text, { cwd, home })
      .filter((word) => !isPattern(word) || /\w{2}/.test(word))
      .slice(0, maxWordsOfFile);
    const around = await this.#foldersNamed([dirname(script), ...folders], words);
    for (const folder of around) {
      for (const word of words) {
        for (const path of await this.#resolve(folder, word)) await this.#add(path, false);
      }
    }
    await this.#addImplied(
      around,
      words.filter((word) => impliedScripts.get(word)?.includes(".") === false),
    );
  }
}

/** The folders that a line changes to: it uses what it names in them, not all that they hold. */
function enteredFolders(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|[\s;&|(])(?:cd|pushd)\s+(\S+)/g)].map(([, word = ""]) =>
    word.replace(/['"\\;)]/g, ""),
  );
}

function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.length > maxTextBytes || bytes.subarray(0, 1_000).includes(0)) return null;
  return new TextDecoder().decode(bytes);
}

function isScript(name: string, text: string): boolean {
  return isScriptName(name) || !name.includes(".") || text.startsWith("#!");
}
