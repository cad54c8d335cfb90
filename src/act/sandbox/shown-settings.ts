import type { Stats } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { copiedNames } from "../../text/copied-name.ts";
import { secretFileNames, secretFilePatterns, secretFolderNames } from "../../text/secret-names.ts";

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

/** What may hold a password of the owner, though each user of the machine may read it, as may its copies. */
const mayBeSecret =
  /passw|secret|credential|private|token|licen[cs]e|authinfo|netrc|npmrc|^\.|\.(?:key|pem|p12|jks|keystore)\b|^(?:settings.*\.xml|php\.ini|renviron\.site|rprofile\.site)|^(?:fpm|apache2|cgi)$/;
const secretNames = new Set(
  [secretFileNames, secretFolderNames]
    .flatMap((each) => Object.values(each))
    .flatMap((each) => each.split(" ")),
);

/** Modules of PHP may have a login or a licence in the file that loads them. */
const givesSecret = /(?:passw|secret|credential|token|licen[cs]e|api_?key)[^=\n]*=[ \t"']*[^\s;"']/i;

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
  const isRefused = status === null || isSecretName(basename(path)) || status.uid !== owner;
  if (isRefused || !isOpen(status)) return nothing;
  // Where it is not in a folder that is shown whole, what a link leads to would be shown in its place.
  if (status.isSymbolicLink()) return { shown: [], isWhole: true, count: 1 };
  if (status.isFile())
    return (await holdsSecret(path)) ? nothing : { shown: [path], isWhole: true, count: 1 };
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

/** Whether a name, or what it is a copy of, is that of a secret. */
function isSecretName(name: string): boolean {
  return copiedNames(name.toLowerCase()).some(
    (each) =>
      mayBeSecret.test(each) ||
      secretNames.has(each) ||
      secretFilePatterns.some(({ pattern }) => pattern.test(each)),
  );
}

/** Whether a file of `.ini`, or its copy, gives a secret. What cannot be read counts as such. */
async function holdsSecret(path: string): Promise<boolean> {
  if (!/\.ini\b/i.test(basename(path))) return false;
  const text = await readFile(path, "utf8").catch(() => null);
  return text === null || givesSecret.test(text);
}

/** Whether each user of the machine may read it. A link leads nowhere where that is not shown. */
function isOpen(status: Stats): boolean {
  if (status.isSymbolicLink()) return true;
  const asked = status.isDirectory() ? 0o005 : status.isFile() ? 0o004 : null;
  return asked !== null && (status.mode & asked) === asked;
}
