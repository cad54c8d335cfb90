// Packs like npm pack, and puts this platform's Node into the package: passepartout-VERSION-PLATFORM.tgz in the working folder.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, error } = spawnSync(program, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed (${status})`);
  return stdout.toString();
}

function packFull(target: string): string {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-pack-"));
  try {
    const plain = run("npm", ["pack", "--pack-destination", folder, "--loglevel=error"], root)
      .trim()
      .split("\n")
      .at(-1);
    run("tar", ["-xzf", plain ?? ""], folder);
    const staged = join(folder, "package");
    const node = realpathSync(process.execPath);
    mkdirSync(join(staged, "runtime", "bin"), { recursive: true });
    copyFileSync(node, join(staged, "runtime", "bin", "node"));
    copyFileSync(join(dirname(dirname(node)), "LICENSE"), join(staged, "runtime", "LICENSE"));
    const file = join(staged, "package.json");
    const platform = `"os": ["${process.platform}"],\n  "cpu": ["${process.arch}"],`;
    writeFileSync(file, readFileSync(file, "utf8").replace("{", `{\n  ${platform}`));
    const full = join(
      target,
      `${(plain ?? "").replace(/\.tgz$/, "")}-${process.platform}-${process.arch}.tgz`,
    );
    run("tar", ["-czf", full, "package"], folder);
    return full;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

process.stdout.write(`${packFull(resolve(process.argv[2] ?? "."))}\n`);
