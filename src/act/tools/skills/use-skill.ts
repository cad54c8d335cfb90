import { join } from "node:path";
import * as z from "zod";
import type { Label } from "../../../signal/label.ts";
import type { FolderSkill } from "../../../signal/skill.ts";
import { success, type Tool } from "../../../signal/tool.ts";
import { beginOf } from "../../../text/cut-text.ts";
import { type Fallible, problem } from "../../files/fallible.ts";
import { defineTool } from "../define-tool.ts";

/** What the tool needs of the skills. */
export type UseSkillPorts = {
  /** The skills that may be used in a workspace. */
  readonly inForce: (
    workspace: string | null,
  ) => Promise<readonly { readonly name: string; readonly skill: FolderSkill; readonly label: Label }[]>;
  /** The text of a file of a skill, as it was accepted. */
  readonly readText: (skill: FolderSkill, path: string) => Promise<Fallible<string>>;
};

const schema = z.strictObject({ name: z.string().min(1).max(64), file: z.string().max(300).optional() });
const mostCharacters = 100_000;

/** Gives the instructions of a skill, which takes part in the turn from then on, or a file of it. */
export function makeUseSkillTool(ports: UseSkillPorts): Tool {
  return defineTool({
    name: "use-skill",
    description: "Get the instructions of a skill, or a file of it",
    schema,
    async prepare({ name, file }, caller, labelOf) {
      const skills = await ports.inForce(caller.workspace);
      const found = skills.find((one) => one.name === name);
      if (found === undefined)
        return problem(
          "no-such-skill",
          `There is no skill '${beginOf(name, 64)}'. There are: ${publicNames(skills)}.`,
        );
      const { skill, label } = found;
      return {
        ok: true,
        effects: [
          {
            kind: "change-memory",
            target: "memory",
            realm: "own",
            operation: "use-skill",
            label: labelOf(name),
            reversal: "undoable",
          },
        ],
        plan: { skill: name, digest: skill.digest, file: file ?? null },
        changes: [],
        resultLabel: label,
        run: async () => {
          if (file === undefined) return success(instructionsOf(skill));
          const text = await ports.readText(skill, file.replace(/^\.\//, ""));
          if (!text.ok) return { status: "error", code: text.code, message: text.message };
          return success(textOfFile(skill, file, text.value));
        },
      };
    },
  });
}

/** The names that every model may be told. */
function publicNames(skills: readonly { readonly name: string; readonly label: Label }[]): string {
  return skills.flatMap(({ name, label }) => (label.secrecy === "public" ? [name] : [])).join(", ");
}

/** The text of a file; one that is too long says how the rest is read. */
function textOfFile({ folder }: FolderSkill, file: string, text: string) {
  if (text.length <= mostCharacters) return { file, text };
  const kept = beginOf(text, mostCharacters);
  const sizes = [kept.length, text.length].map((size) => size.toLocaleString("en-US"));
  const line = kept.split("\n").length;
  const cut = `Cut here: ${sizes.join(" of ")} characters. read-file with "path": "${join(folder, file)}" and "offset": ${line} reads on.`;
  return { file, text: kept, cut };
}

function instructionsOf({ name, body, folder, files, compatibility, allowedTools }: FolderSkill) {
  return {
    skill: name,
    instructions: body,
    folder,
    files: files.map(({ path }) => path).filter((path) => path !== "SKILL.md"),
    ...(compatibility === null ? {} : { compatibility }),
    ...(allowedTools === null ? {} : { "only these tools": allowedTools }),
  };
}
