import { open } from "node:fs/promises";
import { basename } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { isShownSystem } from "../sandbox/system-folders.ts";
import { type Binary, findProgram } from "./binary.ts";
import { type EndNote, noEndNote } from "./end-note.ts";
import { shortEnvironment } from "./environment.ts";
import type { PlannedCommand } from "./plan.ts";
import type { ShownPrograms } from "./program-folders.ts";
import type { Execution } from "./shell-ports.ts";

/** Programs that version managers install, and that scripts start by their names. */
const managed: ReadonlySet<string> = new Set(
  (
    "node npm npx pnpm yarn corepack tsc bun deno python python3 pip pip3 poetry pipenv uv uvx pytest ruby gem " +
    "bundle rake cargo rustc rustup go java javac mvn gradle kotlin scala php composer elixir mix erl ghc stack " +
    "dotnet terraform perl lua swift zig"
  ).split(" "),
);

/** A program that `PATH` finds, and what commands see in its place. */
export type UnseenProgram = {
  readonly name: string;
  readonly path: string;
  readonly real: string;
  /** The system's program of this name, which a script would start; null where there is none. */
  readonly instead: string | null;
};

/** What is looked up, where. */
type Lookup = { readonly searchPath: string; readonly cwd: string; readonly workspace: string | null };

/** Which of some programs `PATH` finds where commands do not see what lies beside them. */
export async function unseenOf(
  names: Iterable<string>,
  { searchPath, cwd, workspace }: Lookup,
  shown: readonly string[],
): Promise<readonly UnseenProgram[]> {
  const seen = [...shown, ...(workspace === null ? [] : [workspace])];
  const found: UnseenProgram[] = [];
  for (const name of names) {
    const { binary } = await findProgram(name, searchPath, cwd);
    if (binary === null || isShownSystem(binary.real) || seen.some((folder) => isInside(folder, binary.real)))
      continue;
    const instead = (await findProgram(basename(name), sandboxPath, cwd)).binary;
    found.push({
      name: basename(name),
      path: binary.path,
      real: binary.real,
      instead: instead?.path ?? null,
    });
  }
  return found;
}

/** The programs of version managers that a person may have. */
export function managedPrograms(): Iterable<string> {
  return managed;
}

/**
 * Makes what is said at the end of a line of its programs that commands do not see whole: where it failed,
 * and where it may have started another one of the same name.
 */
export async function findUnseenPrograms(
  commands: readonly PlannedCommand[],
  { ports, given }: Pick<Execution, "ports" | "given">,
  programs: ShownPrograms,
): Promise<(failed: boolean) => EndNote> {
  const { programFolders } = ports;
  if (ports.sandbox === null || programFolders === undefined) return () => noEndNote;
  const shown = programs.folders.map(({ to }) => to);
  const own = commands.flatMap(({ binary }) => (binary === null ? [] : [binary]));
  const direct = await unseenOf(new Set(own.map(({ path }) => path)), given, shown);
  const words = commands.flatMap(({ argv, proof }) => (proof === null ? argv.slice(1) : []));
  const named = words.flatMap((word) => word.slice(0, 10_000).match(/[\w.+-]+/g) ?? []);
  const started = [...named, ...(await Promise.all(own.map(interpreterOf))).flat()];
  const others = await unseenOf(new Set(started.filter((name) => managed.has(name))), given, shown);
  return (failed) => {
    const other = others.filter(({ instead }) => failed || instead !== null);
    const told = [...(failed ? direct.map(tellDirect) : []), ...other.map(tellUnseen)];
    const all = [...(failed ? direct : []), ...other].flatMap(({ path, real }) => [path, real]);
    return told.length === 0
      ? noEndNote
      : { note: [...told, howToSee(programFolders.howToDeclare(all), "/config set")].join(" "), advice: "" };
  };
}

function tellDirect({ name, path }: UnseenProgram): string {
  return `${name} is ${path}, of which commands see that one file, and nothing beside it.`;
}

/** Says which program commands take in the place of one of `PATH`. */
export function tellUnseen({ name, path, instead }: UnseenProgram): string {
  return instead === null
    ? `${name} is ${path}, and no script in the sandbox finds it.`
    : `${name} by its name is ${instead} for commands, and not ${path}, which PATH has first.`;
}

/**
 * What the owner does so that commands see programs: `value` is what declares their folders, and null where
 * that cannot be.
 */
export function howToSee(value: string | null, command: string): string {
  return value === null
    ? "They lie among other files, so commands see none of these. Install them in a folder of their own, and name that in PROGRAM_FOLDERS."
    : `So that commands see them with all that lies beside them, their owner declares their folder, and starts the agent anew: ${command} PROGRAM_FOLDERS ${value}`;
}

/** The program that `env` would start a script with. */
async function interpreterOf({ path }: Binary): Promise<readonly string[]> {
  const file = await open(path).catch(() => null);
  if (file === null) return [];
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return (
      buffer
        .toString("latin1", 0, bytesRead)
        .match(/^#![^\n]*\benv\s+(?:-S\s+)?([\w.+-]+)/)
        ?.slice(1) ?? []
    );
  } finally {
    await file.close();
  }
}

const sandboxPath = new Map(shortEnvironment(true)).get("PATH") ?? "";
