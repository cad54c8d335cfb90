import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder, parser } from "../../src/act/tools/shell.fixture.ts";
import { makeShellTool } from "../../src/act/tools/shell.ts";
import { builtInGates } from "../../src/gate/built-in.ts";
import { makeJudge } from "../../src/gate/make-judge.ts";
import { sampleFacts } from "../../src/gate/sample-action.ts";

const decide = makeJudge(builtInGates);
const label = { integrity: "agent", secrecy: "public", sources: [] } as const;

/** What the gate of extent asks about a command, when the owner said these words; null where it asks nothing. */
async function askedAbout(workspace: string, words: string, cmd: string): Promise<string | null> {
  const tool = makeShellTool({
    parser,
    sandbox: null,
    isSecretPath: () => false,
    hidden: [],
    home: "/home/u",
    searchPath: "/usr/bin:/bin",
    mask: (text) => text,
  });
  const caller = {
    turn: "t",
    session: "s",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace,
    known: new Map(),
    sources: { words: [words], results: [], contacts: async () => [], approved: [] },
    promptLabel: label,
  } as const;
  const prepared = await tool.prepare({ cmd }, caller, () => label);
  assert.ok(prepared.ok, cmd);
  const verdict = decide(prepared.effects, {
    ...sampleFacts,
    folders: { ...sampleFacts.folders, workspace },
  });
  return verdict.trace.find(({ gate, result }) => gate === "extent" && result === "approval")?.reason ?? null;
}

type Kind = {
  readonly name: string;
  /** The things, harmless or not to lose. */
  readonly things: (harmless: boolean, count: number) => readonly string[];
  readonly command: (things: readonly string[]) => string;
  /** Two ways to name the things exactly, and two that do not, in English and German. */
  readonly exact: readonly ((things: readonly string[]) => string)[];
  readonly vague: readonly string[];
};

const numbered = (form: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => form.replace("#", String(at + 1)));
const list = (things: readonly string[]): string => things.join(", ");

const kinds: readonly Kind[] = [
  {
    name: "clean-up",
    things: (harmless, count) => numbered(harmless ? "cache/part-#.tmp" : "src/module-#.ts", count),
    command: (things) => `rm ${things.join(" ")}`,
    exact: [
      (things) => `Delete ${list(things)}.`,
      (things) => `Lösche bitte ${list(things)}.`,
      (things) => `Please remove the ${things.length} files of last week.`,
      (things) => `rm ${things.join(" ")}`,
    ],
    vague: [
      "Clean up the project.",
      "Räum bitte auf.",
      "Delete the old stuff.",
      "Remove everything that is not needed, but keep the rest.",
    ],
  },
  {
    name: "branches",
    things: (harmless, count) => numbered(harmless ? "merged/topic-#" : "feature/topic-#", count),
    command: (things) => `git branch -D ${things.join(" ")}`,
    exact: [
      (things) => `Delete the branches ${list(things)}.`,
      (things) => `Lösche die Zweige ${list(things)}.`,
      (things) => `Delete those ${things.length} branches.`,
      (things) => `git branch -D ${things.join(" ")}`,
    ],
    vague: [
      "Delete the old branches.",
      "Lösche alte Zweige.",
      "Tidy up my branches.",
      "Remove all branches that nobody needs.",
    ],
  },
  {
    name: "services",
    things: (harmless, count) => numbered(harmless ? "demo-#.service" : "db-#.service", count),
    command: (things) => `systemctl stop ${things.join(" ")}`,
    exact: [
      (things) => `Stop ${list(things)}.`,
      (things) => `Halte ${list(things)} an.`,
      (things) => `Stop these ${things.length} services.`,
      (things) => `Please run systemctl stop ${things.join(" ")}`,
    ],
    vague: [
      "Stop what is not needed.",
      "Halte die Dienste an.",
      "Free some memory.",
      "Stop all services that hang.",
    ],
  },
  {
    name: "configuration",
    things: (harmless, count) => numbered(harmless ? "themes/theme-#.conf" : "conf/site-#.conf", count),
    command: (things) => `sed -i s/debug/info/ ${things.join(" ")}`,
    exact: [
      (things) => `Set the level to info in ${list(things)}.`,
      (things) => `Setze in ${list(things)} die Stufe auf info.`,
      (things) => `Set the level to info in the ${things.length} files.`,
      (things) => `Change debug to info in ${things.join(" and ")}.`,
    ],
    vague: [
      "Make the logs quieter.",
      "Stell die Konfiguration richtig ein.",
      "Fix the settings everywhere.",
      "Turn debug off.",
    ],
  },
];

async function plant(context: TestContext): Promise<string> {
  const folder = await makeScratchFolder(context);
  for (const kind of kinds) {
    if (kind.name !== "clean-up" && kind.name !== "configuration") continue;
    for (const name of [...kind.things(true, 13), ...kind.things(false, 13)]) {
      await mkdir(join(folder, name, ".."), { recursive: true });
      await writeFile(join(folder, name), "debug");
    }
  }
  return folder;
}

test("of 128 cases every vague one asks with the list, and no exact one asks for its extent", async (context) => {
  const folder = await plant(context);
  const asked: string[] = [];
  const counted = { exact: 0, vague: 0 };
  for (const { things, command, exact, vague } of kinds) {
    for (const harmless of [true, false]) {
      for (const count of [2, 12]) {
        const items = things(harmless, count);
        for (const words of exact) {
          counted.exact += 1;
          if ((await askedAbout(folder, words(items), command(items))) !== null) asked.push(words(items));
        }
        for (const words of vague) {
          counted.vague += 1;
          const reason = await askedAbout(folder, words, command(items));
          assert.match(reason ?? "", new RegExp(`acts on ${count} `), `${words}: ${command(items)}`);
          for (const item of items) assert.ok(reason?.includes(item), `${item} in: ${reason}`);
        }
      }
    }
  }
  assert.deepEqual(counted, { exact: 64, vague: 64 });
  context.diagnostic(`${asked.length} of ${counted.exact} exact cases ask`);
  assert.ok(asked.length <= counted.exact * 0.05, asked.join("\n"));
});

test("a pattern, a folder and a query are expanded, cut with their count, and the question says what stays", async (context) => {
  const folder = await plant(context);
  const pattern = await askedAbout(folder, "Clean up.", "rm src/module-1*.ts");
  assert.match(
    pattern ?? "",
    /acts on 5 files, and your message names none of them: src\/module-1\.ts, .*beside them stay src\/module-2\.ts/,
  );
  assert.match((await askedAbout(folder, "Clean up.", "rm -r src")) ?? "", /acts on 13 files/);
  assert.match(
    (await askedAbout(folder, "Clean up.", "rm -r src cache themes")) ?? "",
    /acts on 39 files.*and 19 more/,
  );
  for (const cmd of [
    "find . -name '*.tmp' -delete",
    "find . -name '*.tmp' | xargs rm",
    "git branch --merged | xargs git branch -d",
    "git branch -D $(git branch --merged)",
    "docker rm $(docker ps -aq)",
    "docker system prune -f",
    "systemctl stop 'app-*'",
    "git clean -fdx",
    "git reset --hard",
    "pkill node",
    "for f in *.tmp; do rm $f; done",
    "kubectl delete pods --all",
  ])
    assert.match((await askedAbout(folder, "Clean up.", cmd)) ?? "", /not known before it runs/, cmd);
});

test("what the owner named is no question of extent: a folder, a typed pattern, a single thing, and what is only read", async (context) => {
  const folder = await plant(context);
  for (const [words, cmd] of [
    ["Delete the folder cache.", "rm -r cache"],
    ["Delete src/module-1*.ts, please.", "rm src/module-1*.ts"],
    ["Clean up.", "rm src/module-1.ts"],
    ["Clean up.", "ls src cache"],
    ["Clean up.", "git branch --list"],
    ["Clean up.", "systemctl status a b"],
    ["Clean up.", "mkdir a b"],
    ["Clean up.", "npm test"],
  ] as const)
    assert.equal(await askedAbout(folder, words, cmd), null, cmd);
});

test("what the owner wants to keep is not named by being said", async (context) => {
  const folder = await plant(context);
  const asked = await askedAbout(
    folder,
    "Delete everything in src but src/module-1.ts and src/module-2.ts.",
    "rm src/module-1.ts src/module-2.ts",
  );
  assert.match(asked ?? "", /names none of them/);
  assert.match(
    (await askedAbout(folder, "Delete src/module-1.ts.", "rm src/module-1.ts src/module-2.ts")) ?? "",
    /names 1 of them/,
  );
});
