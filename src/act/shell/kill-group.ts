import type { ChildProcess } from "node:child_process";

/** Kills the child's own process group; false for one that is already gone, which is no error. */
export function killGroup(child: ChildProcess): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, "SIGKILL");
  } catch (fault) {
    const gone =
      fault instanceof Error && "code" in fault && (fault.code === "ESRCH" || fault.code === "EPERM");
    if (!gone) throw fault;
    return false;
  }
}
