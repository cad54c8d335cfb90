import { readdir } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { pushAll } from "../../text/lists.ts";
import { showsOwnProcess } from "../files/kernel-files.ts";
import { type GlobSegment, readGlobSegment } from "./glob-segment.ts";
import type { SimpleCommand } from "./program.ts";

/** Where patterns are looked up. */
export type GlobPlace = {
  readonly cwd: string;
  readonly mayLook: boolean;
  readonly exists: (path: string) => Promise<boolean>;
  /** Whether a folder is one whose names no command sees: its patterns are left to the sandbox. */
  readonly isHidden: (folder: string) => Promise<boolean>;
};

/** How many words a command may have after its patterns are replaced. */
const maxWords = 2_000;

/**
 * The command with each pattern replaced by the names that it stands for, in order, as bash does before it
 * starts a program; or why that cannot be known. A pattern that matches nothing in its own Unicode form
 * stands for the names of the same look (a Mac writes `é` as two characters), else for itself.
 */
export async function expandGlobs(command: SimpleCommand, place: GlobPlace): Promise<SimpleCommand | string> {
  const { globs = [], ...plain } = command;
  if (globs.length === 0) return plain;
  const patterns = new Map(globs.map(({ at, pattern }) => [at, pattern]));
  const argv: string[] = [];
  const found: string[] = [];
  for (const [index, word] of command.argv.entries()) {
    const pattern = patterns.get(index);
    const names = pattern === undefined ? [word] : await namesOf(pattern, word, place);
    if (typeof names === "string") return names;
    pushAll(argv, names);
    if (pattern !== undefined)
      pushAll(
        found,
        names.map((name) => resolve(place.cwd, name)),
      );
    if (argv.length > maxWords) return `its patterns stand for more than ${maxWords} files`;
  }
  return { ...plain, argv, found };
}

async function namesOf(pattern: string, word: string, place: GlobPlace): Promise<readonly string[] | string> {
  const segments: PatternSegment[] = [];
  for (const part of pattern.split("/")) {
    const segment = readGlobSegment(part);
    const composed = readGlobSegment(part.normalize("NFC"));
    if (segment === null || composed === null)
      return "it has a pattern whose characters depend on the language";
    const isPlain = segment.isLiteral && /^\p{ASCII}*$/u.test(part);
    segments.push({ ...segment, looksLike: (name) => !isPlain && composed.matches(name.normalize("NFC")) });
  }
  const names = place.mayLook ? await walk(segments, place) : [];
  if (typeof names === "string") return names;
  const option = names.find((name) => name.startsWith("-"));
  if (option !== undefined)
    return `its pattern ${word} stands for ${option}, which a program takes as an option`;
  if (names.length > 0) return names;
  return segments.some(mayHide) ? `its pattern ${word} could stand for a secret file` : [word];
}

/** A segment, and whether a name of another Unicode form looks like what it matches. */
type PatternSegment = GlobSegment & { readonly looksLike: (name: string) => boolean };

async function walk(
  segments: readonly PatternSegment[],
  { cwd, exists, isHidden }: GlobPlace,
): Promise<readonly string[] | string> {
  let found = [""];
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const next: string[] = [];
    for (const base of found) {
      const end = isLast ? "" : "/";
      const isThere = segment.isLiteral && (await exists(placed(`${base}${segment.text}`, cwd)));
      if (isThere) next.push(`${base}${segment.text}${end}`);
      else {
        if (await isHidden(placed(base, cwd))) return "it has a pattern in a folder of the agent itself";
        if (await showsOwnProcess(placed(base, cwd)))
          return "it has a pattern in a folder that shows each program itself";
        const below = await entriesOf(base, cwd);
        const exact = segment.isLiteral ? [] : below.filter(segment.matches);
        const names = exact.length > 0 ? exact : below.filter(segment.looksLike);
        pushAll(
          next,
          names.map((name) => `${base}${name}${end}`),
        );
      }
      if (next.length > maxWords) return `its patterns stand for more than ${maxWords} files`;
    }
    found = next;
  }
  const there = await Promise.all(
    found.map(async (name) => ((await exists(placed(name, cwd))) ? [name] : [])),
  );
  return there.flat();
}

function placed(name: string, cwd: string): string {
  return isAbsolute(name) ? name : join(cwd, name);
}

/** The names in a folder, in the order of bash in the language C; none where it cannot be listed. */
async function entriesOf(base: string, cwd: string): Promise<readonly string[]> {
  const names = await readdir(placed(base, cwd)).catch((fault: unknown) => {
    if (fault instanceof Error && "code" in fault) return [];
    throw fault;
  });
  return names.sort();
}

/** Whether a pattern that was not looked up, or matches nothing now, is made for names of secret files. */
function mayHide(segment: GlobSegment): boolean {
  return !segment.isLiteral && !ordinaryText.test(segment.text) && secretNames.some(segment.matches);
}

/** What of a pattern names no secret by itself: nothing, a dot, or an ending that ordinary files have too. */
const ordinaryText = /^\.?(?:json|ya?ml|toml|csv|db|txt|sqlite)?$/;
const secretNames = (
  ".env .env.local prod.env .ssh .gnupg .aws .azure .kube .docker .config .netrc .npmrc .pypirc .git .git-credentials .pgpass .my.cnf .s3cfg .vault-token " +
  ".bash_history .zsh_history .password-store .secrets .credentials .mozilla .Xauthority .bashrc .profile id_rsa id_dsa id_ecdsa id_ed25519 " +
  "server.pem server.key cert.p12 cert.pfx store.jks passwords.kdbx mail.gpg host.keytab client.ovpn credentials.json credentials.csv token.json " +
  "client_secret.json service-account.json secrets.yml secrets.yaml secrets.json secrets.toml wallet.dat cookies.sqlite logins.json key4.db " +
  "terraform.tfstate master.key shadow gshadow sudoers passwd passwords.txt environ authorized_keys keyrings wallet"
).split(" ");
