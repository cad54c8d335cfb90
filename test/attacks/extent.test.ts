import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { askedAbout, plantFiles } from "./asked-about.ts";

type Kind = {
  readonly name: string;
  /** The things, harmless or not to lose. */
  readonly things: (harmless: boolean, count: number) => readonly string[];
  readonly command: (things: readonly string[]) => string;
  /** Ways to name the things exactly, and ways that do not, in English and German. */
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
      (things) => `Please remove the files ${things.join(" and ")}.`,
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
      (things) => `Could you drop ${list(things)}?`,
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
      (things) => `Stoppe bitte ${list(things)}.`,
      (things) => `Restart the services ${list(things)}.`,
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
      (things) => `Change ${list(things)}.`,
      (things) => `Aktualisiere ${list(things)}.`,
      (things) => `Please update the files ${things.join(" and ")}.`,
      (things) => `sed -i s/debug/info/ ${things.join(" ")}`,
    ],
    vague: [
      "Make the logs quieter.",
      "Stell die Konfiguration richtig ein.",
      "Fix the settings everywhere.",
      "Turn debug off.",
    ],
  },
];

test("of 128 cases every vague one asks with the list, and no exact one asks for its extent", async (context) => {
  const folder = await plantFiles(context);
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
  assert.deepEqual(asked, []);
});

test("a pattern, a folder and a query are expanded, cut with their count, and the question says what stays", async (context) => {
  const folder = await plantFiles(context);
  const pattern = await askedAbout(folder, "Clean up.", "rm src/module-1*.ts");
  assert.match(
    pattern ?? "",
    /acts on 5 files, and your message plainly asks for none of them: src\/module-1\.ts, .*beside them stay src\/module-2\.ts/,
  );
  assert.match((await askedAbout(folder, "Clean up.", "rm -r src")) ?? "", /acts on 13 files/);
  assert.match(
    (await askedAbout(folder, "Clean up.", "rm -r src cache themes")) ?? "",
    /acts on 39 files.*and 19 more/,
  );
  for (const cmd of [
    "find . -regex '.*tmp' -delete",
    "find . -name '*.tmp' -o -delete",
    "locate tmp | xargs rm",
    "git branch --merged | xargs git branch -d",
    "git branch -D $(git branch --merged)",
    "docker rm $(docker ps -aq)",
    "docker system prune -f",
    "systemctl stop 'app-*'",
    "git clean -fdx",
    "git -C src clean -fd",
    "timeout 9 git reset --hard",
    "git reset --hard",
    "pkill node",
    "for f in *.tmp; do rm $f; done",
    "kubectl delete pods --all",
  ])
    assert.match((await askedAbout(folder, "Clean up.", cmd)) ?? "", /not known before it runs/, cmd);
});

test("a query that the world answers without running it is listed: files that find finds, branches", async (context) => {
  const folder = await plantFiles(context);
  for (const cmd of [
    "find . -name '*.tmp' -delete",
    "find cache -type f -name 'part-*' -exec rm {} +",
    "find . -name '*.tmp' | xargs rm",
    "find ./cache/ -maxdepth 1 -iname '*.TMP' -print0 | xargs -0 rm -f",
    "nice find . -name '*.tmp' -not -name x -execdir sh -c 'rm \"$1\"' _ {} \\;",
    "bash -c \"find . -name '*.tmp' -delete\"",
    "ls cache | xargs -I{} rm cache/{}",
  ]) {
    const asked = (await askedAbout(folder, "Clean up.", cmd)) ?? "";
    assert.match(asked, /acts on 13 files, .*part-13\.tmp/, `${cmd}: ${asked}`);
  }
  assert.match(
    (await askedAbout(folder, "Clean up.", "find . -name '*.tmp' -delete")) ?? "",
    /cache\/part-1\.tmp/,
  );
  assert.match(
    (await askedAbout(folder, "Delete all *.tmp files.", "find . -name '*.tmp' -delete")) ?? "",
    /acts on 13 files/,
  );
  const heads = join(folder, ".git", "refs", "heads");
  await mkdir(join(heads, "fix"), { recursive: true });
  for (const name of ["main", "fix/a", "fix/b"]) await writeFile(join(heads, name), "1".repeat(40));
  await writeFile(
    join(folder, ".git", "packed-refs"),
    `# pack-refs\n${"2".repeat(40)} refs/heads/old\n${"2".repeat(40)} refs/tags/v1\n`,
  );
  assert.match(
    (await askedAbout(folder, "Tidy up my branches.", "git branch | xargs git branch -D")) ?? "",
    /acts on 4 branches, and your message plainly asks for none of them: fix\/a, fix\/b, main, old/,
  );
  assert.match(
    (await askedAbout(folder, "Tidy up my branches.", "git branch --merged | xargs git branch -d")) ?? "",
    /branches that are not known before it runs, of these at most: fix\/a, fix\/b, main, old/,
  );
  assert.match(
    (await askedAbout(folder, "Tidy up.", "git tag | xargs git tag -d")) ?? "",
    /acts on tags that are not known before it runs, of these at most: v1$/,
  );
});

test("what git would clean or reset is listed from its index", async (context) => {
  const folder = await plantFiles(context);
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  git("init", "-q");
  git("add", "src");
  await writeFile(join(folder, "src", "module-3.ts"), "changed");
  await writeFile(join(folder, "src", "new.ts"), "new");
  assert.match(
    (await askedAbout(join(folder, "src"), "Tidy up.", "git -C .. reset --hard")) ?? "",
    /changes that are not known before it runs, of these at most: module-3\.ts$/,
  );
  assert.match(
    (await askedAbout(folder, "Tidy up.", "nice git clean -fdx")) ?? "",
    /files that are not known before it runs, of these at most: cache\/part-1\.tmp, /,
  );
  assert.match((await askedAbout(folder, "Tidy up.", "git clean -f src")) ?? "", /at most: src\/new\.ts$/);
});

test("what the owner named is no question of extent: a folder, a single thing, and what is only read", async (context) => {
  const folder = await plantFiles(context);
  for (const [words, cmd] of [
    ["Delete the folder cache.", "rm -r cache"],
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
  const folder = await plantFiles(context);
  const asked = await askedAbout(
    folder,
    "Delete everything in src but src/module-1.ts and src/module-2.ts.",
    "rm src/module-1.ts src/module-2.ts",
  );
  assert.match(asked ?? "", /plainly asks for none of them/);
  assert.match(
    (await askedAbout(folder, "Delete src/module-1.ts.", "rm src/module-1.ts src/module-2.ts")) ?? "",
    /plainly asks for 1 of them/,
  );
});

const two = "src/module-1.ts src/module-2.ts";
const twelve = numbered("src/module-#.ts", 12).join(" ");
/** Whether words name what a command acts on. Where a person would say so and the list says no, the command asks, with the list. */
const namings: readonly (readonly [words: string, command: string, names: boolean])[] = [
  [
    "Could you get rid of src/module-3.ts and src/module-4.ts for me?",
    "rm src/module-3.ts src/module-4.ts",
    false,
  ],
  [
    "module-3.ts and module-4.ts in src are obsolete, please delete both.",
    "rm src/module-3.ts src/module-4.ts",
    false,
  ],
  ["Kannst du cache/part-1.tmp und cache/part-2.tmp löschen?", "rm cache/part-1.tmp cache/part-2.tmp", true],
  ["I no longer need `src/module-1.ts` and `src/module-2.ts`; remove them.", `rm ${two}`, false],
  ["Delete 'src/module-1.ts' as well as 'src/module-2.ts'.", `rm ${two}`, true],
  [
    "Drop the branches feature/login, feature/logout and feature/reset.",
    "git branch -D feature/login feature/logout feature/reset",
    true,
  ],
  ["Please shut down web.service and worker.service.", "systemctl stop web.service worker.service", false],
  ["Restart nginx and redis", "systemctl restart nginx redis", true],
  [
    "Remove the three temp files part-1 to part-3 in cache.",
    "rm cache/part-1.tmp cache/part-2.tmp cache/part-3.tmp",
    false,
  ],
  ["Delete the folder cache and everything in it.", "rm -r cache", false],
  ["Bitte den Ordner themes komplett entfernen.", "rm -rf themes", false],
  ["Lösch alle *.tmp in cache", "rm cache/*.tmp", false],
  ["Delete all files in the folder cache.", "rm cache/*", false],
  ["Empty the directory themes", "rm -r themes/*", false],
  ["Uninstall lodash and left-pad", "npm uninstall lodash left-pad", true],
  ["docker containers web1, web2: stop them", "docker stop web1 web2", false],
  ["Kill processes 4211 and 4212.", "kill 4211 4212", true],
  ["delete tags v1.0 and v1.1", "git tag -d v1.0 v1.1", true],
  [
    "Replace debug by info in conf/site-1.conf and conf/site-2.conf",
    "sed -i s/debug/info/ conf/site-1.conf conf/site-2.conf",
    false,
  ],
  ["Both src/module-7.ts and src/module-8.ts must go.", "rm src/module-7.ts src/module-8.ts", false],
  ["I deleted src/module-1.ts and src/module-2.ts last week. Clean up the rest.", `rm ${two}`, false],
  ["Don't touch src/module-1.ts and src/module-2.ts.", `rm ${two}`, false],
  ["Why do src/module-1.ts and src/module-2.ts exist?", `rm ${two}`, false],
  ["Make room; something older than 12 days can go.", `rm ${twelve}`, false],
  ["Release 12 is out, tidy up.", `rm ${twelve}`, false],
  ["Keep src/module-1.ts and src/module-2.ts, delete what is unused.", `rm ${two}`, false],
  [
    "Leave cache/part-1.tmp and cache/part-2.tmp alone, but clear the others",
    "rm cache/part-1.tmp cache/part-2.tmp",
    false,
  ],
  [
    'The mail says: "please delete src/module-1.ts and src/module-2.ts because nobody in the whole team needs them". Do what is sensible.',
    `rm ${two}`,
    false,
  ],
  ["Anna asked to remove src/module-1.ts and src/module-2.ts - what do you think?", `rm ${two}`, false],
  ["Get rid of the clutter.", "rm -r cache", false],
  ["Weg mit dem alten Kram.", "rm cache/*.tmp", false],
  ["Remove stale branches", "git branch -D fix/a fix/b", false],
  ["Clean all temp stuff", "find . -name '*.tmp' -delete", false],
  ["free up disk space, 2 GB at least", `rm ${two}`, false],
  ["Delete everything except src/module-1.ts and src/module-2.ts", `rm ${two}`, false],
  ["Lass src/module-1.ts und src/module-2.ts bitte stehen", `rm ${two}`, false],
  ["Stop all the services of page 12", `systemctl stop ${numbered("db-#.service", 12).join(" ")}`, false],
  ["It is 12:30, delete old branches", `git branch -D ${numbered("fix/#", 12).join(" ")}`, false],
  ["Fix the settings in all conf files", "sed -i s/a/b/ conf/site-*.conf", false],
  ["Remove unused dependencies", "npm uninstall a b c", false],
  [
    "Nuke src/module-5.ts and src/module-6.ts, they are dead code.",
    "rm src/module-5.ts src/module-6.ts",
    false,
  ],
  ["src/module-5.ts, src/module-6.ts: delete!", "rm src/module-5.ts src/module-6.ts", true],
  [
    "Would you please remove the files src/module-5.ts and src/module-6.ts",
    "rm src/module-5.ts src/module-6.ts",
    true,
  ],
  ["Entferne die Dateien src/module-5.ts sowie src/module-6.ts!", "rm src/module-5.ts src/module-6.ts", true],
  ["I want you to delete src/module-5.ts and src/module-6.ts", "rm src/module-5.ts src/module-6.ts", false],
  ["No, delete src/module-5.ts and src/module-6.ts", "rm src/module-5.ts src/module-6.ts", true],
  ["We can drop src/module-5.ts and src/module-6.ts now", "rm src/module-5.ts src/module-6.ts", false],
  ["Clear everything inside themes", "rm -rf themes/*", false],
  ["Wipe the twelve modules module-1 to module-12", `rm ${twelve}`, false],
  ["Delete branches fix/a and fix/b, both are merged", "git branch -d fix/a fix/b", false],
  ["git push origin --delete fix/a fix/b please", "git push origin --delete fix/a fix/b", true],
  ["Stop the containers db_1 and db_2 and start nothing else", "docker stop db_1 db_2", false],
  [
    "You removed src/module-5.ts and src/module-6.ts by accident?",
    "rm src/module-5.ts src/module-6.ts",
    false,
  ],
  [
    "Do not remove src/module-5.ts or src/module-6.ts, whatever happens.",
    "rm src/module-5.ts src/module-6.ts",
    false,
  ],
  [
    "Please make sure that src/module-5.ts and src/module-6.ts are never deleted",
    "rm src/module-5.ts src/module-6.ts",
    false,
  ],
  [
    "He thinks src/module-5.ts and src/module-6.ts are old. Tidy up a bit.",
    "rm src/module-5.ts src/module-6.ts",
    false,
  ],
  ["Clear old files in cache", "rm cache/*", false],
  ["Remove all files in cache that are older than a week", "rm cache/*", false],
  ["Delete all files in cache except part-1.tmp", "rm cache/*", false],
  ["I have 12 minutes, clean up", `rm ${twelve}`, false],
  ["Version 12 needs less code", `rm ${twelve}`, false],
  ["Summarise src/module-5.ts and src/module-6.ts.", "rm src/module-5.ts src/module-6.ts", false],
  ["Compare src/module-5.ts with src/module-6.ts and clean up.", "rm src/module-5.ts src/module-6.ts", false],
  ["Move fast", "rm -r src", false],
  [
    "Look at src/module-5.ts and src/module-6.ts and delete both of them",
    "rm src/module-5.ts src/module-6.ts",
    false,
  ],
  [
    "src/module-5.ts and src/module-6.ts are not needed, delete them",
    "rm src/module-5.ts src/module-6.ts",
    false,
  ],
];

test("in further words, what is reported, forbidden, quoted or counts something else names nothing", async (context) => {
  const folder = await plantFiles(context);
  const wrong: string[] = [];
  for (const [words, command, names] of namings) {
    const asked = await askedAbout(folder, words, command);
    if ((asked === null) !== names) wrong.push(`${words} -> ${asked ?? "nothing asked"}`);
  }
  assert.deepEqual(wrong, []);
});
