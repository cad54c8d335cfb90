import type { Fallible } from "../../../act/files/fallible.ts";
import type { PreparerParts } from "../../../act/preparer-parts.ts";
import type { ShellPorts } from "../../../act/shell/shell-ports.ts";
import { makeUseSkillTool } from "../../../act/tools/skills/use-skill.ts";
import type { FolderSkill } from "../../../signal/skill.ts";
import type { Tool } from "../../../signal/tool.ts";
import type { FolderSkills } from "../resources/folder-skills.ts";
import type { ExternalTools } from "./external-tools.ts";
import { type LeftOutTools, openLeftOutTools } from "./left-out-tools.ts";
import type { LabelOfTree } from "./tree-labels.ts";

/** The tools that come and go, and those that the prompt of a turn asks for. */
type JoinedTools = Pick<Required<PreparerParts>, "externalTools"> & {
  readonly external: ExternalTools | null;
  readonly useSkill: Tool;
  readonly leftOut: LeftOutTools;
};

/** Opens the tools of servers beside those of this program, which it gets by name. */
export type OpenExternal = (builtIn: readonly string[], labels: FileLabels) => ExternalTools;

/** How files that servers may read are, and how those that they write become so. */
export type FileLabels = {
  readonly labelOfTree: LabelOfTree;
  readonly labelWritten: NonNullable<ShellPorts["labelWritten"]>;
};

/** The tools of servers, and the one that gives the skills of folders, where there are any. */
export function joinExternal(
  {
    folderSkills,
    openExternal,
  }: {
    readonly folderSkills?: Pick<FolderSkills, "inForce">;
    readonly openExternal?: OpenExternal;
  },
  tools: readonly Tool[],
  labels: FileLabels,
): JoinedTools {
  const skillsIn: FolderSkills["inForce"] = folderSkills?.inForce ?? (async () => []);
  const useSkill = makeUseSkillTool({ inForce: skillsIn, readText: readTextOfSkill });
  const external =
    openExternal?.(
      [...tools, useSkill].map(({ name }) => name),
      labels,
    ) ?? null;
  const leftOut = openLeftOutTools(external);
  const isOther = ({ name }: Tool): boolean => leftOut.isEmpty() || name !== leftOut.search.name;
  return {
    external,
    useSkill,
    leftOut,
    externalTools: async (workspace) => [
      ...((await external?.in(workspace)) ?? []).filter(isOther),
      ...(leftOut.isEmpty() ? [] : [leftOut.search]),
      ...((await skillsIn(workspace)).length === 0 ? [] : [useSkill]),
    ],
  };
}

async function readTextOfSkill(skill: FolderSkill, path: string): Promise<Fallible<string>> {
  const { readSkillText } = await import("../../../skills/folders/read-skill-folder.ts");
  return readSkillText(skill, path);
}
