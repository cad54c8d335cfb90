import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FirstProcess } from "./first-process.ts";

/** Whether every process in a sandbox sleeps. Where nobody can look, silence counts. */
export async function areAsleep(first: FirstProcess | null): Promise<boolean> {
  if (first === null) return true;
  const folder = join("/proc", String(first.pid), "root", "proc");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const states = await Promise.all(
    names.map(async (name) => {
      const status = await readFile(join(folder, name, "stat"), "utf8").catch(() => "");
      return status.slice(status.lastIndexOf(")") + 2).charAt(0);
    }),
  );
  return !states.some((state) => "RD".includes(state) && state !== "");
}
