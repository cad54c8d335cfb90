import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a person types in a folder to run this program: in a clone the path of its launcher, else the name of the installed command. */
export function ownCommand(folder: string, main: string = process.argv[1] ?? ""): string {
  const root = dirname(dirname(main));
  const launcher = join(root, "passepartout");
  if (!existsSync(launcher)) return "passepartout";
  return folder === root ? "./passepartout" : launcher;
}
