import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { exitCodes } from "../../program/io.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { openSkillFix } from "./skill-fix.ts";
import type { SkillDesk } from "./teach-skills.ts";

/** Shows the fix that was proposed for a skill, and puts it in force after a yes. */
export async function fixSkill(
  io: Io,
  desk: SkillDesk,
  { name, yes }: { readonly name: string; readonly yes: boolean },
): Promise<number> {
  const fix = await openSkillFix(makeStartContext(io), desk.folder, name);
  if (!fix.ok) {
    io.err(`${escapeForTerminal(fix.problem)}\n`);
    return exitCodes.failed;
  }
  io.out(`${escapeForTerminal([fix.diff, ...fix.from].join("\n"))}\n`);
  const said = yes || (await confirm(io, `Change ${fix.path} so, and put the skill ${name} in force?`));
  if (said !== true) {
    io.err(said === null ? "Nothing was changed. To do it, add --yes.\n" : "Nothing was changed.\n");
    return exitCodes.failed;
  }
  fix.write();
  const checked = await desk.enable(name, { text: fix.text });
  await tellUnrecorded(io);
  if (!checked.ok) {
    io.err(`${escapeForTerminal(checked.problem)}\nThe version before it stays in force.\n`);
    return exitCodes.failed;
  }
  io.out(`The skill ${name} is in force from the next turn on.\n`);
  return exitCodes.done;
}
