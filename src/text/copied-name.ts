/**
 * How editors, synchronisation and people name a copy of a file: what is put around its name, or into it
 * before its ending.
 */
const markings: readonly RegExp[] = [
  // Emacs: the history of undo-tree, a lock, an autosave, a backup, a numbered backup.
  /^\.(?<name>.+)\.~undo-tree~$/,
  /^\.#(?<name>.+)$/,
  /^\.?#(?<name>.+)#$/,
  /^(?<name>.+)#$/,
  /^(?<name>.+?)\.?~\d*~?$/,
  // Vim, nano and Kate: a swap file, an undo file.
  /^\.(?<name>.+)\.(?:s[a-w][a-z]|un~|kate-swp)$/,
  /^(?<name>.+)\.(?:s[u-w][a-z]|un~|kate-swp)$/,
  // LibreOffice and Word: a lock.
  /^\.~lock\.(?<name>.+)#$/,
  /^~\$(?<name>.+)$/,
  // Backups by an ending, also with a number.
  /^(?<name>.+)[._-](?:bak|back|bck|backup|orig|old|new|mine|save|saved|autosave|tmp|temp|copy|prev|rej|part|partial)\d*$/,
  /^(?<name>.+)(?:bak|backup|old|orig)$/,
  // What a program writes before it takes the place of the file, as git does.
  /^(?<name>.+)\.lock$/,
  // By a date, also with the time of day.
  /^(?<name>.+)[._-]\d{4}-?\d\d-?\d\d(?:[t_.-]?\d\d[.:-]?\d\d(?:[.:-]?\d\d)?)?$/,
  // Packed or written as text.
  /^(?<name>.+)\.(?:gz|bz2|xz|zst|lz4|zip|7z|tar|tgz|txz|b64|base64|crdownload)$/,
  // RCS; disks with numbered versions; macOS on disks of others.
  /^(?<name>.+),v$/,
  /^(?<name>.+);\d+$/,
  /^\._(?<name>.+)$/,
  /^(?<name>.+)\.(?:dpkg-(?:old|dist|new|tmp)|ucf-(?:old|dist|new)|rpmsave|rpmnew|rpmorig|pacsave|pacnew|pacorig)$/,
  /^(?<name>.+)\.\d{1,3}$/,
  // Syncthing, Dropbox, Nextcloud, OneDrive.
  /^(?<name>.*)\.sync-conflict-\d{8}-\d{6}-[a-z0-9]+(?<ending>\.[^.]*)?$/,
  /^[.~]syncthing[.~](?<name>.+?)(?:\.tmp)?$/,
  /^(?<name>.*?) ?\([^()]*conflict[^()]*\)(?<ending>\.[^.]*)?$/,
  /^(?<name>.*?)_conflict-[\d-]+(?<ending>\.[^.]*)?$/,
  // File managers.
  /^(?<name>.+?) \d{1,3}(?<ending>\.[^.]*)?$/,
  /^(?<name>.*?) ?\((?:(?:another|\d+(?:st|nd|rd|th)) )?(?:(?:copy|[ck]opi[aeo]?)(?: \d+)?|\d+)\)(?<ending>\.[^.]*)?$/,
  /^(?<name>.*?)(?: -)? (?:copy|[ck]opi[aeo]?)(?: \d+| \(\d+\))?(?<ending>\.[^.]*)?$/,
  /^(?:copy|[ck]opi[aeo]?) (?:\(\d+\) )?(?:of|von|van|de|di) (?<name>.+)$/,
];

/** A backup of a file whose name begins with a dot, under a name that is shown. */
const shownBackup = /^(?<name>[^.].*?)[._-](?:bak|back|bck|backup|orig|old|save|saved)\d*$/;
/** What any of the markings has. */
const isMarked =
  /[#~]|copy|[ck]opi[aeo]?(?![a-z])|conflict|\(\d+\)|^\._|,v$|;\d+$| \d{1,3}(?:\.[^.]*)?$|\.lock$|(?:bak|backup|old|orig)$|\d{4}-?\d\d-?\d\d|\.(?:gz|bz2|xz|zst|lz4|zip|7z|tar|tgz|txz|b64|base64|crdownload)$|\.(?:s[a-w][a-z]|kate-swp|(?:dpkg|ucf)-\w+|(?:rpm|pac)\w+|\d+)$|[._-](?:bak|back|bck|backup|orig|old|new|mine|save|saved|autosave|tmp|temp|prev|rej|part|partial)\d*$/;
/** A copy of a copy of a copy is still looked at. */
const mostMarkings = 4;

/** A name in lower case, and the names of the files that it may be a copy of, the nearest first. */
export function copiedNames(name: string): readonly string[] {
  if (!isMarked.test(name)) return [name];
  const names = new Set([name]);
  let last: readonly string[] = [name];
  for (let round = 0; round < mostMarkings && last.length > 0; round += 1) {
    last = last.flatMap(withoutMarking).filter((one) => !names.has(one));
    for (const one of last) names.add(one);
  }
  return [...names];
}

function withoutMarking(name: string): readonly string[] {
  if (!isMarked.test(name)) return [];
  const shown = shownBackup.exec(name)?.groups?.["name"];
  const hidden = shown === undefined ? [] : [`.${shown}`];
  const found = markings.flatMap((marking) => {
    const { name: begin = "", ending = "" } = marking.exec(name)?.groups ?? {};
    const inner = begin + ending;
    if (inner === "" || inner === name) return [];
    // Some of the names put a dot in front, which a name with a dot of its own shares.
    return name.startsWith(".") && !inner.startsWith(".") ? [inner, `.${inner}`] : [inner];
  });
  return [...found, ...hidden];
}
