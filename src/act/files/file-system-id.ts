import { join } from "node:path";
import { namesIfThere } from "./names-if-there.ts";
import { statusIfThere } from "./status-if-there.ts";

/** Where the system lists the file systems by the id that each was given when it was made. */
const listed = "/dev/disk/by-uuid";

/** The id of the file system on a device, which another disk at the same place does not have; null where the system lists none. */
export async function fileSystemId(device: number, folder = listed): Promise<string | null> {
  for (const name of await namesIfThere(folder)) {
    const status = await statusIfThere(join(folder, name));
    if (status?.rdev === device) return name;
  }
  return null;
}
