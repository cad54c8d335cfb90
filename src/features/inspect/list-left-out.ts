import type { FolderSkills } from "../../daemon/agent/resources/folder-skills.ts";
import type { AssembledTools } from "../../daemon/agent/tools/assemble-tools.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";
import type { Turn } from "../../signal/turn.ts";
import { builtInSkills } from "../../skills/built-in/table.ts";
import { countOf } from "../../text/count-of.ts";

/** Something that a prompt could hold and does not, with the reason. */
export type LeftOut = { readonly what: string; readonly why: string };

/** What a prompt was made of. */
export type PromptSources = {
  readonly tools: AssembledTools;
  readonly folderSkills: Pick<FolderSkills, "list" | "neededBy">;
  readonly workspace: string | null;
  readonly turn: Turn;
  readonly declared: readonly ToolDeclaration[];
};

const denied = "TOOL_PERMISSIONS denies it";

/** Lists the tools, servers and skills that stand not in a prompt, and why. */
export async function listLeftOut(sources: PromptSources): Promise<readonly LeftOut[]> {
  return [...ownTools(sources), ...(await toolsOfServers(sources)), ...(await skillsOfFolders(sources))];
}

function ownTools({
  tools: { acting, builtIn, leftOut },
  declared,
  turn,
}: PromptSources): readonly LeftOut[] {
  const allowed = new Set(acting.declarations().map(({ name }) => name));
  const shown = new Set(declared.map(({ name }) => name));
  return acting.tools().flatMap(({ name }) => {
    if (shown.has(name)) return [];
    if (!allowed.has(name))
      return [{ what: name, why: builtIn.isDisabled(name) ? "you disabled its skill" : denied }];
    if (leftOut.has(turn.session, name))
      return [{ what: name, why: `the model's context is too small; ${leftOut.search.name} finds it` }];
    const skill = builtInSkills.find(({ tools }) => tools.includes(name))?.name ?? "";
    return [{ what: name, why: `these words are not about the skill ${skill}` }];
  });
}

async function toolsOfServers({
  tools: { external },
  workspace,
  declared,
}: PromptSources): Promise<readonly LeftOut[]> {
  const shown = new Set(declared.map(({ name }) => name));
  const count = (await external?.count(workspace)) ?? null;
  const waiting = count?.waiting ?? 0;
  const wait = `not accepted as ${waiting === 1 ? "it is" : "they are"} now: passepartout mcp list`;
  const all = (await external?.in(workspace)) ?? [];
  const search = all[0]?.name ?? "";
  const notAbout = shown.has(search)
    ? `these words are not about it; ${search} finds it`
    : "these words are about no tool of a server";
  return [
    ...(waiting === 0 ? [] : [{ what: countOf(waiting, "server"), why: wait }]),
    ...all
      .filter(({ name }) => !shown.has(name))
      .map(({ name, permission }) => ({ what: name, why: permission === "deny" ? denied : notAbout })),
  ];
}

async function skillsOfFolders({
  folderSkills,
  workspace,
  turn,
}: PromptSources): Promise<readonly LeftOut[]> {
  const { takingPart, fitting } = await folderSkills.neededBy(turn, workspace);
  const shown = new Set([...takingPart, ...fitting].map(({ name }) => name));
  return (await folderSkills.list(workspace)).flatMap(({ name, state, problem }) => {
    if (state === "in force" && shown.has(name)) return [];
    const why = state === "in force" ? "these words are not about it" : (problem ?? `it is ${state}`);
    return [{ what: `skill ${name}`, why }];
  });
}
