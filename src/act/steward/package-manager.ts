import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Missing } from "./find-missing.ts";
import { plainName } from "./find-missing.ts";
import { brewPackages, debianPackages } from "./package-table.ts";

type Manager = {
  readonly program: string;
  readonly words: readonly string[];
  /** Names of packages that are not those of the programs. */
  readonly packages: ReadonlyMap<string, string>;
  readonly needsRoot: boolean;
};

const managers: readonly Manager[] = [
  {
    program: "/usr/bin/apt-get",
    words: ["install", "-y", "--no-install-recommends"],
    packages: debianPackages,
    needsRoot: true,
  },
  { program: "/usr/bin/dnf", words: ["install", "-y"], packages: brewPackages, needsRoot: true },
  { program: "/usr/bin/pacman", words: ["-S", "--noconfirm"], packages: brewPackages, needsRoot: true },
  {
    program: "/usr/bin/zypper",
    words: ["--non-interactive", "install"],
    packages: brewPackages,
    needsRoot: true,
  },
  { program: "/sbin/apk", words: ["add"], packages: brewPackages, needsRoot: true },
  { program: "/opt/homebrew/bin/brew", words: ["install"], packages: brewPackages, needsRoot: false },
  { program: "/usr/local/bin/brew", words: ["install"], packages: brewPackages, needsRoot: false },
];

/** Where the programs of a machine are looked for; another one in tests. */
export type Machine = { readonly has: (path: string) => boolean; readonly isRoot: boolean };

const thisMachine: Machine = { has: existsSync, isRoot: process.getuid?.() === 0 };

/** How a program is installed on this machine. */
export type Installation = {
  readonly program: string;
  readonly package: string;
  /** Whether the package is only taken for that of the program since it has the same name: nobody here knows what is in it. */
  readonly isGuessed: boolean;
  /** The words that install it, with `sudo` where this process is not root. */
  readonly argv: readonly string[];
};

/** How a program is installed here, by the kept table; a name that the table does not have is taken for its package's own where the package manager knows that one. Null where nothing is known. */
export async function findInstallation(
  program: string,
  machine: Machine = thisMachine,
): Promise<Installation | null> {
  const manager = managers.find(({ program: path }) => machine.has(path));
  if (manager === undefined || !plainName.test(program)) return null;
  const known = manager.packages.get(program);
  if (known === undefined && !(await isPackage(program, manager))) return null;
  const name = known ?? program;
  const words = [manager.program, ...manager.words, name];
  const asRoot = manager.needsRoot && !machine.isRoot;
  const isGuessed = known === undefined;
  return { program, package: name, isGuessed, argv: asRoot ? ["/usr/bin/sudo", "-n", ...words] : words };
}

/** Whether the package manager has a package of this name. Only apt can tell without the network; of others the name counts. */
async function isPackage(name: string, { program }: Manager): Promise<boolean> {
  if (!program.endsWith("apt-get")) return true;
  const found = await promisify(execFile)("/usr/bin/apt-cache", ["pkgnames", name], {
    timeout: 10_000,
  }).catch(() => null);
  return found?.stdout.split("\n").includes(name) === true;
}

/** The command that a person types to install a program; null where nothing is known. */
export async function installCommand(program: string, machine?: Machine): Promise<string | null> {
  const found = await findInstallation(program, machine);
  return found === null
    ? null
    : found.argv
        .filter((word) => word !== "-n")
        .map(baseName)
        .join(" ");
}

function baseName(word: string): string {
  return word.startsWith("/") ? word.slice(word.lastIndexOf("/") + 1) : word;
}

/** What to do about something that is missing, in words for the model and its owner. */
export async function adviceOn(
  { kind, name }: Missing,
  workspace: string | null,
  machine?: Machine,
): Promise<string> {
  if (kind === "program") {
    const found = await findInstallation(name, machine);
    if (found === null)
      return `No package with ${name} is known for this machine. Use another program, or ask the owner to install it.`;
    const has = found.isGuessed ? "has the same name, which may be another program" : `has ${name}`;
    return `The package ${found.package} ${has}: propose install-program with program "${name}", and with the command in "retry", so that it runs once ${name} is there. The owner is asked.`;
  }
  const command = workspace === null ? null : await manifestCommand({ kind, name }, workspace);
  return command === null
    ? `The module ${name} is missing, and no manifest of this folder names it. Do not guess its package: ask the owner.`
    : `The module ${name} is missing, and this folder's manifest names it: propose ${command} and then the command again.`;
}

/** The command that installs what the manifest of a folder names, where that names a module. */
async function manifestCommand({ kind, name }: Missing, folder: string): Promise<string | null> {
  const wanted = name.toLowerCase().replaceAll("_", "-");
  const names = async (file: string): Promise<boolean> => {
    const text = await readFile(join(folder, file), "utf8").catch(() => "");
    const words = text
      .toLowerCase()
      .replaceAll("_", "-")
      .split(/[^\w@/.-]+/);
    return words.includes(wanted);
  };
  if (kind === "node") return (await names("package.json")) ? "`npm install`" : null;
  if (await names("requirements.txt")) return "`pip install -r requirements.txt`";
  return (await names("pyproject.toml")) ? "`pip install .`" : null;
}
