import { basename } from "node:path";
import { readWholeFile } from "../../../act/files/contents.ts";
import { entryIfThere } from "../../../act/files/status-if-there.ts";
import { sha256 } from "../../../machine/digest.ts";
import { bottomLabel, joinAll, type Label } from "../../../signal/label.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { makeMemoryPorts } from "./memory-ports.ts";

/** Characters of a path that are looked at, and how many paths of a text. */
const longestPath = 4096;
const mostPaths = 1000;

/**
 * A text of the program without the names of private files. A path is private where the file, or what it held
 * before it was changed, is, where its name was made from private text, and where nobody can tell: a path
 * with nothing there that no change is known of.
 */
export async function hidePrivateNames(resources: LoopResources, text: string): Promise<string> {
  const lines: string[] = [];
  let left = mostPaths;
  for (const line of text.split("\n")) {
    let shown = "";
    let rest = line;
    for (let found = pathIn(rest); found !== null && left > 0; found = pathIn(rest)) {
      left -= 1;
      const path = await pathAt(resources, rest.slice(found));
      const isPrivate = path.label.secrecy !== "public";
      shown += rest.slice(0, found) + (isPrivate ? hiddenName : rest.slice(found, found + path.length));
      rest = rest.slice(found + path.length);
    }
    lines.push(left > 0 ? shown + rest : hiddenName);
  }
  return lines.join("\n");
}

const hiddenName = "(a private file)";

/** Where the next absolute path, or one below the home folder, begins. */
function pathIn(line: string): number | null {
  // What has one slash alone is a command.
  const found = /(?<![\p{L}\p{N}/.:~_-])(?:~\/[^\s/]|\/[^\s/]+\/)/u.exec(line);
  return found === null ? null : found.index;
}

type FoundPath = { readonly length: number; readonly label: Label };

/** The path with which a text begins: the longest one with something there, or that a change is known of. */
async function pathAt(resources: LoopResources, text: string): Promise<FoundPath> {
  const { home } = resources.policy.folders;
  const { changes } = resources.state;
  const within = text.slice(0, longestPath);
  const ends = [...within.matchAll(/\S(?=\s|$|[.,:;)"'”»]+(?:\s|$))/gu)].map(({ index }) => index + 1);
  for (const end of ends.toReversed()) {
    const path = within.slice(0, end).replace(/^~/, () => home);
    const known = await changes.ofFile(path);
    if ((await entryIfThere(path)) !== null || known.length > 0)
      return { length: end, label: await labelOf(resources, path, known) };
  }
  return { length: ends[0] ?? within.length, label: { ...bottomLabel, secrecy: "private" } };
}

async function labelOf(
  { state, notes, privateText, semanticIndex, policy }: LoopResources,
  path: string,
  known: Awaited<ReturnType<LoopResources["state"]["changes"]["ofFile"]>>,
): Promise<Label> {
  if (policy.isSecretPath(path)) return { ...bottomLabel, secrecy: "secret" };
  const { privacyTags } = policy.config;
  const { origins } = makeMemoryPorts({ state, notes, privateText, semanticIndex, privacyTags });
  const labels = [(await origins.names?.known())?.labelOf(basename(path)) ?? bottomLabel];
  labels.push((await origins.attached?.([path])) ?? bottomLabel);
  const digests = known.flatMap(({ before, after }) => [before, after]).filter((one) => one !== null);
  if (digests.length > 0) labels.push((await origins.of(digests)) ?? bottomLabel);
  const contents = await contentsOf(state, path, known);
  if (contents === null) return { ...bottomLabel, secrecy: "private" };
  for (const bytes of contents) {
    const digest = sha256(bytes);
    labels.push(await origins.inside(path, digest, bytes), (await origins.of([digest])) ?? bottomLabel);
  }
  return joinAll(labels);
}

/** What a file holds, and what it held before each change that is kept; null where it cannot be read. */
async function contentsOf(
  state: LoopResources["state"],
  path: string,
  known: readonly { readonly preImage: string | null; readonly kind: string }[],
): Promise<readonly Uint8Array[] | null> {
  const kept: Uint8Array[] = [];
  const entry = await entryIfThere(path);
  if (entry?.isFile() === true) {
    const now = await readWholeFile(path);
    if (!now.ok) return null;
    if (now.value !== null) kept.push(now.value.bytes);
  }
  for (const { preImage, kind } of known) {
    if (preImage === null || kind !== "file") continue;
    const before = await state.changes.preImage(preImage);
    if (before.status === "kept") kept.push(before.bytes);
  }
  return kept;
}
