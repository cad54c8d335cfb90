import { dirname, join, relative, resolve } from "node:path";
import type { CalledResult, WrittenFiles } from "../../signal/called-result.ts";
import { isInside } from "../../text/is-inside.ts";
import { stringsIn } from "../../text/json.ts";
import { pushAll } from "../../text/lists.ts";
import { readWholeFile } from "../files/contents.ts";
import type { CommandOverlays, Displaced } from "./command-overlays.ts";

/** What is known of what the agent changed: in single files, and by commands, as sets of their folders. */
export type AgentChangePorts = {
  readonly changes: {
    readonly ofFile: (path: string) => Promise<readonly AgentChange[]>;
    readonly preImage: (id: string) => Promise<{ readonly status: string; readonly bytes?: Uint8Array }>;
    readonly neededCommands: () => Promise<ReadonlyMap<string, string>>;
  };
  readonly overlays: Pick<CommandOverlays, "displacedBy">;
};

/** A change of a file: the blobs with what it held before and after; null where there was no file. */
type AgentChange = {
  readonly preImage: string | null;
  readonly after: string | null;
  readonly undone: boolean;
};

/**
 * Makes the look at files that results show: the words that the agent itself brought into them, by the id of
 * each result. They were not there before one of its changes, and were there after it.
 */
export function makeWrittenFiles(
  ports: AgentChangePorts,
): (results: readonly CalledResult[], folder: string) => Promise<WrittenFiles> {
  return async (results, folder) => {
    const commands = new CommandChanges(ports);
    const written = new Map<string, readonly string[]>();
    for (const { id, content } of results) {
      const texts = stringsIn(content);
      const paths = texts
        .filter(({ path }) => path.endsWith("/path"))
        .map(({ text }) => resolve(folder, text));
      const shown = texts.map(({ text }) => text).join("\n");
      const words: string[] = [];
      for (const path of new Set(paths)) {
        pushAll(words, await byTools(ports, path, shown));
        pushAll(words, await byCommands(commands, path, shown));
      }
      if (words.length > 0) written.set(id, words);
    }
    return written;
  };
}

async function byTools(
  { changes }: AgentChangePorts,
  path: string,
  shown: string,
): Promise<readonly string[]> {
  const textOf = async (blob: string | null, otherwise: string): Promise<string> => {
    if (blob === null) return "";
    const { bytes } = await changes.preImage(blob);
    return bytes === undefined ? otherwise : Buffer.from(bytes).toString();
  };
  const made = (await changes.ofFile(path)).filter(({ undone }) => !undone);
  return Promise.all(
    made.map(async ({ preImage, after }) => newWords(await textOf(preImage, ""), await textOf(after, shown))),
  );
}

/** What a command wrote is what stands there now and did not before. */
async function byCommands(commands: CommandChanges, path: string, shown: string): Promise<readonly string[]> {
  const words: string[] = [];
  for (const { path: changed, kept } of await commands.around(path)) {
    const before = kept === null ? null : await readWholeFile(join(kept, relative(changed, path)));
    const text = before?.ok === true ? Buffer.from(before.value?.bytes ?? []).toString() : "";
    words.push(newWords(text, shown));
  }
  return words;
}

/** The changes of kept commands. A look reads each set once, and only where a path stands in its folder. */
class CommandChanges {
  readonly #ports: AgentChangePorts;
  readonly #sets = new Map<string, Promise<ReadonlyMap<string, readonly Displaced[]>>>();
  #needed: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(ports: AgentChangePorts) {
    this.#ports = ports;
  }

  /** What commands put something else in the place of, where it is a path or a folder around it. */
  async around(path: string): Promise<readonly Displaced[]> {
    this.#needed ??= this.#ports.changes.neededCommands();
    const found: Displaced[] = [];
    for (const [set, folder] of await this.#needed) {
      if (!isInside(folder, path)) continue;
      const displaced = await this.#read(set);
      for (const part of withParents(path)) pushAll(found, displaced.get(part) ?? []);
    }
    return found;
  }

  #read(set: string): Promise<ReadonlyMap<string, readonly Displaced[]>> {
    const known = this.#sets.get(set);
    if (known !== undefined) return known;
    const displaced = this.#ports.overlays
      .displacedBy(set)
      .then((all) => Map.groupBy(all, (one) => one.path));
    this.#sets.set(set, displaced);
    return displaced;
  }
}

/** A path and the folders around it. */
function withParents(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

/** The words of a text that another one has not; an address is one word. */
function newWords(before: string, after: string): string {
  const old = new Set(wordsOf(before));
  return wordsOf(after)
    .filter((word) => !old.has(word))
    .join(" ");
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s()<>[\]{}"'`|]+/u);
}
