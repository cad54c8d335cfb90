/**
 * What starts bubblewrap. `knowsAll`: in a user namespace where each user and group is who it is outside, so
 * that bubblewrap makes none of its own.
 */
export type Start = { readonly before: readonly string[]; readonly knowsAll: boolean };

/**
 * For root, the devices come from a mount that is read-only: they are files of root, whose modes the program
 * could change. They can be read and written all the same.
 */
const devices = "/usr/bin/mount -o rbind,ro /dev /dev";

/**
 * Root may give a namespace all users that itself knows, which only a process outside of it can do: the one
 * in braces, once the shell left the outer namespace by `unshare`. No further user namespace can be made in
 * it. Bubblewrap alone knows one user: files of all others would be nobody's, and closed to root.
 */
const knowingAll = `${devices} || exit 1
ids() { while read -r first _ count; do echo "$first $first $count"; done < "/proc/self/$1"; }
users=$(ids uid_map) groups=$(ids gid_map) outer=$(/usr/bin/readlink "/proc/$$/ns/user") || exit 1
{ while [ "$(/usr/bin/readlink "/proc/$$/ns/user")" = "$outer" ]; do :; done
echo "$users" > "/proc/$$/uid_map"; echo "$groups" > "/proc/$$/gid_map"; } < /dev/null > /dev/null 3<&- 4<&- 5<&- &
exec /usr/bin/unshare --user /bin/sh -c 'tries=0
until read -r _ < /proc/self/gid_map; do tries=$((tries + 1)); [ "$tries" -lt 300000 ] || exit 1; done
exec /bin/sh -c '\\''echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'\\'' sandbox "$@"' sandbox "$@"`;

/** The ways to start bubblewrap, the best first. */
export function startingWords(isRoot: boolean): readonly Start[] {
  if (!isRoot) return [{ before: [], knowsAll: false }];
  const inMounts = (script: string) => ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sandbox"];
  return [
    { before: inMounts(knowingAll), knowsAll: true },
    { before: inMounts(`${devices} && exec "$@"`), knowsAll: false },
    { before: [], knowsAll: false },
  ];
}

/**
 * The options of bubblewrap for the users of its namespace. Where root knows all of them, it may read and
 * change their visible files as it may outside, and give none away.
 */
export function userOptions(knowsAll: boolean): readonly string[] {
  const separate = "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try".split(" ");
  if (knowsAll)
    return [...separate, "--cap-drop", "ALL", "--cap-add", "CAP_DAC_OVERRIDE", "--cap-add", "CAP_FOWNER"];
  return ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL", ...ownIds()];
}

/**
 * The user and group inside are those outside, also where the sandbox is started in a namespace of its own.
 */
function ownIds(): readonly string[] {
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  return user === undefined || group === undefined ? [] : ["--uid", String(user), "--gid", String(group)];
}
