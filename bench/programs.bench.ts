import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openProgramFolders } from "../src/act/shell/program-folders.ts";
import { isSecretPath } from "../src/gate/secret-path.ts";
import { makeNeedles } from "../src/gate/secrets/needles.ts";
import { scanSecrets } from "../src/gate/secrets/secrets.ts";
import { bottomLabel } from "../src/signal/label.ts";
import { longestHold } from "./longest-hold.ts";

// Prints what a look through a declared folder of programs costs: the first one, later ones, and one after a file changed.
const counts = [10_000, 60_000];
const endings = [
  "py",
  "pyc",
  "py",
  "js",
  "so",
  "py",
  "pyc",
  "h",
  "js",
  "py",
  "map",
  "ts",
  "json",
  "py",
  "pyc",
];
const texts = ["METADATA", "LICENSE.txt", "setup.cfg", "README.md", "settings.toml"];

const home = await realpath(await mkdtemp(join(tmpdir(), "programs-bench-")));
try {
  for (const count of counts) {
    const folder = join(home, `.manager-${count}`);
    await fill(folder, count);
    const needles = makeNeedles(["a-key-of-the-bench-0123456789"]);
    const programs = openProgramFolders({
      named: [folder],
      searchPath: join(folder, "bin"),
      home,
      own: [],
      notes: [join(home, "memex")],
      isSecretPath: (path) => isSecretPath(path, home),
      holdsSecret: (text) => scanSecrets(text, needles).length > 0,
      labelOf: async () => bottomLabel,
    });
    const look = async (): Promise<void> => {
      const { problems } = await programs.look(null);
      if (problems.length > 0) throw new Error(problems.join());
    };
    await report(`${count} files, first look`, look);
    for (const time of ["second", "third"]) await report(`${count} files, ${time} look`, look);
    await writeFile(join(folder, "bin/tool"), "#!/bin/sh\n# another\n");
    await report(`${count} files, after one changed`, look);
  }
} finally {
  await rm(home, { recursive: true, force: true });
}

/** Seven of eight files are code, as in the packages of an interpreter. */
async function fill(folder: string, count: number): Promise<void> {
  const file = async (path: string, text: string, mode = 0o644): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode });
  };
  await file(join(folder, "bin/tool"), "#!/bin/sh\n", 0o755);
  for (let at = 0; at < count; at += 1) {
    const place = join(folder, `versions/3/lib/python3/site-packages/package${at >> 5}/part${(at >> 3) % 4}`);
    const name =
      at % 8 === 7 ? texts[(at >> 3) % texts.length] : `module${at}.${endings[at % endings.length]}`;
    await file(join(place, name ?? ""), `value = ${at}\n`.repeat(40));
  }
}

async function report(what: string, work: () => Promise<void>): Promise<void> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  const { longest } = await longestHold(work);
  const wall = performance.now() - begun;
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(
    `${what}: ${wall.toFixed(0)} ms by the clock, ${((user + system) / 1000).toFixed(0)} ms of the processor, held the loop ${longest.toFixed(0)} ms (target 100)\n`,
  );
}
