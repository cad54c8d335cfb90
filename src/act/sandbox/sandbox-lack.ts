import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../files/fallible.ts";

/**
 * Why programs cannot be sandboxed on this machine, as a clause, and what to do, without the last full stop.
 */
export type SandboxLack = { readonly isInstalled: boolean; readonly why: string; readonly remedy: string };

/** Where bubblewrap is looked for. */
export const bubblewrapPlaces = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];

/** Explains why `findSandbox` found none. `root` is the root of the system, in tests another folder. */
export function explainNoSandbox(root = "/"): SandboxLack {
  const isInstalled = bubblewrapPlaces.some((place) => existsSync(join(root, place)));
  if (!isInstalled)
    return {
      isInstalled,
      why: "bubblewrap (bwrap) is missing",
      remedy: "Install the package bubblewrap (Linux only)",
    };
  const why = "bubblewrap (bwrap) is installed, but may make no namespaces here";
  return { isInstalled, why, remedy: remedyFor(root) };
}

function remedyFor(root: string): string {
  const setting = (name: string): string | null => readSetting(join(root, "proc/sys", name));
  if (["/.dockerenv", "/run/.containerenv"].some((mark) => existsSync(join(root, mark))))
    return "This is a container. Start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined: it then confines less itself";
  if (setting("kernel/apparmor_restrict_unprivileged_userns") === "1")
    return "AppArmor forbids it to ordinary users (so does Ubuntu since 23.10). Allow it to all programs: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, and for good by that line in /etc/sysctl.d/60-userns.conf";
  if (setting("kernel/unprivileged_userns_clone") === "0")
    return "The kernel forbids it to ordinary users. Allow it: sudo sysctl kernel.unprivileged_userns_clone=1, and for good by that line in /etc/sysctl.d/60-userns.conf";
  if (setting("user/max_user_namespaces") === "0")
    return "The kernel allows no user namespaces. Allow some: sudo sysctl user.max_user_namespaces=10000, and for good by that line in /etc/sysctl.d/60-userns.conf";
  return "This shows what the system says: bwrap --unshare-all --ro-bind / / true";
}

function readSetting(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (["ENOENT", "EACCES"].includes(errorCode(error) ?? "")) return null;
    throw error;
  }
}
