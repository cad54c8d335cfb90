import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { prepareFetchBytes } from "../../act/tools/prepare-fetch-url.ts";
import { isPrivateAddress, resolveHost } from "../../act/web/send-request.ts";
import { skillsPlace } from "../../daemon/commands/project-skills.ts";
import { sha256 } from "../../machine/digest.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { FolderSkill } from "../../signal/skill.ts";
import type { UnpackedFile } from "../../skills/archives/read-tarball.ts";
import { unpackArchive } from "../../skills/archives/unpack-archive.ts";
import { skillMd } from "../../skills/folders/find-skill-file.ts";
import { indexPath, type OfferedSkill, readIndex } from "../../skills/folders/read-index.ts";
import { readSkillFiles } from "../../skills/folders/read-skill-files.ts";
import { readSkillBytes, readSkillFolder } from "../../skills/folders/read-skill-folder.ts";
import { readPlainFile } from "../../skills/skill-folder.ts";
import { beginOf } from "../../text/cut-text.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { loadSkillOfServer } from "../servers/feature.ts";
import { describeFolderChange, keepAcceptedFolder, readAcceptedFolder } from "./accepted-folders.ts";
import { putFolder } from "./put-folder.ts";

/** A skill of elsewhere that was fetched, checked and not yet written; or why there is none, as a sentence. */
export type Offer =
  | { readonly ok: false; readonly reason: string }
  | {
      readonly ok: true;
      readonly skill: FolderSkill;
      readonly from: string;
      /** Whether exactly this was installed from there, and stands as it was. */
      readonly isInstalled: boolean;
      /** What differs from the version that the owner accepted before, in lines; null where there is none to compare with. */
      readonly changes: readonly string[] | null;
      /** Writes exactly what was shown, and pins it. Throws where another skill has its place. */
      readonly install: () => Promise<void>;
    };

/** What asking a stranger for a skill needs. `mayReach`: the owner's yes to a host that they did not type. */
export type OfferPorts = {
  readonly start: StartContext;
  readonly mayReach: (host: string) => Promise<boolean>;
};

type Found = { readonly name: string; readonly from: string; readonly files: readonly UnpackedFile[] };
type Given = { readonly ok: true; readonly value: Found } | { readonly ok: false; readonly reason: string };

/** The most bytes of an index, and of what an entry of it leads to. */
const most = { index: 1024 * 1024, artifact: 16 * 1024 * 1024 };

/** Whether a source is a skill's folder, or an archive, site or server that may have some; else it is an Org file. */
export function isFolderSource(source: string, cwd: string): boolean {
  if (/^(?:https?:\/\/|mcp:)/.test(source)) return true;
  const path = resolve(cwd, source);
  return (
    /\.(?:zip|tar\.gz|tgz)$/i.test(source) ||
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  );
}

/** Fetches a skill of elsewhere. Nothing is written or run. `name` says which, where there are several. */
export async function offerSkill(ports: OfferPorts, source: string, name: string): Promise<Offer> {
  const policy = loadPolicy(ports.start.environment);
  const given = await findSkill({ ...ports, policy }, source, name);
  if (!given.ok) return given;
  const { value } = given;
  const place = join(policy.folders.home, skillsPlace, value.name);
  const read = readSkillFiles(value.name, value.files, place);
  if (!read.ok) return refused(`The skill ${value.name} cannot be used: ${read.problem}.`);
  const { skill } = read;
  const book = policy.skillBook;
  const before = book.folders().find((one) => one.name === skill.name);
  const there = await readSkillFolder(place, skill.name, new Map());
  const isInstalled =
    before?.digest === skill.digest &&
    before.from === value.from &&
    there.ok &&
    there.skill.digest === skill.digest;
  return {
    ok: true,
    skill,
    from: value.from,
    isInstalled,
    changes: await changesOf(policy, skill, value.files),
    async install() {
      if (existsSync(place) && before?.from !== value.from)
        throw new Error(`${place} is another skill of this name. Rename or remove it first.`);
      putFolder(place, value.files);
      const written = await readSkillFolder(place, skill.name, new Map());
      if (!written.ok || written.skill.digest !== skill.digest)
        throw new Error(`${place} is not what was shown. It is not used; look at it, and install it again.`);
      await keepAcceptedFolder(policy, written.skill);
      book.keepFolder({
        name: skill.name,
        digest: skill.digest,
        from: value.from,
        mine: false,
        enabled: true,
      });
    },
  };
}

async function changesOf(
  policy: Policy,
  skill: FolderSkill,
  files: readonly UnpackedFile[],
): Promise<readonly string[] | null> {
  const accepted = await readAcceptedFolder(policy, skill.name);
  if (accepted === null) return null;
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]));
  return describeFolderChange(accepted, skill, async (path) => bytesOf.get(path) ?? Buffer.alloc(0));
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

type Finding = OfferPorts & { readonly policy: Policy };

function findSkill(finding: Finding, source: string, name: string): Promise<Given> {
  if (source.startsWith("mcp:")) return findAtServer(finding, source);
  if (/^https?:\/\//.test(source)) return findAtSite(finding, source, name);
  return findHere(resolve(finding.start.cwd, source), name);
}

/** A folder or an archive of this machine. */
async function findHere(path: string, name: string): Promise<Given> {
  const own = basename(path).replace(/\.(?:zip|tar\.gz|tgz)$/i, "");
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return existsSync(path)
      ? unpacked(await readPlainFile(path, most.artifact), { name: name || own, from: path })
      : refused(`There is no file ${path}. Nothing was done.`);
  const read = await readSkillFolder(path, own, new Map());
  if (!read.ok) return refused(`${path} cannot be used: ${read.problem}.`);
  const files: UnpackedFile[] = [];
  for (const file of read.skill.files)
    files.push({ path: file.path, bytes: await readSkillBytes(read.skill, file.path) });
  return { ok: true, value: { name: own, from: path, files } };
}

function unpacked(bytes: Buffer, about: Pick<Found, "name" | "from">): Given {
  const given = unpackArchive(bytes);
  return given.ok
    ? { ok: true, value: { ...about, files: given.files } }
    : refused(`The archive of ${about.name} cannot be used: ${given.problem}.`);
}

async function findAtServer({ start }: Finding, source: string): Promise<Given> {
  const [, server = "", name = ""] = /^mcp:([^/]+)\/(.+)$/.exec(source) ?? [];
  if (name === "") return refused("Usage: passepartout skill install mcp:SERVER/NAME");
  const served = await (await loadSkillOfServer())(start, server, name);
  if (!served.ok) return refused(`The server ${server} gave no skill: ${served.problem}.`);
  const folder = basename(dirname(served.uri.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "/")));
  return { ok: true, value: { name: folder, from: `mcp:${server}/${served.uri}`, files: served.files } };
}

async function findAtSite(finding: Finding, source: string, name: string): Promise<Given> {
  const typed = URL.parse(source);
  if (typed === null) return refused(`${source} is no address.`);
  const index = typed.pathname.endsWith("/index.json") ? typed : new URL(indexPath, typed);
  const text = await fetchJudged(finding, index, most.index);
  if (!text.ok) return text;
  const read = readIndex(text.value.toString("utf8"));
  if (!read.ok) return refused(`${index.host} cannot be used: ${read.problem}.`);
  const { skills } = read;
  const found = skills.filter((skill) => (name === "" ? skills.length === 1 : skill.name === name));
  const [skill] = found;
  if (skill === undefined || found.length > 1) return refused(whichOf(index.host, skills, source));
  return fetchOffered(finding, index, skill);
}

function whichOf(host: string, skills: readonly OfferedSkill[], source: string): string {
  if (skills.length === 0) return `${host} offers no skill that can be used.`;
  const names = skills
    .slice(0, 50)
    .map(({ name, description }) => `  ${escapeInvisible(`${name}: ${beginOf(description, 200)}`)}`);
  return [
    `${host} offers these skills:`,
    ...names,
    `Name one: passepartout skill install ${source} NAME`,
  ].join("\n");
}

async function fetchOffered(finding: Finding, index: URL, skill: OfferedSkill): Promise<Given> {
  const url = URL.parse(skill.url, index.href);
  if (url === null) return refused(`The address of ${skill.name} cannot be read.`);
  if (url.origin !== index.origin) {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (/^(?:[0-9.]+|.*:.*)$/.test(host) ? isPrivateAddress(host) : /(?:^|\.)localhost\.?$/i.test(host))
      return refused(
        `${index.host} leads to ${host}, which is not a public address. Nothing was fetched from there.`,
      );
    if (index.protocol === "https:" && url.protocol !== "https:")
      return refused(
        `${index.host} leads to ${url.origin}, which is not encrypted. Nothing was fetched from there.`,
      );
    if (!(await finding.mayReach(url.host))) return refused(`Nothing was fetched from ${url.host}.`);
  }
  const bytes = await fetchJudged(finding, url, most.artifact);
  if (!bytes.ok) return bytes;
  if (sha256(bytes.value) !== skill.digest)
    return refused(`${url.href} is not what ${index.host} pins: its digest differs. Nothing of it was used.`);
  const about = { name: skill.name, from: `${index.href}#${skill.name}` };
  return skill.type === "archive"
    ? unpacked(bytes.value, about)
    : { ok: true, value: { ...about, files: [{ path: skillMd, bytes: bytes.value }] } };
}

/** Fetches from an address that the judge does not block. */
async function fetchJudged(
  { policy }: Finding,
  url: URL,
  largest: number,
): Promise<{ readonly ok: true; readonly value: Buffer } | { readonly ok: false; readonly reason: string }> {
  const fetching = await prepareFetchBytes(url.href, { resolveHost }, largest);
  if (!fetching.ok) return refused(fetching.message);
  const action = { kind: "command", target: "system", tool: null, explanation: "", problems: [] } as const;
  const origin = { person: "owner", source: "cli", session: "install", startedBy: "person" } as const;
  const facts = policy.makeFacts({ action, origin, workspace: null });
  const { decision, reason } = policy.judge(fetching.value.effects, facts);
  if (decision === "block") return refused(`${url.host} was not asked: ${reason}.`);
  const got = await fetching.value.run(AbortSignal.timeout(120_000));
  return got.ok ? got : refused(got.message);
}
