import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";
import { makeProgramHome, type ProgramHome } from "../program-home.ts";

const runsScripts = '#!/bin/sh\nexec /bin/sh "$@"\n';

async function nodeOfVersion({ file, link }: ProgramHome, folder: string): Promise<void> {
  await file(`${folder}/bin/node`, runsScripts);
  await link(`${folder}/bin/npm`, "../lib/node_modules/npm/bin/npm-cli.js");
  await file(
    `${folder}/lib/node_modules/npm/bin/npm-cli.js`,
    '#!/usr/bin/env node\n. "$(dirname "$(readlink -f "$0")")/../lib/cli.js"\n',
  );
  await file(`${folder}/lib/node_modules/npm/lib/cli.js`, 'echo "npm of its version, $*"\n');
}

type Layout = {
  readonly make: (home: ProgramHome) => Promise<void>;
  readonly searched: readonly string[];
  readonly declared: readonly string[];
  readonly cmd: string;
  readonly says: RegExp;
};

const nvm = ".nvm/versions/node/v20";
const layouts: Readonly<Record<string, Layout>> = {
  nvm: {
    make: (home) => nodeOfVersion(home, nvm),
    searched: [`${nvm}/bin`],
    declared: [".nvm"],
    cmd: "npm test",
    says: /npm of its version, test/,
  },
  "a program of nvm that only prints its version": {
    make: (home) => nodeOfVersion(home, nvm),
    searched: [`${nvm}/bin`],
    declared: [".nvm"],
    cmd: "npm --version",
    says: /npm of its version, --version/,
  },
  "a script that starts one of nvm": {
    make: (home) => nodeOfVersion(home, nvm),
    searched: [`${nvm}/bin`],
    declared: [".nvm"],
    cmd: "bash -c ':; npm test'",
    says: /npm of its version, test/,
  },
  "a folder that is a link": {
    make: async (home) => {
      await nodeOfVersion(home, "disk/nvm/v20");
      await home.link(".nvm", join(home.home, "disk/nvm"));
    },
    searched: [".nvm/v20/bin"],
    declared: [".nvm"],
    cmd: "npm test",
    says: /npm of its version, test/,
  },
  "fnm, whose folder of PATH is a link of each shell": {
    make: async (home) => {
      await nodeOfVersion(home, ".local/share/fnm/node-versions/v20/installation");
      await home.link("shells/123", join(home.home, ".local/share/fnm/node-versions/v20/installation"));
    },
    searched: ["shells/123/bin"],
    declared: [".local/share/fnm"],
    cmd: "npm test",
    says: /npm of its version, test/,
  },
  "pyenv's shims": {
    make: async ({ home, file }) => {
      const root = join(home, ".pyenv");
      await file(".pyenv/shims/python3", `#!/bin/sh\nexec "${root}/libexec/pyenv" exec "\${0##*/}" "$@"\n`);
      await file(
        ".pyenv/libexec/pyenv",
        `#!/bin/sh\nshift; program=$1; shift; exec "${root}/versions/3.12/bin/$program" "$@"\n`,
      );
      await file(".pyenv/versions/3.12/bin/python3", runsScripts);
      await file("work/site/a.py", "echo ran $1\n");
    },
    searched: [".pyenv/shims"],
    declared: [".pyenv"],
    cmd: "python3 a.py x",
    says: /ran x/,
  },
  "pipx, by a link in another folder": {
    make: async ({ home, file, link }) => {
      const venv = ".local/share/pipx/venvs/tool";
      await link(`${venv}/bin/python`, "/bin/sh");
      await file(`${venv}/bin/tool`, `#!${home}/${venv}/bin/python\n. "${home}/${venv}/lib/tool"\n`);
      await file(`${venv}/lib/tool`, "echo tool $*\n");
      await link(".local/bin/tool", join(home, venv, "bin/tool"));
    },
    searched: [".local/bin"],
    declared: [".local/share/pipx"],
    cmd: "tool x",
    says: /tool x/,
  },
  "rustup, which looks below the home folder": {
    make: async ({ file }) => {
      await file(".cargo/bin/cargo", '#!/bin/sh\nexec "$HOME/.rustup/toolchains/stable/bin/cargo" "$@"\n');
      await file(".rustup/toolchains/stable/bin/cargo", `#!/bin/sh\n. "\${0%/*}/../lib/std"\n`);
      await file(".rustup/toolchains/stable/lib/std", "echo of the toolchain: $*\n");
    },
    searched: [".cargo/bin"],
    declared: [".cargo/bin", ".rustup", ".rustup/toolchains"],
    cmd: "cargo check",
    says: /of the toolchain: check/,
  },
};

for (const [name, { make, searched, declared, cmd, says }] of Object.entries(layouts)) {
  test(`a declared folder of programs runs as outside of the sandbox: ${name}`, async (context) => {
    const home = await makeProgramHome(context);
    if (home === null) return;
    await make(home);
    const undeclared = outputOf(await home.shell(searched, []).run(cmd));
    assert.doesNotMatch(undeclared, says, "control: without the setting it does not run");
    assert.match(undeclared, /PROGRAM_FOLDERS/, "and the outcome says what to set");
    assert.match(outputOf(await home.shell(searched, declared).run(cmd)), says);
  });
}

test("the program of the owner's PATH is taken before one of the system, by scripts too", async (context) => {
  const home = await makeProgramHome(context);
  if (home === null) return;
  await home.file(".volta/bin/env", "#!/bin/sh\necho the own one\n");
  const said = outputOf(await home.shell([".volta/bin"], [".volta"]).run("bash -c ':; env; echo $PATH'"));
  assert.match(said, /the own one/);
  assert.match(said, /\.volta\/bin:\/usr\/bin:\/bin/);
});

test("npm of a declared version manager runs for the agent, tried and approved", async (t) => {
  for (const trials of ["true", "false"]) {
    const world = await makeWorld(t);
    const bin = join(world.home, nvm, "bin");
    const files = {
      "../bin/node": runsScripts,
      "../lib/node_modules/npm/bin/npm-cli.js":
        '#!/usr/bin/env node\n. "$(dirname "$(readlink -f "$0")")/../lib/cli.js"\n',
      "../lib/node_modules/npm/lib/cli.js": "echo ran the npm of this version\n",
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(bin, name)), { recursive: true });
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(bin, "npm"));
    const settings = { TRIALS: trials, PATH: `${bin}:/usr/bin:/bin`, PROGRAM_FOLDERS: "~/.nvm" };
    await using agent = await world.open(settings);
    const talk = await talkTo(agent);
    world.provider.add(calls(["shell", { cmd: "npm test" }]), { text: "done" });
    await talk.say("please run the tests");
    if (trials === "false") await talk.say(`/approve ${talk.token()}`);
    assert.match(JSON.stringify(named(talk.events, "outcome")), /ran the npm of this version/, trials);
  }
});
