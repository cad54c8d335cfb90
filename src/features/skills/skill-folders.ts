import { openOrders } from "../../daemon/agent/prompt/open-orders.ts";
import {
  type ListedFolderSkill,
  listUserSkills,
  openFolderSkills,
} from "../../daemon/agent/resources/folder-skills.ts";
import { labelRulesOf, makePreparedLabel } from "../../daemon/agent/resources/label-rules.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import { openStateReader } from "../../program/read-state.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { FolderSkill } from "../../signal/skill.ts";
import { readSkillBytes } from "../../skills/folders/read-skill-folder.ts";
import { describeFolderChange, keepAcceptedFolder, readAcceptedFolder } from "./accepted-folders.ts";

/** The skills in `.agents/skills` of this user and of this folder, without an agent. */
export type FolderDesk = {
  readonly list: () => Promise<readonly ListedFolderSkill[]>;
  /** The one of the user with this name; null where there is none. */
  readonly find: (name: string) => Promise<ListedFolderSkill | null>;
  /** Keeps the owner's yes to exactly what was shown. `mine`: they wrote it themselves. */
  readonly accept: (shown: ListedFolderSkill, options: { readonly mine: boolean }) => Promise<void>;
  /** What changed since the owner accepted it, in lines; null where there is nothing to compare with. */
  readonly changes: (skill: FolderSkill) => Promise<readonly string[] | null>;
  /** False where there is no such skill. */
  readonly disable: (name: string) => Promise<boolean>;
};

/** Opens the skills in folders. */
export function openFolderDesk(start: StartContext): FolderDesk {
  const policy = loadPolicy(start.environment);
  const { folders, skillBook: book } = policy;
  const find: FolderDesk["find"] = async (name) =>
    (await listUserSkills({ home: folders.home, book }, new Map())).find((one) => one.name === name) ?? null;
  const wordOn = (name: string) => book.folders().find((one) => one.name === name) ?? null;
  return {
    find,
    list: () =>
      withKeptWords(start, (state) => {
        const labelText = makePreparedLabel(labelRulesOf({ policy, state: null }));
        const orders = openOrders({ state, policy }, async () => bottomLabel);
        return openFolderSkills({ home: folders.home, book, labelText, orders }).list(start.cwd);
      }),
    async changes(skill) {
      const before = await readAcceptedFolder(policy, skill.name);
      return before === null
        ? null
        : describeFolderChange(before, skill, (path) => readSkillBytes(skill, path));
    },
    async accept({ name, skill }, { mine }) {
      if (skill === null) throw new Error(`The skill ${name} cannot be read.`);
      await keepAcceptedFolder(policy, skill);
      const from = wordOn(name)?.from ?? null;
      book.keepFolder({ name, digest: skill.digest, from, mine, enabled: true });
    },
    async disable(name) {
      const found = await find(name);
      if (found === null) return false;
      const before = wordOn(name) ?? { name, digest: "0".repeat(64), from: null, mine: false };
      book.keepFolder({ ...before, enabled: false });
      return true;
    },
  };
}

type KeptWords = Parameters<typeof openOrders>[0]["state"];

/** What the owner trusts and was shown; nothing where there is no state yet. */
async function withKeptWords<T>(start: StartContext, act: (state: KeptWords) => Promise<T>): Promise<T> {
  try {
    const { state, ...reader } = await openStateReader(start);
    await using _ = reader;
    return await act(state);
  } catch (error) {
    if (!(error instanceof StateProblem && error.code === "missing")) throw error;
    return act({
      folderOrders: nothingKept,
      trustedCopies: nothingKept,
      offeredOrders: nothingKept,
      trustedFolders: nobodyTrusted,
    });
  }
}

const nothingKept: KeptWords["folderOrders"] = { get: async () => null, set: async () => undefined };
const nobodyTrusted: KeptWords["trustedFolders"] = {
  trust: async () => undefined,
  distrust: async () => false,
  identityOf: async () => null,
  withIdentity: async () => [],
  move: async () => undefined,
};
