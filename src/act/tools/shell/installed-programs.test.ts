import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOwnerHome, type OwnerHome } from "./owner-home.fixture.ts";
import { outputOf } from "./shell.fixture.ts";

/** A program that says its name and words by code that lies beside it. */
const shell = "#!/bin/sh\n";
const runsScripts = `${shell}exec /bin/sh "$@"\n`;

async function nodeOfVersion({ file, link }: OwnerHome, folder: string): Promise<void> {
  await file(`${folder}/bin/node`, runsScripts);
  await link(`${folder}/bin/npm`, "../lib/node_modules/npm/bin/npm-cli.js");
  await file(
    `${folder}/lib/node_modules/npm/bin/npm-cli.js`,
    '#!/usr/bin/env node\n. "$(dirname "$(readlink -f "$0")")/../lib/cli.js"\n',
  );
  await file(`${folder}/lib/node_modules/npm/lib/cli.js`, 'echo "npm of NAME, $*"\n'.replace("NAME", folder));
}

async function pyenv({ root, file, link }: OwnerHome): Promise<void> {
  const folder = "home/.pyenv";
  await link(`${folder}/bin/pyenv`, "../libexec/pyenv");
  await file(
    `${folder}/shims/python3`,
    `${shell}exec "${root}/${folder}/libexec/pyenv" exec "\${0##*/}" "$@"\n`,
  );
  await file(
    `${folder}/libexec/pyenv`,
    `${shell}shift; program=$1; shift; exec "$\{PYENV_ROOT:-${root}/${folder}}/versions/3.12/bin/$program" "$@"\n`,
  );
  await file(`${folder}/versions/3.12/bin/python3`, runsScripts);
}

type Layout = {
  readonly make: (home: OwnerHome) => Promise<void>;
  readonly path: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly cmd: string;
  readonly says: RegExp;
};

const layouts: Readonly<Record<string, Layout>> = {
  nvm: {
    make: (home) => nodeOfVersion(home, "home/.nvm/versions/node/v20"),
    path: ["home/.nvm/versions/node/v20/bin"],
    cmd: "npm test",
    says: /npm of home\/\.nvm\/versions\/node\/v20, test/,
  },
  "a script of bash that starts it": {
    make: (home) => nodeOfVersion(home, "home/.nvm/versions/node/v20"),
    path: ["home/.nvm/versions/node/v20/bin"],
    cmd: "bash -c 'cd . && npm test'",
    says: /npm of .*v20, test/,
  },
  "nvm by NVM_DIR": {
    make: async (home) => {
      await nodeOfVersion(home, "home/.nvm/versions/node/v20");
      await home.file("home/.nvm/nvm.sh", "echo sourced\n");
    },
    path: ["home/.nvm/versions/node/v20/bin"],
    variables: { NVM_DIR: "home/.nvm" },
    cmd: `bash -c '. "$NVM_DIR/nvm.sh"; npm test'`,
    says: /sourced\\nnpm of .*v20, test/,
  },
  pyenv: {
    make: async (home) => {
      await pyenv(home);
      await home.file("home/work/site/a.py", "echo ran $1\n");
    },
    path: ["home/.pyenv/shims", "home/.pyenv/bin"],
    variables: { PYENV_ROOT: "home/.pyenv" },
    cmd: "python3 a.py x",
    says: /ran x/,
  },
  fnm: {
    make: async (home) => {
      await nodeOfVersion(home, "home/.local/share/fnm/node-versions/v22/installation");
      const target = `${home.root}/home/.local/share/fnm/node-versions/v22/installation`;
      await home.link("home/.local/state/fnm_multishells/1_2", target);
    },
    path: ["home/.local/state/fnm_multishells/1_2/bin"],
    cmd: "npm run x",
    says: /npm of .*v22\/installation, run x/,
  },
  volta: {
    make: async ({ file, link }) => {
      await link("home/.volta/bin/yarn", "volta-shim");
      await file("home/.volta/bin/volta-shim", `${shell}exec "$VOLTA_HOME/tools/image/\${0##*/}" "$@"\n`);
      await file("home/.volta/tools/image/yarn", `${shell}echo yarn "$@"\n`);
    },
    path: ["home/.volta/bin"],
    variables: { VOLTA_HOME: "home/.volta" },
    cmd: "yarn build",
    says: /yarn build/,
  },
  asdf: {
    make: async ({ file }) => {
      await file("home/.asdf/shims/ruby", `${shell}exec asdf exec "\${0##*/}" "$@"\n`);
      await file(
        "home/.local/bin/asdf",
        `${shell}shift; exec "\${ASDF_DATA_DIR:-$HOME/.asdf}/installs/$1/bin/$1" "$@"\n`,
      );
      await file("home/.asdf/installs/ruby/bin/ruby", `${shell}echo of asdf: "$@"\n`);
    },
    path: ["home/.asdf/shims", "home/.local/bin"],
    cmd: "ruby x.rb",
    says: /of asdf: ruby x\.rb/,
  },
  mise: {
    make: async ({ file, link }) => {
      await link("home/.local/share/mise/shims/go", "../../../bin/mise");
      await file(
        "home/.local/bin/mise",
        `${shell}exec "\${MISE_DATA_DIR:-$HOME/.local/share/mise}/installs/\${0##*/}/bin/\${0##*/}" "$@"\n`,
      );
      await file("home/.local/share/mise/installs/go/bin/go", `${shell}echo of mise: "$@"\n`);
    },
    path: ["home/.local/share/mise/shims"],
    cmd: "go vet",
    says: /of mise: vet/,
  },
  rustup: {
    make: async ({ file, link }) => {
      await link("home/.cargo/bin/cargo", "rustup");
      await file(
        "home/.cargo/bin/rustup",
        `${shell}exec "$RUSTUP_HOME/toolchains/stable/bin/\${0##*/}" "$@"\n`,
      );
      await file("home/.rustup/toolchains/stable/bin/cargo", `${shell}. "\${0%/*}/../lib/std"\n`);
      await file("home/.rustup/toolchains/stable/lib/std", "echo of the toolchain: $*\n");
    },
    path: ["home/.cargo/bin"],
    variables: { RUSTUP_HOME: "home/.rustup", CARGO_HOME: "home/.cargo" },
    cmd: "cargo check",
    says: /of the toolchain: check/,
  },
  "rustup without variables": {
    make: async ({ file, link }) => {
      for (const name of ["cargo", "rustc"]) await link(`home/.cargo/bin/${name}`, "rustup");
      await file(
        "home/.cargo/bin/rustup",
        `${shell}exec "$HOME/.rustup/toolchains/stable/bin/\${0##*/}" "$@"\n`,
      );
      await file("home/.rustup/toolchains/stable/bin/cargo", `${shell}. "\${0%/*}/../lib/std"\n`);
      await file("home/.rustup/toolchains/stable/lib/std", "echo of the toolchain: $*\n");
    },
    path: ["home/.cargo/bin"],
    cmd: "cargo check",
    says: /of the toolchain: check/,
  },
  pipx: {
    make: async (home) => {
      await pyenv(home);
      const venv = "home/.local/share/pipx/venvs/black";
      await home.link("home/.local/bin/black", `${home.root}/${venv}/bin/black`);
      await home.file(
        `${venv}/bin/black`,
        `#!${home.root}/${venv}/bin/python\n. "${home.root}/${venv}/lib/site-packages/black"\n`,
      );
      await home.link(`${venv}/bin/python`, `${home.root}/home/.pyenv/versions/3.12/bin/python3`);
      await home.file(`${venv}/lib/site-packages/black`, "echo black $*\n");
    },
    path: ["home/.local/bin"],
    cmd: "black a.py",
    says: /black a\.py/,
  },
  "a program that another one starts": {
    make: async ({ file }) => {
      await file("home/bin/outer", `${shell}exec inner "$@"\n`);
      await file("home/bin/inner", `${shell}echo inner "$@"\n`);
    },
    path: ["home/bin"],
    cmd: "outer a",
    says: /inner a/,
  },
  conda: {
    make: async ({ file }) => {
      await file("home/miniconda3/bin/conda", `${shell}. "\${0%/*}/../lib/conda"\n`);
      await file("home/miniconda3/lib/conda", "echo conda $*\n");
    },
    path: ["home/miniconda3/bin"],
    cmd: "conda list",
    says: /conda list/,
  },
  linuxbrew: {
    make: async ({ file, link }) => {
      await link("linuxbrew/.linuxbrew/bin/jq2", "../Cellar/jq2/1.7/bin/jq2");
      await file("linuxbrew/.linuxbrew/Cellar/jq2/1.7/bin/jq2", `${shell}. "\${0%/*}/../lib/jq2"\n`);
      await link("linuxbrew/.linuxbrew/lib/jq2", "../Cellar/jq2/1.7/lib/jq2");
      await file("linuxbrew/.linuxbrew/Cellar/jq2/1.7/lib/jq2", "echo jq2 $*\n");
    },
    path: ["linuxbrew/.linuxbrew/bin"],
    cmd: "jq2 a",
    says: /jq2 a/,
  },
  "a folder of its own, outside of the home": {
    make: async ({ file }) => {
      await file("opt/tool/bin/tool", `${shell}. "\${0%/*}/../lib/tool"\n`);
      await file("opt/tool/lib/tool", "echo tool $*\n");
    },
    path: ["opt/tool/bin"],
    cmd: "tool a",
    says: /tool a/,
  },
  nix: {
    make: async ({ root, file, link }) => {
      await link("home/.nix-profile", `${root}/home/.local/state/nix/profiles/profile`);
      await link("home/.local/state/nix/profiles/profile", "profile-1-link");
      await link("home/.local/state/nix/profiles/profile-1-link", `${root}/nix/store/a-environment`);
      await link("nix/store/a-environment/bin/hello", `${root}/nix/store/b-hello/bin/hello`);
      await file(
        "nix/store/b-hello/bin/hello",
        `#!${root}/nix/store/c-shell/bin/sh\n. "${root}/nix/store/b-hello/share/words"\n`,
      );
      await file("nix/store/b-hello/share/words", "echo hello $*\n");
      await file("nix/store/b-hello/lib/none", "");
      await link("nix/store/c-shell/bin/sh", "/bin/sh");
    },
    path: ["home/.nix-profile/bin"],
    cmd: "hello you",
    says: /hello you/,
  },
};

for (const [name, { make, path, variables, cmd, says }] of Object.entries(layouts)) {
  test(`a program of ${name} finds what it needs in the sandbox`, async (context) => {
    const home = await makeOwnerHome(context);
    if (home === null) return;
    await make(home);
    const said = outputOf(await home.shell(path, variables).run(cmd));
    assert.match(said, says);
    assert.match(said, /"exitCode":0/);
  });
}

test("a program that is partly seen and lacks a file says why and what to do, and nothing of the network", async (context) => {
  const home = await makeOwnerHome(context);
  if (home === null) return;
  await home.file("home/bin/alone", `${shell}. "$HOME/words" || exit 1\n`);
  await home.file("home/work/bin/script", `${shell}. "\${0%/*}/../lib/words"\n`);
  await home.file("home/Documents/hidden", `${shell}echo found\n`);
  for (const name of ["a", "b"]) await home.file(`home/Documents/${name}`, "");
  const folders = ["home/bin", "home/work/bin", "home/Documents"];
  const tool = home.shell(folders);
  const alone = outputOf(await tool.run("alone"));
  assert.match(
    alone,
    /alone is .*home\/bin\/alone, and commands see only .*home\/bin and the code beside it/,
  );
  assert.match(
    alone,
    /home is or holds your home folder\. If it lacks a file there, the owner can keep it in/,
  );
  assert.doesNotMatch(alone, /needs the network/);
  assert.match(outputOf(await tool.run("script")), /home\/work holds the workspace/);
  assert.match(outputOf(await tool.run("hidden")), /found/);
  const inside = outputOf(await tool.run("bash -c ':; hidden'"));
  assert.match(
    inside,
    /home\/Documents\/hidden is installed, and no program in the sandbox finds it by its name/,
  );
  assert.match(inside, /Propose .*home\/Documents\/hidden as a command of its own/);
  assert.doesNotMatch(inside, /No package/);
});
