/** The folders of the system's own programs. No workspace is among them, and no tool writes there. */
export const systemFolders: readonly string[] = (
  "/usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin " +
  "/opt/homebrew/bin /opt/local/bin /run/current-system/sw/bin /nix/var/nix/profiles/default/bin /snap/bin"
).split(" ");

/**
 * The `PATH` by which this program finds what it starts for itself, and by which that finds its own helpers.
 * The owner's may name a folder of a workspace, where anybody's clone has a `git`.
 */
export const systemPath = systemFolders.join(":");
