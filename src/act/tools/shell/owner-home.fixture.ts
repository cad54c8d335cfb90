import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { openInstalledPrograms } from "../../shell/installed-programs.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { makeScratchFolder, sandboxFor, shellIn } from "./shell.fixture.ts";

/** A home folder with programs, by the layouts of version managers; each program is a few lines of shell. */
export type OwnerHome = {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly state: string;
  readonly notes: string;
  /** Writes a file; one that begins with `#!` can be run. Paths are below the folder of all. */
  readonly file: (path: string, text: string) => Promise<void>;
  readonly link: (path: string, target: string) => Promise<void>;
  /** A shell tool whose `PATH` names folders of it, before the system's. */
  readonly shell: (
    folders: readonly string[],
    variables?: Readonly<Record<string, string>>,
    changed?: Partial<ShellPorts>,
  ) => ReturnType<typeof shellIn>;
};

/** Makes an empty home with a workspace, notes and state in it; null, and the test is skipped, where there is no sandbox. */
export async function makeOwnerHome(context: TestContext): Promise<OwnerHome | null> {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const root = await makeScratchFolder(context);
  const [home, workspace] = [join(root, "home"), join(root, "home", "work", "site")];
  const [state, notes] = [join(home, ".local", "state", "passepartout"), join(home, "memex")];
  for (const folder of [workspace, state, notes]) await mkdir(folder, { recursive: true });
  const isSecretPath = (path: string): boolean =>
    /\/(?:\.ssh|\.gnupg|\.env|\.netrc|\.npmrc|id_rsa|[^/]*\.pem)(?:\/|$)|\/\.cargo\/credentials/.test(path);
  const scan = (text: string): readonly string[] => text.match(/token-[0-9]+/g) ?? [];
  const made = async (path: string): Promise<string> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  return {
    root,
    home,
    workspace,
    state,
    notes,
    file: async (path, text) => {
      await writeFile(await made(path), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    },
    link: async (path, target) => symlink(target, await made(path)),
    shell: (folders, variables = {}, changed = {}) => {
      const searchPath = [...folders.map((folder) => join(root, folder)), "/usr/bin", "/bin"].join(":");
      const folderVariables = new Map(
        Object.entries(variables).map(([name, folder]) => [name, join(root, folder)]),
      );
      const places = { home, notes, own: [state] };
      const programs = openInstalledPrograms({
        searchPath,
        folderVariables,
        isSecretPath,
        scan,
        folders: places,
      });
      const common = { sandbox, isSecretPath, hidden: [state], home, searchPath, programs };
      return shellIn(workspace, { ...common, ...changed });
    },
  };
}
