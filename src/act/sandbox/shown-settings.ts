import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * What programs of the system read of `/etc` before they do anything, by the beginnings of its names there.
 * Their packages put it there and link to it from `/usr`, or the system's library looks it up.
 */
const names =
  "services protocols rpc mime.types manpath.config gai.conf host.conf java java- maven emacs groff perl python3 php texmf fonts " +
  "xml sgml vim terminfo inputrc papersize ImageMagick- GraphicsMagick- ghostscript pango gtk- OpenCL vulkan glvnd R lua";
const known = names.split(" ");
/** Of folders that hold more than settings of programs. */
const single = ["ssl/openssl.cnf", "X11/rgb.txt"];

/** What may hold a password of the owner, though each user of the machine may read it. */
const mayBeSecret =
  /passw|secret|credential|private|token|licen[cs]e|\.(?:key|pem|p12|jks|keystore)$|^(?:settings(?:-security)?\.xml|php\.ini|fpm|apache2|cgi)$/i;

/** Of a larger folder nothing is shown. */
const mostEntries = 3_000;

/**
 * The settings of the system's programs that every sandbox shows, read-only: what is root's and each user of
 * the machine may read, and has no name of a secret. A folder is shown whole where all in it is such, else
 * the rest of it entry by entry.
 */
export async function findShownSettings(etc = "/etc", owner = 0): Promise<readonly string[]> {
  const found = (await readdir(etc).catch(() => [])).filter(isKnown);
  const looks = await Promise.all([...found, ...single].map((name) => look(join(etc, name), owner)));
  return looks.flatMap(({ shown }) => shown);
}

/** Names end after what is known, or with the number of a version. */
function isKnown(name: string): boolean {
  return known.some((each) => name.startsWith(each) && /^[\d.]*(?:-openjdk)?$/.test(name.slice(each.length)));
}

type Look = { readonly shown: readonly string[]; readonly isWhole: boolean; readonly count: number };

const nothing: Look = { shown: [], isWhole: false, count: 1 };

async function look(path: string, owner: number): Promise<Look> {
  const status = await lstat(path).catch(() => null);
  const isRefused = status === null || mayBeSecret.test(basename(path)) || status.uid !== owner;
  if (isRefused || !isOpen(status)) return nothing;
  // Where it is not in a folder that is shown whole, what a link leads to would be shown in its place.
  if (status.isSymbolicLink()) return { shown: [], isWhole: true, count: 1 };
  if (status.isFile()) return { shown: [path], isWhole: true, count: 1 };
  const entries: Look[] = [];
  let count = 1;
  for (const name of await readdir(path).catch(() => [])) {
    const entry = await look(join(path, name), owner);
    count += entry.count;
    if (count > mostEntries) return { ...nothing, count };
    entries.push(entry);
  }
  if (entries.every(({ isWhole }) => isWhole)) return { shown: [path], isWhole: true, count };
  return { shown: entries.flatMap(({ shown }) => shown), isWhole: false, count };
}

/** Whether each user of the machine may read it. A link leads nowhere where that is not shown. */
function isOpen(status: Stats): boolean {
  if (status.isSymbolicLink()) return true;
  const asked = status.isDirectory() ? 0o005 : status.isFile() ? 0o004 : null;
  return asked !== null && (status.mode & asked) === asked;
}
