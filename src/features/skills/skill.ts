import { resolve } from "node:path";
import type { ListedFolderSkill } from "../../daemon/agent/resources/folder-skills.ts";
import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { exitCodes } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import { describeCheck, describeListed, problemBeneath } from "../../shown/describe-listed-skill.ts";
import { describeSkill } from "../../shown/describe-skill.ts";
import { describeChange, describeLabel, describeText } from "../../shown/describe-skill-change.ts";
import type { ListedSkill } from "../../skills/settle-skills.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { listBuiltIn, showBuiltIn } from "./built-in-skills.ts";
import { skillSpec } from "./command-specs.ts";
import { describeDraft, newSkill } from "./draft-skill.ts";
import { type Desks, findNameTaken } from "./find-name-taken.ts";
import { fixSkill } from "./fix-skill.ts";
import { acceptFolder, folderAsData, installFolder, kindWords, showFolder } from "./folder-commands.ts";
import { isFolderSource } from "./install-skill-folder.ts";
import type { CheckedFile } from "./skill-drafts.ts";
import { openFolderDesk } from "./skill-folders.ts";
import { openSkillDesk, type SkillDesk } from "./teach-skills.ts";

/** Lists, shows, installs, enables, disables, tests and writes skills. */
export async function skillCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, skillSpec);
  const start = makeStartContext(io);
  await using desk = await openSkillDesk(start);
  const folders = openFolderDesk(start);
  const desks = { desk, folders };
  const [name = "", skill = ""] = words;
  switch (verb) {
    case "list":
    case "reload":
      return await list(io, desks, values.json);
    case "show": {
      const folder = await folderNamed(desks, name);
      return folder === null
        ? await show(io, desk, { name, json: values.json })
        : showFolder(io, folder, values.json);
    }
    case "test":
      return await test(io, desks, { name, json: values.json });
    case "install": {
      if (isFolderSource(name, io.cwd))
        return await installFolder(io, { start, desks }, { source: name, skill, ...values });
      const fetched = await desk.fetch(resolve(io.cwd, name));
      return await putInForce(io, fetched, { ...values, isElsewhere: true, desks });
    }
    case "enable": {
      if (isBuiltIn(desk, name)) return switchBuiltIn(io, desk, { name, on: true });
      const folder = await folderNamed(desks, name);
      if (folder !== null) return await acceptFolder(io, desks, { folder, ...values });
      const draft = (await isListed(desk, name)) ? null : await desk.draft(name);
      if (draft !== null) return await putInForce(io, draft, { ...values, isDraft: true, desks });
      return await putInForce(io, await desk.check(name), { ...values, desks });
    }
    case "disable":
      if (isBuiltIn(desk, name)) return switchBuiltIn(io, desk, { name, on: false });
      return await disable(io, desks, name);
    case "fix":
      return await fixSkill(io, desk, { name, yes: values.yes });
    case "new":
      return await newSkill(io, desk, {
        name,
        sentence: words.slice(1).join(" "),
        json: values.json,
        offer: (draft) => putInForce(io, draft, { yes: false, isDraft: true, desks }),
      });
    default:
      return verb satisfies never;
  }
}

const say = (write: Io["out"], text: string): void => write(escapeForTerminal(text));

async function list(io: Io, { desk, folders }: Desks, json: boolean): Promise<number> {
  const own = await desk.list();
  const others = await folders.list();
  const drafts = await desk.drafts();
  await tellUnrecorded(io);
  if (own.length + others.length + drafts.length === 0 && !json)
    say(io.out, "You taught no skill yet. Write a first one: passepartout skill new NAME\n");
  const lines = [
    ...own.map((skill) => (json ? JSON.stringify(asData(skill)) : lineOf(skill, "Org"))),
    ...others.map((skill) =>
      json ? JSON.stringify(folderAsData(skill)) : lineOf(skill, kindWords[skill.kind]),
    ),
    ...drafts.map(({ name, path }) => {
      const problem = `a model wrote it, and it is not in force: ${path}. To look at it and say yes: passepartout skill enable ${name}`;
      const draft = { name, state: "draft", problem } as const;
      return json ? JSON.stringify({ ...draft, kind: "org", path }) : lineOf(draft, "Org");
    }),
  ];
  if (lines.length > 0) say(io.out, `${lines.join("\n")}\n`);
  listBuiltIn(io, desk.builtIn(), json);
  return own.some(({ problem }) => problem !== null) ? exitCodes.failed : exitCodes.done;
}

function isBuiltIn(desk: SkillDesk, name: string): boolean {
  return desk.builtIn().some(({ skill }) => skill.name === name);
}

function switchBuiltIn(
  io: Io,
  desk: SkillDesk,
  { name, on }: { readonly name: string; readonly on: boolean },
) {
  desk.switchBuiltIn(name, on);
  const words = on ? "enabled again." : `disabled. To take that back: passepartout skill enable ${name}`;
  say(io.out, `The tools of ${name} are ${words}\n`);
  return tellUnrecorded(io).then(() => exitCodes.done);
}

function lineOf(
  skill: Pick<ListedSkill, "name" | "problem"> & { readonly state: string },
  kind: string,
): string {
  return `${escapeInvisible(skill.name).padEnd(20)} ${kind.padEnd(9)} ${skill.state}${problemBeneath(skill)}`;
}

/** The folder with this name, where no file of the owner's has it. A project's folder is only shown. */
async function folderNamed({ desk, folders }: Desks, name: string): Promise<ListedFolderSkill | null> {
  if (await isListed(desk, name)) return null;
  const found = (await folders.list()).filter((folder) => folder.name === name);
  return found[0] ?? null;
}

async function isListed(desk: SkillDesk, name: string): Promise<boolean> {
  return (await desk.list()).some((skill) => skill.name === name);
}

function asData({ name, state, problem, head, accepted, tests }: ListedSkill) {
  const { declared, digest, from } = accepted ?? { declared: null, digest: null, from: null };
  return { name, kind: "org", state, problem, head, declared, digest, from, tests };
}

type Named = { readonly name: string; readonly json: boolean };

async function show(io: Io, desk: SkillDesk, { name, json }: Named): Promise<number> {
  const builtIn = desk.builtIn().find(({ skill }) => skill.name === name);
  if (builtIn !== undefined) {
    showBuiltIn(io, builtIn, json);
    return exitCodes.done;
  }
  const skill = (await desk.list()).find((each) => each.name === name);
  if (skill === undefined) return showDraft(io, desk, { name, json });
  say(io.out, json ? `${JSON.stringify(asData(skill))}\n` : `${describeListed(skill)}\n`);
  return skill.problem === null ? exitCodes.done : exitCodes.failed;
}

async function showDraft(io: Io, desk: SkillDesk, { name, json }: Named): Promise<number> {
  const draft = await desk.draft(name);
  if (draft === null) return noSuchSkill(io, name);
  const { checked, text } = draft;
  const problem = checked.ok ? null : checked.problem;
  const data = { name, kind: "org", state: "draft", problem, head: checked.head, tests: checked.tests, text };
  const lines = [`${name}: draft, not in force${problemBeneath({ problem })}`, ...describeDraft(draft)];
  say(io.out, json ? `${JSON.stringify(data)}\n` : `${lines.join("\n")}\n`);
  return problem === null ? exitCodes.done : exitCodes.failed;
}

function noSuchSkill(io: Io, name: string): number {
  say(io.err, `There is no skill ${name}. List them with: passepartout skill list\n`);
  return exitCodes.failed;
}

async function test(io: Io, { desk, folders }: Desks, { name, json }: Named): Promise<number> {
  if (!name.endsWith(".org") && (await folderNamed({ desk, folders }, name)) !== null) {
    say(
      io.err,
      `${name} is a folder with a SKILL.md, which has no tests. To look at it: passepartout skill show ${name}\n`,
    );
    return exitCodes.failed;
  }
  const names = name === "" ? (await desk.list()).map((skill) => skill.name) : [name];
  let failed = false;
  for (const each of names) {
    const { checked } = await fileNamed(io, desk, each);
    failed ||= !checked.ok;
    say(
      io.out,
      json
        ? `${JSON.stringify({ name: each, ok: checked.ok, problem: checked.ok ? null : checked.problem, tests: checked.tests })}\n`
        : `${describeCheck(each, checked)}\n`,
    );
  }
  return failed ? exitCodes.failed : exitCodes.done;
}

/** The skill of a name, its draft, or the file at a path. */
async function fileNamed(io: Io, desk: SkillDesk, name: string): Promise<CheckedFile> {
  if (name.endsWith(".org")) return desk.fetch(resolve(io.cwd, name));
  const draft = (await isListed(desk, name)) ? null : await desk.draft(name);
  return draft ?? desk.check(name);
}

type Asking = {
  readonly desks: Desks;
  readonly yes: boolean;
  readonly mine?: boolean;
  readonly isDraft?: boolean;
  readonly isElsewhere?: boolean;
};

/** Shows what a version wants, and what it changes, and puts it in force after a yes. All of a draft of a model is shown, and the text of a skill that somebody else wrote. */
async function putInForce(
  io: Io,
  file: CheckedFile,
  { desks, yes, mine = false, isDraft = false, isElsewhere = false }: Asking,
): Promise<number> {
  const { checked, text, before, label } = file;
  if (!checked.ok) {
    say(io.err, `${escapeInvisible(checked.problem)}\nNothing was changed.\n`);
    return exitCodes.failed;
  }
  const { head, declared } = checked;
  const taken = await findNameTaken(desks, { name: head.name, kind: "org", brings: { head, declared } });
  if (taken !== null) {
    say(io.err, `${taken}\n`);
    return exitCodes.failed;
  }
  const shown = isDraft ? describeDraft(file) : describeSkill(head, declared);
  const isNew = before === null && !isDraft && (isElsewhere || label !== undefined);
  const changes = before === null ? [] : describeChange(before, { head, declared, text });
  const lines = [...shown, ...(isNew ? describeText(text) : changes), ...describeLabel(file, mine)];
  say(io.out, `${lines.join("\n")}\n`);
  const said = yes || (await confirm(io, `Put the skill ${head.name} in force?`));
  if (said !== true) {
    say(
      io.err,
      said === null
        ? "Nobody is here to say yes, so nothing was changed. Add --yes to say it.\n"
        : "Nothing was changed.\n",
    );
    return exitCodes.failed;
  }
  const done = await file.install({ mine });
  await tellUnrecorded(io);
  if (!done.ok) {
    say(io.err, `${escapeInvisible(done.problem)}\n`);
    return exitCodes.failed;
  }
  say(io.out, `The skill ${head.name} is in force from the next turn on.\n`);
  return exitCodes.done;
}

async function disable(io: Io, { desk, folders }: Desks, name: string): Promise<number> {
  if (!(await desk.disable(name)) && !(await folders.disable(name))) return noSuchSkill(io, name);
  await tellUnrecorded(io);
  say(io.out, `The skill ${name} is disabled. To take that back: passepartout skill enable ${name}\n`);
  return exitCodes.done;
}
