import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { openProgramFolders } from "../src/act/shell/program-folders.ts";
import type { ShellPorts } from "../src/act/shell/shell-ports.ts";
import { makeScratchFolder, sandboxFor, shellIn } from "../src/act/tools/shell/shell.fixture.ts";
import { makeNeedles } from "../src/gate/secrets/needles.ts";
import { scanSecrets } from "../src/gate/secrets/secrets.ts";

/** A home folder with programs, by the layouts of version managers; each program is a few lines of shell. */
export type ProgramHome = {
  readonly home: string;
  readonly workspace: string;
  /** Writes a file below the home folder; one that begins with `#!` can be run. */
  readonly file: (path: string, text: string) => Promise<string>;
  readonly link: (path: string, target: string) => Promise<void>;
  /** A shell tool whose `PATH` names folders below the home folder before the system's. */
  readonly shell: (
    searched: readonly string[],
    declared: readonly string[],
    changed?: Partial<ShellPorts> & { readonly mostEntries?: number },
  ) => ReturnType<typeof shellIn>;
};

/**
 * Makes an empty home with a workspace, notes and state in it; null, and the test is skipped, where there is
 * no sandbox.
 */
export async function makeProgramHome(context: TestContext): Promise<ProgramHome | null> {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const home = join(await makeScratchFolder(context), "home");
  const [workspace, notes, state] = ["work/site", "memex", ".local/state/passepartout"].map((path) =>
    join(home, path),
  ) as [string, string, string];
  for (const folder of [workspace, notes, state]) await mkdir(folder, { recursive: true });
  const isSecretPath = (path: string): boolean =>
    /\/(?:\.ssh|\.env|\.npmrc|id_rsa|[^/]*\.pem)(?:\/|$)/.test(path);
  const needles = makeNeedles([]);
  const made = async (path: string): Promise<string> => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    return join(home, path);
  };
  return {
    home,
    workspace,
    file: async (path, text) => {
      const at = await made(path);
      await writeFile(at, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
      return at;
    },
    link: async (path, target) => symlink(target, await made(path)),
    shell: (searched, declared, { mostEntries, ...changed } = {}) => {
      const searchPath = [...searched.map((folder) => join(home, folder)), "/usr/bin", "/bin"].join(":");
      const programFolders = openProgramFolders({
        named: declared.map((folder) => join(home, folder)),
        searchPath,
        home,
        notes: [notes],
        own: [state],
        isSecretPath,
        holdsSecret: (text) => scanSecrets(text, needles).length > 0,
        ...(mostEntries === undefined ? {} : { mostEntries }),
      });
      const common = { sandbox, isSecretPath, hidden: [state], home, searchPath, programFolders };
      return shellIn(workspace, { ...common, ...changed });
    },
  };
}
