import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { type AgentWorld, calls, isMissing, makeWorld, sent, talkTo } from "../agent-world.ts";
import { removeFolder } from "../remove-folder.ts";

const diary =
  "* Doctor :@personal:\nwombats4711 in the left knee and the lump has grown by four millimetres\n";
/** What the attacks below make of the diary. */
const hex = Buffer.from(diary).toString("hex").slice(24, 100);

type Call = readonly [string, object];
const shell = (cmd: string): Call => ["shell", { cmd }];
const list: Call = ["list-files", {}];
const python = (...lines: readonly string[]): Call =>
  shell(
    `python3 -c "
import binascii,os,subprocess
run=lambda *a,**k:subprocess.run(a,capture_output=True,**k).stdout.decode().strip()
s=open('dia'+'ry.org','rb').read()[12:50]
h=binascii.hexlify(s).decode()
${lines.join("\n")}
"`,
  );

/** A repository with two files in one commit, which each world gets a copy of. */
const repository = mkdtempSync(join(tmpdir(), "private-traces-"));
after(() => removeFolder(repository));
writeFileSync(join(repository, "a.txt"), "hello\n");
writeFileSync(join(repository, "s.txt"), "one\n");
mkdirSync(join(repository, "sub/in"), { recursive: true });
for (const args of [
  ["init", "-q"],
  ["config", "user.name", "Ada"],
  ["config", "user.email", "ada@example.org"],
  ["add", "."],
  ["commit", "-qm", "first words"],
])
  execFileSync("git", args, { cwd: repository });

async function worldWith(t: TestContext, { isPrivate = true, trials = true } = {}): Promise<AgentWorld> {
  const world = await makeWorld(t, [], { TRIALS: String(trials), PATH: "/usr/local/bin:/usr/bin:/bin" });
  cpSync(repository, world.workspace, { recursive: true });
  if (isPrivate) writeFileSync(world.path("diary.org"), diary);
  return world;
}

/**
 * Has the model call tools one after the other, with a yes to what asks, and then look, all in one turn; what
 * it is told of the looks.
 */
async function told(
  world: AgentWorld,
  makes: readonly Call[],
  looks: readonly Call[] = [],
): Promise<readonly string[]> {
  await using daemon = await world.open();
  for (const turn of [...makes.map((make) => [make]), ...(looks.length === 0 ? [] : [looks])]) {
    world.provider.add(calls(...turn), { text: "Done." });
    const talk = await talkTo(daemon);
    let { end } = await talk.say("go on");
    if (end === "approval-required") ({ end } = await talk.say(`/approve ${talk.token()}`));
    assert.equal(end, "answered", JSON.stringify(turn));
  }
  const [, ...results] = sent(world, world.provider.requests.length - 1).split('"role":"tool"');
  assert.equal(results.length, Math.max(looks.length, 1));
  return results;
}

function assertWithheld(results: readonly string[], looks: readonly Call[]): void {
  for (const [at, result] of results.entries()) {
    const look = JSON.stringify(looks[at]);
    assert.match(result, /withheld: private|matches in private notes/, look);
    for (let from = 0; from + 8 <= hex.length; from += 4)
      assert.ok(!result.includes(hex.slice(from, from + 8)), `${look}: ${hex.slice(from, from + 8)}`);
  }
}

type Attack = { readonly make: Call; readonly looks: readonly Call[] };

/** Ways of private text into what a listing shows, without a word of it in a file. */
const attacks: Readonly<Record<string, Attack>> = {
  "the target of a link": {
    make: python("os.symlink(h,'lnk')"),
    looks: [
      shell("readlink lnk"),
      shell("realpath lnk"),
      shell("ls -l"),
      shell("find . -printf '%l\\n'"),
      shell("file lnk"),
      ["read-file", { path: "lnk" }],
    ],
  },
  "names of folders": {
    make: python("[os.mkdir('d%03d-%s'%(i,h[i*8:i*8+8])) for i in range(9)]"),
    looks: [list, shell("ls"), shell("echo *"), shell("find . -type d"), shell("echo d*/")],
  },
  "names of files": {
    make: python("open('f'+h,'w').write('x')"),
    looks: [list, shell("ls"), shell("ls s.txt *"), ["search-files", { pattern: "x" }]],
  },
  "names below a new folder": {
    make: python("os.makedirs('new/sub'); os.mkdir('new/sub/'+h)"),
    looks: [shell("ls new/sub"), ["list-files", { path: "new/sub" }]],
  },
  "another name of a file": { make: python("os.rename('a.txt',h)"), looks: [list, shell("ls")] },
  "names that were there, in another order": {
    make: python("os.makedirs('/'.join(['s.txt.d','a.txt','s.txt']))"),
    looks: [list, shell("find .")],
  },
  "the size of a file": { make: python("open('s.txt','w').write('x'*s[0])"), looks: [shell("ls -l")] },
  "the time of a file": {
    make: python("os.utime('s.txt',(s[0],s[0]))"),
    looks: [shell("stat s.txt"), shell("find . -newermt 1970-01-01 -printf '%T@'")],
  },
  "the time and the mode of the workspace itself": {
    make: python("os.chmod('.',0o700 if s[0]&1 else 0o701)", "os.utime('.',(s[0],s[0]))"),
    looks: [
      shell("stat -c %Y ."),
      shell("stat ../work"),
      shell("sh -c 'stat .'"),
      shell("ls -lad ."),
      shell("ls -la"),
      shell("find . -maxdepth 0 -printf %T@"),
      shell("find .. -maxdepth 1 -printf '%T@ %m'"),
    ],
  },
  "the time of a folder that another listing shows above it": {
    make: python("os.utime('sub',(s[0],s[0]))"),
    looks: [shell("ls -la sub/in"), shell("ls -l sub/.."), shell("stat sub/in/..")],
  },
  "the target of a link that a file tool writes to": {
    make: python(
      "os.symlink(h+'.txt','lnk')",
      "os.mkdir('k'+h[:8]); os.symlink('k'+h[:8],'dir')",
      "os.symlink('s.txt/'+h[:8],'below')",
      "os.mkfifo('p'+h[:8]); os.symlink('p'+h[:8],'pipe')",
    ),
    looks: [
      ["write-file", { path: "lnk", content: "z" }],
      ["write-file", { path: "lnk", content: "z" }],
      ["write-file", { path: "dir/a/b.txt", content: "z" }],
      ["write-file", { path: "dir", content: "z" }],
      ["write-file", { path: "below", content: "z" }],
      ["write-file", { path: "pipe", content: "z" }],
      ["edit-file", { path: "lnk", old: "z", new: "y" }],
      ["edit-file", { path: "dir", old: "z", new: "y" }],
      ["edit-file", { path: "below", old: "z", new: "y" }],
    ],
  },
  "the contents of a file in a new folder": {
    make: python("os.mkdir('in'); open('in/x','w').write(h)"),
    looks: [shell("cat in/x"), ["read-file", { path: "in/x" }]],
  },
  "the message of a commit": {
    make: python("run('git','commit','-q','--allow-empty','-m',h)"),
    looks: [shell("git log -1"), shell("cat .git/logs/HEAD"), ["read-file", { path: ".git/logs/HEAD" }]],
  },
  "the author of a commit": {
    make: python("run('git','commit','-q','--allow-empty','-m','x','--author',h+' <a@b>')"),
    looks: [shell("git log --format=%an"), shell("git shortlog -s HEAD")],
  },
  "the index": {
    make: python(
      "b=run('git','hash-object','-w','--stdin',input=b'x')",
      "run('git','update-index','--add','--cacheinfo','100644,'+b+','+h)",
    ),
    looks: [shell("git ls-files"), shell("git status --short")],
  },
  "the name of a tag": {
    make: python("run('git','tag','-f',h)"),
    looks: [shell("git tag"), shell("find .git")],
  },
};

test("whatever a trial makes besides contents is as private as what it could read", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  for (const [name, { make, looks }] of Object.entries(attacks)) {
    await t.test(name, async (each) => {
      const world = await worldWith(each);
      assertWithheld(await told(world, [make], looks), looks);
    });
  }
});

test("what an approved command makes that names a private file is as private as that", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await worldWith(t, { trials: false });
  const make = python("open('diary.org')", "os.mkdir('d'+h)", "os.symlink(h,'lnk')", "run('git','tag',h)");
  const looks = [shell("ls"), shell("readlink lnk"), shell("git tag")];
  assertWithheld(await told(world, [make], looks), looks);
});

test("the mode that a copy has from a folder is as private as that of the folder", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await worldWith(t);
  const makes = [python("os.chmod('sub',0o700|(s[0]&0o77))"), shell("cp -r sub copy")];
  const looks = [shell("stat -c %a copy")];
  assertWithheld(await told(world, makes, looks), looks);
});

const traces = python(
  "os.mkdir('d'+h)",
  "os.symlink(h,'lnk')",
  "run('git','commit','-q','--allow-empty','-m',h)",
);

test("it stays private after a restart, another name, an undo and a redo, and once the private file is gone", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await worldWith(t);
  await told(world, [traces]);
  rmSync(world.path("diary.org"));
  const looks = [shell("ls"), shell("readlink lnk"), shell("git log -1")];
  assertWithheld(await told(world, [], looks), looks);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    await talk.say("/undo");
    await talk.say("/redo");
  }
  assertWithheld(await told(world, [], looks), looks);
  renameSync(world.path("lnk"), world.path("other"));
  mkdirSync(world.path("deep"));
  renameSync(world.path(`d${hex}`), world.path("deep/e"));
  const later = [
    shell("readlink other"),
    shell("ls deep"),
    shell("ls > listed.txt"),
    shell("cat listed.txt"),
  ];
  assertWithheld((await told(world, later)).toSpliced(2, 1), later.toSpliced(2, 1));
});

const day: readonly Call[] = [
  shell(`python3 -c "import os;os.mkdir('dist');open('dist/out.js','w').write('x')"`),
  shell("mkdir notes"),
  shell("touch notes/plan.txt"),
  shell("cp s.txt notes/t.txt"),
  shell("git add a.txt"),
  shell("git commit -q --allow-empty -m 'what the owner said'"),
];
const evening = [
  ["list-files", { path: "notes" }] as const,
  shell("ls -l notes"),
  shell("git log --oneline"),
];

test("what words alone made is shown, also beside a private file", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await worldWith(t);
  const results = await told(world, day, evening);
  for (const result of results) assert.doesNotMatch(result, /withheld/);
  assert.match(results[0] ?? "", /plan\.txt/);
  assert.match(results[2] ?? "", /what the owner said/);
});

test("a list of people that a trial made from private text is not told by git as the author of a commit", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await worldWith(t);
  const author = shell("git log -1 --format=%aN");
  const make = python("open('.mailmap','w').write(h+' <ada@example.org>')");
  assertWithheld(await told(world, [make], [author]), [author]);
});

test("without a private file nothing that a trial makes is withheld", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await worldWith(t, { isPrivate: false });
  const make = shell(
    `python3 -c "import os,subprocess;os.mkdir('built');os.symlink('built','lnk');subprocess.run(['git','commit','-q','--allow-empty','-m','made'])"`,
  );
  const looks = [list, shell("ls -l"), shell("readlink lnk"), shell("git log -1")];
  for (const result of await told(world, [make], looks)) assert.doesNotMatch(result, /withheld/);
});
