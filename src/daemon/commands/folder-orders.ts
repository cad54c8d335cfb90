import { basename, join } from "node:path";
import { readWholeFile } from "../../act/files/contents.ts";
import { followLinks } from "../../act/files/real-path.ts";
import type { KeptValue } from "../../memory/state/kept-value.ts";
import type { Label } from "../../signal/label.ts";
import { labelOfSkill } from "../../signal/label-of-skill.ts";
import type { FolderSkill } from "../../signal/skill.ts";
import { describeBytes } from "../../text/describe-bytes.ts";
import { escapeInvisible, quoteLines } from "../../text/escape-invisible.ts";
import { isInside } from "../../text/is-inside.ts";
import { canonicalJson } from "../../text/json.ts";
import type { FolderTrust } from "./folder-trust.ts";
import type { OfferedBeside } from "./offered-servers.ts";
import { foldersOf, foldersUpFrom } from "./project-folders.ts";
import {
  findProjectSkills,
  isSkillPlace,
  mayHaveSkills,
  nameOfSkillPlace,
  type ProjectSkillParts,
  readProjectSkill,
  type SkillOrder,
} from "./project-skills.ts";
import { digestsOf, ShownOrders } from "./shown-orders.ts";
import { TrustedCopies } from "./trusted-copies.ts";

/** The orders for agents that the owner keeps with a folder, in `AGENTS.md` there and in the folders above it that belong to the same repository. */
export type FolderOrders = {
  /** What the owner should know when a session begins in a folder; null where there is nothing to say. */
  readonly describe: (workspace: string) => Promise<string | null>;
  /** Shows the orders of a folder that trust would have obeyed, and what else it puts in force. */
  readonly offer: (workspace: string, beside: OfferedBeside) => Promise<OfferedOrders>;
  /** Has the orders of a folder obeyed no longer. */
  readonly drop: (workspace: string) => Promise<void>;
  /** Has the orders inside a folder that was moved obeyed in its new place, as long as they are the same. */
  readonly move: (from: string, to: string) => Promise<void>;
  /** The orders of a trusted folder that are the same as when they were shown, outer folders first, and those that are not. The same text as long as the files are the same. */
  readonly read: (
    workspace: string,
  ) => Promise<{ readonly text: string; readonly changed: readonly string[] }>;
  /** The skills that lie in a folder and above it, as far as its repository goes; none is used but as the owner was shown it. */
  readonly skills: (workspace: string) => Promise<readonly ProjectSkill[]>;
};

/** The orders of a folder as they were read now. */
export type OfferedOrders = {
  /** What they say, and why others are not obeyed; null where there are none. */
  readonly text: string | null;
  /** Whether the owner was shown exactly these before: all are obeyed already, or were offered last. */
  readonly isShown: boolean;
  /** Whether all are obeyed already. */
  readonly isObeyed: boolean;
  readonly isTrusted: boolean;
  /** Has them obeyed as they are. */
  readonly obey: () => Promise<void>;
};

/** A skill of a project, and why it is not used; null where it is. */
export type ProjectSkill = {
  readonly name: string;
  readonly place: string;
  readonly skill: FolderSkill | null;
  readonly label: Label;
  readonly problem: string | null;
  /** Whether a word of the owner is all that is missing. */
  readonly waits: boolean;
};

/** What reading orders needs. */
export type FolderOrdersParts = ProjectSkillParts & {
  /** The digests of the orders as they were shown, by workspace and path. */
  readonly kept: KeptValue;
  /** What stood in them. */
  readonly copies: KeptValue;
  /** What was offered last. */
  readonly offered: KeptValue;
  readonly trust: Pick<FolderTrust, "isTrusted">;
  readonly filter: (text: string) => string;
};

const fileName = "AGENTS.md";
/** Bytes of all orders of a folder together. */
const mostBytes = 16_384;

/** An `AGENTS.md`, or a skill. */
type Order = Omit<SkillOrder, "skill"> & Partial<Pick<SkillOrder, "skill">>;

/** Opens the orders of folders. They are obeyed only in a folder that the owner trusts, and only as the owner was shown them. */
export function openFolderOrders(parts: FolderOrdersParts): FolderOrders {
  const shown = new ShownOrders(parts.kept);
  const copies = new TrustedCopies(parts.copies);
  return {
    describe: (workspace) => describeOrders(parts, shown, workspace),
    offer: (workspace, beside) => offerOrders(parts, { shown, copies }, { workspace, beside }),
    drop: (workspace) => shown.keep(workspace, []),
    async move(from, to) {
      await shown.move(from, to);
      await copies.move(from, to);
    },
    read: (workspace) => readShown(parts, shown, workspace),
    async skills(workspace) {
      if (!(await mayHaveSkills(parts, foldersUpFrom(workspace)))) return [];
      const found = await findProjectSkills(parts, await foldersOf(workspace));
      if (found.length === 0) return [];
      const isTrusted = await parts.trust.isTrusted(workspace, workspace);
      const digests = isTrusted ? await shown.of(workspace) : {};
      return found.map(({ path, digest, skill, problem }): ProjectSkill => {
        const isShown = isTrusted && digests[path] === digest;
        const missing = isTrusted ? changedWords([path], workspace) : untrustedWords;
        const name = nameOfSkillPlace(path);
        return {
          name,
          place: path,
          skill: skill.read,
          label: labelOfSkill({ head: { name }, from: null, label: skill.label }),
          problem: problem ?? (isShown ? null : missing),
          waits: problem === null && !isShown,
        };
      });
    },
  };
}

type Kept = { readonly shown: ShownOrders; readonly copies: TrustedCopies };

async function offerOrders(
  parts: FolderOrdersParts,
  { shown, copies }: Kept,
  { workspace, beside }: { readonly workspace: string; readonly beside: OfferedBeside },
): Promise<OfferedOrders> {
  const orders = await findOrders(parts, workspace);
  const good = orders.filter(({ problem }) => problem === null);
  const { changes, keep } = await copies.compare(workspace, good);
  const told = orders.map((order) => wordsOf(order, changes.get(order.path) ?? [], { parts, workspace }));
  const lines = [...told.flat(), ...beside.lines.map(parts.filter)];
  const digests = { ...digestsOf(good), ...beside.digests };
  const offer = canonicalJson({ workspace, digests });
  const before = await shown.of(workspace);
  // Another folder may lie where one that was trusted did.
  const isTrusted = await parts.trust.isTrusted(workspace, workspace);
  const isObeyed =
    (isTrusted || Object.keys(digests).length === 0) &&
    good.every(({ path, digest }) => before[path] === digest);
  const isShown = isObeyed || canonicalJson(await parts.offered.get()) === offer;
  if (!isShown) await parts.offered.set({ workspace, digests });
  return {
    text: lines.length === 0 ? null : lines.join("\n"),
    isShown,
    isObeyed,
    isTrusted,
    async obey() {
      await shown.keep(workspace, good);
      await keep();
      await parts.offered.set(null);
    },
  };
}

/** An order in words, with what changed in it since it was obeyed. */
function wordsOf(
  order: Order,
  changes: readonly string[],
  { parts, workspace }: { readonly parts: FolderOrdersParts; readonly workspace: string },
): readonly string[] {
  if (order.problem !== null) return [problemWords(order, workspace)];
  const name = namesOf([order.path], workspace);
  const head =
    order.skill === undefined
      ? `${name} is obeyed in a trusted folder, as standing words of yours that allow nothing by themselves, until it changes. It says:`
      : `${name} is a skill that may take part in a trusted folder, and allows nothing, until it changes (digest ${order.digest}). \`passepartout skill show ${basename(order.path)}\` shows its instructions. It says of itself:`;
  const changed =
    changes.length === 0 ? [] : ["What changed since you trusted it last:", ...changes.map(parts.filter)];
  return [head, ...quoteLines(parts.filter(order.text)), ...changed];
}

const untrustedWords =
  "its folder is not trusted: say /trust-folder in a conversation there, which shows it first.";

async function describeOrders(
  parts: FolderOrdersParts,
  shown: ShownOrders,
  workspace: string,
): Promise<string | null> {
  const orders = await findOrders(parts, workspace);
  if (orders.length === 0) return null;
  const names = namesOf(
    orders.map(({ path }) => path),
    workspace,
  );
  if (!(await parts.trust.isTrusted(workspace, workspace)))
    return `${names} in this folder is not obeyed: it counts as words of others. /trust-folder shows it, and /trust-folder yes has it obeyed.`;
  const digests = await shown.of(workspace);
  const unseen = orders.filter(({ path, digest, problem }) => problem === null && digests[path] !== digest);
  if (unseen.length > 0)
    return changedWords(
      unseen.map(({ path }) => path),
      workspace,
    );
  const problem = orders.find((order) => order.problem !== null);
  return problem === undefined ? null : problemWords(problem, workspace);
}

async function readShown(
  parts: FolderOrdersParts,
  shown: ShownOrders,
  workspace: string,
): ReturnType<FolderOrders["read"]> {
  const digests = Object.entries(await shown.of(workspace));
  if (digests.length === 0 || !(await parts.trust.isTrusted(workspace, workspace)))
    return { text: "", changed: [] };
  const orders = await Promise.all(
    digests.map(async ([path, digest]) => {
      const order = isSkillPlace(path)
        ? await readProjectSkill(parts, path, "/")
        : await readOrder(parts, path, { root: "/", room: mostBytes });
      return { path, order: order?.problem === null && order.digest === digest ? order : null };
    }),
  );
  return {
    text: orders
      .flatMap(({ order }) =>
        order === null || order.skill !== undefined
          ? []
          : [`[${namesOf([order.path], workspace)}]\n${order.text.trim()}`],
      )
      .join("\n\n"),
    changed: orders.flatMap(({ path, order }) => (order === null ? [path] : [])),
  };
}

/** What the owner is told of orders that changed since they were shown. */
export function changedWords(paths: readonly string[], workspace: string): string {
  return `${namesOf(paths, workspace)} is not obeyed: it is new, or changed since you saw it. /trust-folder shows it, and /trust-folder yes has it obeyed.`;
}

/** The orders in a folder and above it, as far as its repository goes; the outer ones first. */
async function findOrders(parts: FolderOrdersParts, workspace: string): Promise<readonly Order[]> {
  const folders = await foldersOf(workspace);
  const root = folders[0] ?? workspace;
  const orders: Order[] = [];
  let left = mostBytes;
  for (const folder of folders) {
    const order = await readOrder(parts, join(folder, fileName), { root, room: left });
    if (order === null) continue;
    orders.push(order);
    left -= Buffer.byteLength(order.text);
  }
  return [...orders, ...(await findProjectSkills(parts, folders))];
}

/** Null where there is no such file. A link is followed within the repository. */
async function readOrder(
  parts: FolderOrdersParts,
  path: string,
  { root, room }: { readonly root: string; readonly room: number },
): Promise<Order | null> {
  const { path: real, obstacle } = await followLinks(path);
  const refused = (problem: string): Order => ({ path, digest: "", text: "", problem });
  if (obstacle !== null) return refused("its links lead nowhere");
  if (real !== path && !isInside(root, real)) return refused("it is a link to elsewhere");
  if (parts.isClosed(real)) return refused("it is secret");
  const read = await readWholeFile(real, mostBytes);
  if (!read.ok) return refused(read.code === "too-large" ? tooLong(null) : "it cannot be read");
  if (read.value === null) return null;
  const { bytes, digest } = read.value;
  if (bytes.length > room) return refused(tooLong(bytes.length));
  const label = await parts.labelOf(real, digest, bytes);
  const text = new TextDecoder().decode(bytes);
  if (label.secrecy !== "public") return { path, digest, text: "", problem: `it is ${label.secrecy}` };
  if (label.integrity !== "user") return { path, digest, text: "", problem: "it holds words of others" };
  return { path, digest, text, problem: text.trim() === "" ? "it is empty" : null };
}

function tooLong(bytes: number | null): string {
  const size = bytes === null ? "" : ` (${describeBytes(bytes)})`;
  return `it is too long${size}: all orders of a folder together have at most ${describeBytes(mostBytes)}`;
}

function problemWords({ path, problem }: Order, workspace: string): string {
  return `${namesOf([path], workspace)} is not obeyed: ${problem ?? "it changed"}.`;
}

function namesOf(paths: readonly string[], workspace: string): string {
  return paths
    .map((path) =>
      escapeInvisible(path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path),
    )
    .join(" and ");
}
