import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import type { Step } from "../loopback-provider.ts";
import { openTerminal } from "../open-terminal.ts";

/** How a terminal looks. */
export type RecordedLook = {
  readonly columns: number;
  readonly rows: number;
  readonly background: "dark" | "light";
};

/** A screen of a recorded session, as the terminal shows it: escape sequences and all. */
export type RecordedScreen = { readonly name: string; readonly screen: string };

/** The prompt, with nothing open and nothing running. */
const idle = /^ › *(?:\n Enter send.*)?\s*$(?![\s\S])/m;

/** Milliseconds in which a screen that is taken stays as it is. */
const settling = 60;
/** The question has the keyboard: on a low screen the prompt below it is gone then. */
const answerable = "[\\s\\S]*(?:or type to say|┘\\s*$)";
/** The line below an answer, the last thing that a turn shows. */
const end = "[\\s\\S]*↳ .*tokens";

const answer = [
  "Done: the roses are on **Saturday** now. ",
  "Also due this week:\n\n- Tue 24  Call *Hansen* about the `boiler`\n- Thu 26  Library books back\n\n",
  '```ts\nconst due = ["boiler", "books"]; // this week\n```\n',
];

function proposal(explanation: string, ...wanted: readonly (readonly [string, object])[]): Step {
  return {
    calls: wanted.map(([name, args], index) => ({
      id: `call-${index + 1}`,
      name,
      arguments: { explanation, ...args },
    })),
  };
}

/** What the provider says in one recorded session. */
function script(): readonly Step[] {
  const usage = { input: 1200, output: 80 };
  const perl = `perl -e '
  @ARGV = glob "*.txt"; $^I = "";
  while (<>) { s/on \\w+day/on Sunday/; print }
  unlink "old.txt"'`;
  return [
    proposal("to see the plan", ["read-file", { path: "plan.txt" }]),
    proposal("move watering to Saturday", [
      "edit-file",
      { path: "plan.txt", old: "Friday", new: "Saturday" },
    ]),
    { text: answer, usage },
    proposal("keep a copy outside of the garden", [
      "write-file",
      { path: "../copy.txt", content: "Water the roses on Saturday.\n" },
    ]),
    { text: "The copy is made.", usage },
    proposal("change the day in every text file", ["shell", { cmd: perl }]),
    { text: "All files say Sunday.", usage },
    proposal("move the notes of 2025 to the archive", [
      "propose-plan",
      {
        steps: `2x write ~/archive.txt\nrun git commit -m "archive 2025"`,
        minutes: 60,
      },
    ]),
    { text: "Then it stays as it is.", usage },
    proposal("to see the settings", ["read-file", { path: ".env" }]),
    { text: "That file is not for me.", usage },
  ];
}

/** Where sessions are recorded: a daemon, a provider that plays a script, and a garden of text files. */
export type Studio = {
  /** Records the session once; it is the same each time. */
  readonly record: (look: RecordedLook) => Promise<readonly RecordedScreen[]>;
};

export async function openStudio(t: Parameters<typeof makeWorld>[0]): Promise<Studio> {
  const world = await makeWorld(t, [], { TRIALS: "true" });
  await startDaemon(t, world);
  return { record: (look) => recordIn(world, look) };
}

async function recordIn(world: AgentWorld, look: RecordedLook): Promise<readonly RecordedScreen[]> {
  const folder = join(world.home, "garden");
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(world.home, "copy.txt"), { force: true });
  mkdirSync(folder);
  const files = {
    "plan.txt": "Plan\nWater the roses on Friday.\nEnd\n",
    "beds.txt": "Weed on Friday.\n",
    "old.txt": "old\n",
    ".env": "",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  world.provider.drop();
  world.provider.add(...script());
  const settings = { TZ: "UTC" };
  await using terminal = await openTerminal(world, ["tui"], { ...look, folder, settings });
  const screens: RecordedScreen[] = [];
  const take = async (name: string, pattern: RegExp): Promise<void> => {
    let screen = "";
    // A frame that is only half there is not taken.
    do {
      await terminal.shows(pattern);
      screen = terminal.coloured();
      await pause(settling);
    } while (screen !== terminal.coloured());
    screens.push({ name, screen });
  };
  const say = (text: string): void => {
    terminal.type(text);
    terminal.press("Enter");
  };
  const answerWith = async (key: string): Promise<void> => {
    // A yes counts once the last row was on the screen.
    while (!/all shown/.test(terminal.screen()) && /more rows/.test(terminal.screen())) {
      terminal.press("PageDown");
      await pause(settling);
    }
    terminal.type(key);
  };
  await take("greeting", /loop\/default.* ok *$/m);
  say("the roses: move watering to Saturday and tell me what else is due");
  await take("turn", new RegExp(`const due${end}`));
  say("and keep a copy beside the garden");
  await take("question", new RegExp(`May I\\?[\\s\\S]*y yes${answerable}`));
  await answerWith("y");
  await take("yes", new RegExp(`The copy is made\\.${end}`));
  say("change it in every file");
  await take("trial question", new RegExp(`May I\\?[\\s\\S]*y yes${answerable}`));
  await answerWith("y");
  await take("kept", new RegExp(`All files say Sunday\\.${end}`));
  say("archive the notes of 2025");
  await take("plan", new RegExp(`Flight plan[\\s\\S]*y ${answerable}`));
  await answerWith("w");
  await terminal.shows(/why not\?/);
  say("not before the backup");
  await take("no with a reason", new RegExp(`stays as it is\\.${end}`));
  say("read the settings");
  await take("block", new RegExp(`not for me\\.${end}`));
  say("/undo ");
  await take("undo", /Undone\./);
  terminal.press("F2");
  await take("sessions", /Esc back|del Esc/);
  terminal.press("Escape");
  await terminal.shows(idle);
  terminal.press("C-t");
  await take("browse", /Esc back|Esc$/m);
  terminal.press("Escape");
  await terminal.shows(idle);
  terminal.press("C-d");
  await terminal.shows(/left with 0/);
  await forgetSessions(world);
  return screens;
}

/** The next recording lists no session of this one. */
async function forgetSessions(world: AgentWorld): Promise<void> {
  const { out } = await world.command(["sessions", "--json"]);
  for (const line of out.trim().split("\n")) {
    const { id } = JSON.parse(line) as { readonly id: string };
    await world.command(["sessions", "delete", id]);
  }
}
