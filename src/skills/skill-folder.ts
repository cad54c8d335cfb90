import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SkillFile } from "./open-skills.ts";
import { largestSkill } from "./read-skill-file.ts";

/** The files of a folder of skills, by name; none where there is no folder. What has the name of a file and is none is among them, so that whoever reads it is told. */
export async function listSkillFiles(folder: string): Promise<readonly SkillFile[]> {
  const names = await namesIn(folder);
  const files = names.filter((name) => name.endsWith(".org") && !/^[.#]/.test(name)).sort();
  const root = files.length === 0 ? folder : await realpath(folder);
  const found = await Promise.all(files.map((file) => statSkillFile(folder, root, file)));
  return found.filter((file) => file !== null);
}

/** Null for a file that just vanished. */
async function statSkillFile(folder: string, root: string, file: string): Promise<SkillFile | null> {
  const place = join(folder, file);
  const path = await realpath(place).catch(() => null);
  const about = await (path === null ? lstat : stat)(place, { bigint: true }).catch(() => null);
  if (about === null) return null;
  const version = `${about.ino} ${about.size} ${about.mtimeNs}`;
  return path === null || dirname(path) === root ? { file, version } : { file, version, link: path };
}

/** The text of a skill's file. Throws where it cannot be read, is no plain file or is too large. */
export async function readSkillText(folder: string, file: string): Promise<string> {
  return (await readPlainFile(join(folder, file), largestSkill * 4)).toString("utf8");
}

/** The bytes of a plain file. Throws in words where it is anything else or has more than so many; it waits for no pipe. */
export async function readPlainFile(path: string, mostBytes: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(async (error: unknown) => {
    const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink() ?? false;
    throw isLink ? new Error(`${path} is a link to no file that can be read. Mend or remove it.`) : error;
  });
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw new Error(`${path} is a folder, a pipe or a device, and no plain file.`);
    if (about.size > mostBytes)
      throw new Error(`${path} has ${about.size} bytes. At most ${mostBytes} are read.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Writes the file of a skill that is not there yet, and gives its path. Throws where there is one. */
export async function writeNewSkill(folder: string, file: string, text: string): Promise<string> {
  const path = join(folder, file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path, text, { flag: "wx", mode: 0o600 });
  return path;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
