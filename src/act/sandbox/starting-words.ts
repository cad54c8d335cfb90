/**
 * What starts bubblewrap. `knowsAll`: in a user namespace where each user and group is who it is outside, so
 * that bubblewrap makes none of its own.
 */
export type Start = { readonly before: readonly string[]; readonly knowsAll: boolean };

/**
 * What the mounts of devices forbid. In a namespace of users no mount may forbid less than the one that it
 * comes from.
 */
const readOnly = "ro,nosuid,noexec";

/**
 * For root, the devices come from mounts that are read-only: they are files of root, whose modes the program
 * could change. They can be read and written all the same. In a container, a device may be a mount of its
 * own, which stays as it was when that of `/dev` becomes read-only.
 */
const devices = `{ /usr/bin/mount -o rbind,${readOnly} /dev /dev && while read -r _ _ _ _ at _; do case "$at" in
/dev/null|/dev/zero|/dev/full|/dev/random|/dev/urandom|/dev/tty) /usr/bin/mount -o remount,bind,${readOnly} "$at" || exit 1;;
esac; done < /proc/self/mountinfo; }`;

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
  const inMounts = (script: string, ...users: readonly string[]) => {
    const shell = ["/bin/sh", "-c", script, "sandbox"];
    return ["/usr/bin/unshare", ...users, "--mount", ...shell];
  };
  const knowingOne = `${devices} && exec "$@"`;
  return [
    { before: inMounts(knowingAll), knowsAll: true },
    { before: inMounts(knowingOne), knowsAll: false },
    { before: inMounts(knowingOne, "--user", "--map-root-user"), knowsAll: false },
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
