import { existsSync, statSync } from "node:fs";
import type { Io } from "../../kernel/io.ts";
import { hasRunningAgent } from "../../program/has-running-agent.ts";
import { ownCommand } from "../../program/own-command.ts";
import { withPassphrase } from "../../program/vault-passphrase.ts";
import { resolveSetting } from "../../settings/user-folders.ts";
import { underHome } from "../../text/under-home.ts";
import { askDoor, giveCodes } from "./ask-door.ts";
import { askModel } from "./ask-model.ts";
import { describeNotes, findNotes, lookAt, notesPromise } from "./find-notes.ts";
import type { Choice, Prompts } from "./prompts.ts";
import { describePlan, planSetup, type SetupNow } from "./setup-plan.ts";
import { type AskPassphrase, keepsOldSettings, writeSetup } from "./write-setup.ts";

/** What setup did, for its last line and its exit code. */
export type SetupEnd = "written" | "nothing-to-write" | "declined";

/** Asks a person for a model, the notes folder and a name, shows what it would write, and writes it after a yes. */
export async function askSetup(
  io: Io,
  {
    prompts,
    now,
    cancel,
  }: { readonly prompts: Prompts; readonly now: SetupNow; readonly cancel: AbortSignal },
): Promise<SetupEnd> {
  const ask = askPassphrase(prompts);
  const { config } = now;
  prompts.begin("Passepartout: set up a model, your notes and a name");
  prompts.say("No setting is written before you say yes at the end. Enter keeps what is set; Esc leaves.");
  const unlock = async (): Promise<boolean> => {
    const { vault } = config;
    if (vault.status().state === "unlocked") return true;
    const result = await withPassphrase(io, vault, (given) => vault.unlock(given), ask.known);
    if (!result.ok) prompts.warn(result.reason);
    return result.ok;
  };
  const model = await askModel({ prompts, now, cancel, unlock });
  const notes = await askNotes(prompts, now);
  const assistant = await prompts.line("What is the assistant called?", config.assistant, problemOfAssistant);
  const door = await askDoor(io, prompts, config);
  const plan = planSetup({ model, notes, assistant, door }, now);
  for (const warning of plan.warnings) prompts.warn(warning);
  const lines = describePlan(plan, now);
  if (lines.length === 0) {
    prompts.end("All of this is set already. Nothing was written.");
    return "nothing-to-write";
  }
  prompts.show("This would be written", lines);
  if (!(await prompts.agree("Write it?"))) {
    prompts.end("Nothing was written.");
    return "declined";
  }
  await writeSetup(io, plan, { now, ask });
  if (door !== null) prompts.say(giveCodes(io, door));
  if (await hasRunningAgent(io)) prompts.warn(keepsOldSettings);
  prompts.end(`Written. Now start a conversation: ${ownCommand(io.cwd)}`);
  return "written";
}

function askPassphrase(prompts: Prompts): AskPassphrase {
  return {
    known: (question) => prompts.hidden(question.replace(/:\s*$/, "")),
    async next() {
      const typed = await prompts.hidden(
        "New passphrase of the vault: 8 characters or more. It is not shown, and nobody can find it again",
        (text) => (text.length < 8 ? "A passphrase has 8 characters or more." : undefined),
      );
      await prompts.hidden("The same passphrase again", (text) =>
        text === typed ? undefined : "It is not the same. Type it again, or leave by Esc.",
      );
      return typed;
    },
  };
}

/** What is wrong with a name for the assistant; undefined if nothing is. */
export function problemOfAssistant(text: string): string | undefined {
  if (text === "" || text.length > 80) return "A name has 1 to 80 characters.";
  return /[\p{Cc}\p{Bidi_Control}]/u.test(text) ? "A name has no control characters." : undefined;
}

async function askNotes(prompts: Prompts, { config, file, environment }: SetupNow): Promise<string> {
  const { notes, otherNotes, home } = config.places;
  prompts.show("Your notes", notesPromise);
  const candidates = findNotes([notes, ...otherNotes], home);
  const choices: readonly Choice<string | null>[] = [
    ...candidates.map((candidate) => ({
      value: candidate.folder,
      label: underHome(candidate.folder, home),
      hint: describeNotes(candidate),
    })),
    { value: null, label: "Another folder" },
  ];
  const isSet = (file["MEMEX_DIR"] ?? environment["MEMEX_DIR"] ?? "") !== "";
  const filled = candidates.find((candidate) => candidate.notes > 0)?.folder;
  const usual = isSet ? notes : (filled ?? notes);
  const chosen = await prompts.choose("Where are your Org notes?", choices, usual);
  if (chosen !== null) return chosen;
  const check = (text: string): string | undefined => problemOfNotes(text, home);
  const folder = resolveSetting(await prompts.line("The folder of your notes", "~/", check), {
    home,
    base: home,
  });
  prompts.say(`${underHome(folder, home)}: ${describeNotes(lookAt(folder))}.`);
  return folder;
}

/** What is wrong with a notes folder; undefined if nothing is. */
export function problemOfNotes(text: string, home: string): string | undefined {
  const folder = resolveSetting(text, { home, base: home });
  if (text === "" || folder === "/" || folder === home)
    return "Every file in it would count as a note. Name a folder of its own, such as ~/memex.";
  return existsSync(folder) && !statSync(folder).isDirectory() ? `${folder} is no folder.` : undefined;
}
