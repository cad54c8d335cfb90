import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { paths } from "../../src/gate/paths.ts";
import { sampleEffects, sampleFacts } from "../../src/gate/sample-action.ts";
import { disarmNewConstructs, findNewConstructs } from "../../src/text/later/disarm.ts";
import { executedLaterRule } from "../../src/text/later/executed-later.ts";
import { executedLaterContents } from "../../src/text/later/later-change.ts";
import { changedManifest } from "../../src/text/later/package-manifest.ts";
import { calls, isMissing, makeWorld, named, talkTo } from "../agent-world.ts";
import { leastTime } from "../processor-time.ts";

const evil = '(write-region "" nil "PWNED")';

/** Org texts that Emacs 28 obeys by itself, or on export, on a recalculation or on a click. */
const armed = [
  `%%${evil}`,
  `&%%${evil}`,
  `%%(progn\n ${evil})`,
  `* x\n<%%${evil}>`,
  `* x\nDEADLINE: <%%${evil}>`,
  `x\r%%${evil}\r`,
  `%%\u001b(B${evil}`,
  `# -*- coding: utf-7 -*-\n+ACUAJQAo-x)`,
  `<?xml version="1.0" encoding="utf-7"?>\n+ACUAJQAo-x)`,
  `<html><meta charset="utf-7">\n+ACUAJQAo-x)`,
  `  #+macro: m (eval ${evil})\n{{{m}}}`,
  `#+MACRO:m ( eval ${evil})`,
  `#+BIND: org-export-before-parsing-hook (lambda (b) ${evil})`,
  `#+begin_src sh :var x=${evil}\n1\n#+end_src`,
  `#+begin_src sh :results\t${evil}\n1\n#+end_src`,
  `#+begin_src sh :cache \`(,${evil})\n1\n#+end_src`,
  `- a\n  #+HEADERS: :a ${evil}`,
  `#+PROPERTY: header-args:sh :var x=${evil}`,
  `* x\n:PROPERTIES:\n:header-args+: :a ${evil}\n:END:`,
  `words src_sh[:exports ${evil}]{1} words`,
  `#+begin_src sh :tangle ~/.bashrc\nx\n#+end_src`,
  `* x\n:PROPERTIES:\n:header-args: :TANGLE yes\n:END:`,
  `#+begin_src sh :eval no-confirm\nx\n#+end_src`,
  `#+begin_src sh :eval yes\nx\n#+end_src`,
  `#+CALL: f()`,
  `| 1 |\n#+TBLFM: $1='${evil}`,
  `| :='${evil} |`,
  `#+LINK: a %(f)`,
  `#+LINK: a elisp:%s`,
  `[[elisp:${evil}][a page]]`,
  `[[ shell: ls]]`,
  `[[eshell:*a*:ls][a page]]`,
  `<eshell:ls>`,
  `see <shell:ls> or elisp:f`,
  `#+SETUPFILE: x.txt`,
  `#+INCLUDE: "/ssh:-oProxyCommand=x:/y"`,
  `#+BEGIN: clocktable :formatter delete-file`,
  `#+EXPORT_FILE_NAME: ~/.bashrc`,
  `* x\n:PROPERTIES:\n:ARCHIVE: ../../.profile::\n:END:`,
  `# -*- eval: ${evil} -*-`,
  `# -*- x -*- eval: ${evil} -*-`,
  `# Local Variables:\n# eval: ${evil}\n# End:`,
  `;; local variables:\n;; org-confirm-babel-evaluate: nil\n;; end:`,
  `# vim: set foldexpr=system('x') :`,
];

test("what Emacs and vim obey in Org is found, and made inert by commas that a person can delete", () => {
  for (const text of armed) {
    assert.notEqual(findNewConstructs("a.org", "", text).length, 0, text);
    const inert = disarmNewConstructs("a.org", "", text);
    assert.ok(inert !== null && inert.disarmed.length > 0, text);
    assert.deepEqual(findNewConstructs("a.org", "", inert.text), [], inert.text);
    assert.equal(inert.text.replaceAll(",", ""), text.replaceAll(",", ""), "nothing but commas is added");
  }
});

test("what stood in a file before is left alone, and a construct that an edit puts together is not", () => {
  const old = `%%(diary-float t 4 2) x\n#+begin_src sh :tangle a\nx\n#+end_src\n\n* a\n%% (x)\n`;
  assert.deepEqual(findNewConstructs("a.org", old, `${old}* more\n`), []);
  assert.deepEqual(findNewConstructs("a.org", old, old.replace("* a", "* b")), []);
  for (const after of [
    old.replace("%% (x)", "%%(x)"),
    old.replace("diary-float", "delete-file"),
    `${old}%%(diary-float t 4 2) x\n`,
    old.replace("* a", "#+begin_src sh :tangle a\ny\n#+end_src"),
  ])
    assert.equal(findNewConstructs("a.org", old, after).length, 1, after);
  const second = `words\n# -*- eval: ${evil} -*-\n`;
  const fourth = `1\n2\n3\n4\n5\n${second}`;
  assert.notEqual(findNewConstructs("a.org", fourth, second).length, 0, "a line that becomes the first one");
});

test("honest notes and sources have nothing to disarm", () => {
  const note =
    "#+TITLE: Deploy\n#+PROPERTY: LOG t\n#+STARTUP: overview\n* TODO Plan (draft) :work:\nSCHEDULED: <2026-11-22 Sun +1w>\n:PROPERTIES:\n:ID: a\n:END:\n" +
    "50 % (of 10) and 100%. Ex: a list; shell: bash. See [[file:a.org::*x][a]] and https://x.example/a?b=(c).\n" +
    "#+begin_src sh :results output :tangle no :eval never\nmake (all)\n#+end_src\n| a | =1 |\n#+TBLFM: $2=vsum($1)\n- term :: (words)\n";
  assert.deepEqual(findNewConstructs("a.org", "", note), []);
  assert.deepEqual(
    findNewConstructs(
      "a.org",
      "",
      `# -*- mode: org; coding: utf-8; fill-column: 80 -*-\n${note}# vim: ts=2 sw=2 et\n`,
    ),
    [],
  );
  for (const text of ["// vim: set ts=2 sw=2 et:\nexport const a = 1;\n", "# -*- coding: utf-8 -*-\nx = 1\n"])
    assert.deepEqual(findNewConstructs("src/a.py", "", text), []);
});

test("finding constructs takes time in proportion to the text", async () => {
  for (const unit of [
    "%%(",
    "src_",
    "call_x",
    "#+begin_src :a (",
    ":tangle x ",
    "local variables:\n",
    "#+macro: (",
    "elisp:x ",
    "-*-",
    "\u001b",
    "vim: a=b ",
  ]) {
    for (const text of [
      unit.repeat(100_000 / unit.length),
      `${unit}\n`.repeat(100_000 / (unit.length + 1)),
    ]) {
      const milliseconds = await leastTime(() => disarmNewConstructs("a.org", "", text), 500);
      assert.ok(milliseconds < 500, `${unit}: ${Math.round(milliseconds)} ms`);
    }
  }
});

test("names that shells, editors, builds, tests, agents and desktops read by themselves are in the table, in any case and folder", () => {
  const names =
    "AGENTS.md CLAUDE.md gemini.md .cursorrules .cursor/rules/a.mdc .github/copilot-instructions.md .github/prompts/a.md .windsurfrules .kiro/steering/a.md init.el " +
    "early-init.elc .dir-locals.el .vimrc .exrc .nvimrc _vimrc .ideavimrc conftest.py setup.py tox.ini noxfile.py sitecustomize.py a.pth .tool-versions .mise.toml " +
    ".npmrc .yarnrc node_modules/a/index.js Makefile GNUmakefile rules.mk justfile Dockerfile Dockerfile.dev docker-compose.yml compose.yaml build.rs " +
    ".pre-commit-config.yaml .husky/pre-push .lefthook.yml a.desktop .config/systemd/user/a.service .gdbinit .pdbrc .irbrc .lldbinit .local/bin/x bin/../.envrc " +
    "Library/LaunchAgents/a.plist .eslintrc.js vite.config.ts jest.config.mjs .git sub/.git/hooks/x .GITMODULES Rakefile Gemfile a.gemspec build.gradle.kts gradlew " +
    ".mvn/extensions.xml CMakeLists.txt flake.nix shell.nix .gitlab-ci.yml .ipython/profile_default/startup/a.py diary pnpm-workspace.yaml deno.json composer.json Package.swift karma.conf.js .bashrc.d/x .zsh/y .config/sway/config --checkpoint-action=exec=x -rf " +
    "HEAD bare/HEAD .hg/hgrc .jj/repo/config.toml _darcs/prefs/defaults .agents/skills/a/SKILL.md .agent/rules/a.md .factory/droids/a.md opencode.json .crush.json .rules .roomodes " +
    ".github/hooks/a.json x.instructions.md x.mdc .devcontainer.json .gitpod.yml .idx/dev.nix .helix/languages.toml .luarc.json hie.yaml .run/a.run.xml a.sublime-build " +
    "docker-compose.override.yml mypy.ini .pylintrc docs/conf.py .prettierrc project.json pom.xml Directory.Build.props a.podspec lib/tasks/a.rake BUILD.bazel build.ninja configure " +
    "debian/rules action.yml .builds/a.yml wrangler.toml firebase.json mise.prod.toml devbox.json .ripgreprc ansible.cfg .config/starship.toml .config/ghostty/config .hammerspoon/init.lua .lessfilter " +
    ".lintstagedrc.yaml simple-git-hooks.json lefthook.toml .rvmrc compose.dev.yaml a.fsproj a.sln nodemon.json Taskfile.dist.yml " +
    "dune book.toml Doxyfile cdk.json .golangci.yml pixi.toml .goreleaser.yaml .luacheckrc .formatter.exs compile_commands.json dbt_project.yml " +
    "binding.gyp CMakePresets.json CMakeUserPresets.json .bsp/sbt.json buildServer.json .RData rakefile.rb gems.rb package.yaml package.json5 mkdocs.yaml tox.toml .pytest.ini pytest.toml pylintrc.toml " +
    "gunicorn.conf.py _quarto.yml Kconfig BUCK global.json Directory.Build.rsp .factorypath .merlin .lsp/config.edn captainhook.json grumphp.yml .release-it.json .markdownlint-cli2.jsonc .storybook/main.ts " +
    "tauri.conf.json Trunk.toml Cross.toml .ebextensions/a.config .kamal/hooks/pre-deploy web.dockerfile nextflow.config .lfsconfig sitecustomize/__init__.py sitecustomize.pyc " +
    "venv/bin/activate env/bin/activate .direnv/python-3.12/bin/activate any/bin/activate.fish any/pyvenv.cfg .tox/py/lib/a.py jest.config.json .mocharc.jsonc plopfile.js vendor/autoload.php renv/activate.R .bazelversion Session.vim";
  for (const name of names.split(" "))
    for (const path of [`/w/${name}`, `/w/deep/${name}`, `/w/${name.toUpperCase()}`])
      assert.notEqual(executedLaterRule(path), null, path);
  for (const name of [
    "src/a.ts",
    "notes.org",
    "README.md",
    "docs/agents/plan.md",
    "src/config.ts",
    "test/a.test.ts",
    "Cargo.toml",
    "pyproject.toml",
    "a-b.txt",
    "initial.el",
    "tasks.py",
    "package.json",
    "src/conf.py",
    "head.html",
    "src/components/Head/index.ts",
    "docs/configure.md",
    "config/app.json",
    "env/production.yml",
    "k8s/app.yaml",
    "src/activate.ts",
  ])
    assert.equal(executedLaterRule(`/home/ada/project/${name}`), null, name);
});

test("a module at the top of a workspace that takes the place of one of Python's own is executed later", () => {
  const folders = { ...sampleFacts.folders, workspace: "/w" };
  const answer = (target: string): string =>
    paths.answer({ ...sampleEffects.write, target }, { ...sampleFacts, folders }, 0).result;
  for (const name of [
    "json.py",
    "os.py",
    "subprocess.py",
    "Random.py",
    "logging/__init__.py",
    "ssl.abi3.so",
    "re.pyc",
    "venv.py",
    "_strptime.py",
    "ensurepip/__init__.py",
    "pip.py",
    "pytest/__init__.py",
  ])
    assert.equal(answer(`/w/${name}`), "ask", name);
  for (const name of [
    "test.py",
    "plan.py",
    "json.txt",
    "src/json.py",
    "app/types.py",
    "logging/words.py",
    "json",
  ])
    assert.equal(answer(`/w/${name}`), "passed", name);
});

test("a package.json asks where what is executed changes, and not for words and versions", () => {
  const base = {
    name: "a",
    version: "1.0.0",
    scripts: { test: "node --test" },
    dependencies: { b: "^1.0.0" },
  };
  const changed = (change: object): string | null =>
    changedManifest(JSON.stringify(base), JSON.stringify({ ...base, ...change }));
  for (const change of [
    { version: "1.0.1" },
    { description: "x", keywords: ["y"] },
    { dependencies: { b: "^2.0.0", c: "~1.2.3 || >=2" } },
    { devDependencies: { d: "latest" } },
  ])
    assert.equal(changed(change), null, JSON.stringify(change));
  for (const change of [
    { scripts: { test: "node --test", postinstall: "x" } },
    { scripts: {} },
    { dependencies: { b: "git+https://evil.example/x" } },
    { dependencies: { b: "file:../x" } },
    { dependencies: { b: "ada/x" } },
    { dependencies: { b: "npm:other@1.0.0" } },
    { bin: { ls: "x.js" } },
    { husky: { hooks: {} } },
    { "lint-staged": {} },
    { packageManager: "yarn@file:x" },
  ])
    assert.notEqual(changed(change), null, JSON.stringify(change));
  assert.notEqual(changedManifest("{}", "{"), null);
});

test("a manifest or a lock file asks where it takes a package from a place that it did not name, or where a build obeys it, and not for versions", () => {
  const changed = (path: string, before: string, after: string): string | null =>
    executedLaterContents({ path, held: [before], after, isExecutable: false });
  const lock = (resolved: string): string =>
    `{"packages":{"node_modules/${/((?:@\w+\/)?\w+)\/-\//.exec(resolved)?.[1] ?? "a"}":{"version":"1.0.0","resolved":"${resolved}","integrity":"sha512-x"}}}`;
  const npm = (path: string): string => `https://npm.example/${path}/-/${path.split("/").at(-1)}-1.0.0.tgz`;
  const forge = (repository: string, commit: string): string =>
    `https://api.forge.example/repos/${repository}/zipball/${commit.repeat(40)}`;
  const hashed = (host: string, name: string): string =>
    `sdist = { url = "https://${host}.example/packages/0a/1b/${"2c".repeat(30)}/${name}-1.0.tar.gz" }\n`;
  const project =
    '[project]\nname = "a"\ndependencies = ["b>=1"]\n[tool.pytest.ini_options]\ntestpaths = ["t"]\n';
  const crate = '[package]\nname = "a"\n[dependencies]\nb = "1"\n';
  const asking: (readonly [path: string, before: string, after: string])[] = [
    ["package-lock.json", lock(npm("a")), lock("https://evil.example/a.tgz")],
    ["package-lock.json", "", lock(npm("a"))],
    ["deno.lock", "{}", '{"remote":{"https://evil.example/x.ts":"1"}}'],
    ["uv.toml", "", 'index-url = "https://evil.example/simple"\n'],
    ["go.work", "go 1.22\n", "go 1.22\nreplace b.example/c => ../evil\n"],
    ["pubspec.yaml", "name: a\n", "name: a\ndependencies:\n  b:\n    path: ../evil\n"],
    ["environment.yml", "channels:\n  - defaults\n", "channels:\n  - defaults\n  - evil\n"],
    [".terraform.lock.hcl", "", 'url = "https://evil.example/x"\n'],
    ["package-lock.json", lock(npm("a")), lock(npm("b").replace(".example", ".example.evil.example"))],
    ["package-lock.json", lock(npm("a")), lock(npm("b").replace("//", "//x@evil.example/"))],
    ["package-lock.json", lock(npm("a")), lock(npm("b").replace("https", "http"))],
    ["package-lock.json", lock(npm("a")), lock(npm("b").replace(".example", ".example:8443"))],
    ["package-lock.json", lock(npm("a")), lock(npm("other/b"))],
    ["package-lock.json", lock(npm("a")), lock(npm("b").replace("/-/", "/-/../../evil/-/"))],
    ["package-lock.json", lock(npm("a")), lock(`${npm("b")};/../../../evil/x.tgz`)],
    ["package-lock.json", lock(npm("a")), lock(`${npm("b")}?from=evil`)],
    ["package-lock.json", lock(npm("ada/a")), lock(npm("evil/a"))],
    ["package-lock.json", lock("https://many.example/ada/a.tgz"), lock("https://many.example/evil/a.tgz")],
    ["yarn.lock", `resolved "${npm("a")}#1"\n`, `resolved "https://npm.example/evil.tgz#1"\n`],
    ["composer.lock", `{"url":"${forge("ada/a", "1")}"}`, `{"url":"${forge("evil/a", "1")}"}`],
    ["composer.lock", `{"url":"${forge("ada/a", "1")}"}`, `{"url":"${forge("ada/a", "2")}"}`],
    [
      "Cargo.lock",
      'source = "registry+https://crates.example/index"\n',
      'source = "registry+https://crates.example/evil"\n',
    ],
    ["uv.lock", hashed("files", "a"), hashed("evil", "b")],
    ["uv.lock", "", hashed("files", "a")],
    ["sub/npm-shrinkwrap.json", "", lock("git+ssh://git@github.com/x/y.git#1")],
    ["package-lock.json", "", lock("file:../x")],
    ["yarn.lock", "", 'a@^1:\n  version "1.0.0"\n  resolved "http://evil.example/a.tgz#1"\n'],
    ["pnpm-lock.yaml", "", "  a@1.0.0:\n    resolution: {tarball: https://evil.example/a.tgz}\n"],
    ["requirements.txt", "b==1\n", "b==1\ngit+https://evil.example/x\n"],
    ["requirements-dev.txt", "b==1\n", "--extra-index-url https://evil.example\nb==1\n"],
    ["requirements.txt", "b==1\n", "b==1\n-e ./x\n"],
    ["poetry.lock", "", '[package.source]\ntype = "git"\nurl = "https://evil.example/x"\n'],
    ["uv.lock", "", 'source = { git = "https://evil.example/x" }\n'],
    ["Cargo.lock", "", 'source = "git+https://evil.example/x#1"\n'],
    ["go.mod", "module a\n", "module a\nreplace b => ../evil\n"],
    ["pyproject.toml", project, project.replace('["t"]', '["t"]\naddopts = "-p evil"')],
    ["pyproject.toml", project, `${project}[ "tool" . pdm . scripts ]\npre_install = "x"\n`],
    ["pyproject.toml", project, project.replace('"b>=1"', '"b @ git+https://evil.example/b"')],
    [
      "pyproject.toml",
      project,
      `${project}[build-system]\nrequires = []\nbuild-backend = "evil"\nbackend-path = ["."]\n`,
    ],
    ["pyproject.toml", project, `tool.pytest.ini_options.addopts = "-p evil"\n${project}`],
    ["pyproject.toml", project, `${project}[tool.black]\nx = """\n[tool.ruff]\n"""\n`],
    ["Cargo.toml", crate, crate.replace('"a"', '"a"\nbuild = "evil.rs"')],
    ["Cargo.toml", crate, crate.replace('"1"', '{ git = "https://evil.example/b" }')],
    ["Cargo.toml", crate, `${crate}[patch.crates-io]\nb = { path = "evil" }\n`],
    ["Cargo.toml", crate, `${crate}[build-dependencies]\ncc = "1"\n`],
    ["pyproject.toml", "", '[build-system]\nrequires = []\n"build-backend" = "evil"\n'],
    ["pyproject.toml", "", '[build-system]\nrequires = []\n"build-b\\u0061ckend" = "evil"\n'],
    ["pyproject.toml", "", '[tool.poetry]\nname = "x"\nbuild.script = "evil.py"\n'],
    ["pyproject.toml", "", '[tool.poetry]\nname = "x"\n"build" . script = "evil.py"\n'],
    ["Cargo.toml", crate, crate.replace('"a"', '"a"\n"build" = "evil.rs"')],
    ["Cargo.toml", crate, crate.replace('"1"', '{ "path" = "../evil" }')],
    ["Cargo.toml", crate, `dependencies.c."path" = "../evil"\n${crate}`],
    ["requirements.txt", "b==1\n", "b==1\n./evil\n"],
    ["requirements.txt", "b==1\n", "b==1\nevil/\n"],
    ["requirements.txt", "b==1\n", "b==1\n.\n"],
    ["requirements.txt", "b==1\n", "b==1\nevil-1.0.tar.gz\n"],
    ["requirements.txt", "b==1\n", "b==1\n-revil.txt\n"],
    ["requirements.txt", "b==1\n", "b==1\n--ind\\\nex-url=//evil.example\n"],
    ["dev-requirements.txt", "b==1\n", "--index-url https://evil.example/simple\nb==1\n"],
    ["requirements/dev.txt", "b==1\n", "--index-url https://evil.example/simple\nb==1\n"],
    ["go.work", "go 1.22\n", "go 1.22\nuse ./evil\n"],
    ["go.work", "go 1.22\n", "go 1.22\nuse (\n\t./evil\n)\n"],
    ["Cartfile", "", 'github "evil/evil"\n'],
    [
      "package-lock.json",
      lock(npm("a")),
      '{"packages":{"node_modules/a":{"resolved":"packages/evil","link":true}}}',
    ],
    ["package-lock.json", lock(npm("a")), lock(npm("a")).replaceAll(/a\/-\/a/g, "evil/-/evil")],
    [
      "package-lock.json",
      "",
      '{"dependencies":{"a":{"version":"1.0.0","resolved":"https://npm.example/evil/-/evil-1.0.0.tgz"}}}',
    ],
  ];
  const hidden = "https\\u003a//evil.example/a";
  const byNumber = "https\\x3a//evil.example/a";
  const flake = (repo: string, rev: string): string =>
    `{"nodes":{"b":{"locked":{"type":"github","owner":"ada","repo":"${repo}","rev":"${rev}"}}}}`;
  asking.push(
    ["package-lock.json", lock(npm("a")), lock(`${hidden}/-/a-1.0.0.tgz`)],
    ["package-lock.json", lock(npm("a")), lock("\\u0068ttps:\\/\\/evil.example\\/a.tgz")],
    ["package-lock.json", lock(npm("a")), lock("evil/b")],
    ["yarn.lock", "", `resolved "${hidden}.tgz"\n`],
    ["pnpm-lock.yaml", "", `resolution: {tarball: "${byNumber}.tgz"}\n`],
    ["pnpm-lock.yaml", "", `tarball: "https:\\\n      //evil.example/a.tgz"\n`],
    ["pnpm-lock.yaml", "", "tarball: !!binary aHR0cHM6Ly9ldmls\n"],
    ["poetry.lock", "", `url = """\\\n  https:\\\n  //evil.example/a"""\n`],
    ["uv.lock", "", `source = { "pa\\u0074h" = "../evil" }\n`],
    ["pubspec.yaml", "name: a\n", "name: a\ndependencies: {b: {path: ../evil}}\n"],
    ["pubspec.yaml", "name: a\n", "dependencies:\n  b:\n    path:\n      ../evil\n"],
    ["pubspec.yaml", "name: a\n", 'dependencies:\n  b:\n    "p\\x61th": ../evil\n'],
    ["Chart.yaml", "", `repository: "${byNumber}"\n`],
    ["Cargo.toml", crate, crate.replace('"1"', `{ git = "${hidden}" }`)],
    ["pyproject.toml", project, project.replace('"b>=1"', `"b @ ${hidden}"`)],
    ["composer.lock", "{}", `{"dist":{"type":"path","url":"../evil"}}`],
    ["Package.resolved", "{}", `{"pins":[{"location":"/tmp/evil"}]}`],
    ["deno.lock", "{}", `{"remote":{"${hidden}":"1"}}`],
    ["flake.lock", flake("b", "1"), flake("evil", "1")],
    ["flake.lock", flake("b", "1"), flake("b", "1").replace("ada", "evil")],
    ["requirements.txt", "b==1\n", "b @ $EVIL/b.whl\n"],
  );
  for (const [path, before, after] of asking)
    assert.notEqual(changed(path, before, after), null, `${path}: ${after}`);
  const passing: readonly (readonly [path: string, before: string, after: string])[] = [
    ["package-lock.json", lock(npm("a")), lock(npm("b"))],
    ["package-lock.json", lock(npm("a")), lock(npm("b")).replaceAll("//", "\\/\\/")],
    ["flake.lock", flake("b", "1"), flake("b", "2")],
    [
      "requirements.txt",
      "b==1\n",
      "# see docs/a.md\nb==2 \\\n    --hash=sha256:aa/bb\nc[x,y]>=1; python_version < '3.9'\n",
    ],
    ["requirements/dev.txt", "b==1\n", "b==2\n    # via -r requirements.in\n"],
    [
      "Cargo.toml",
      crate,
      crate.replace('"a"', '"a"\nversion.workspace = true').replace('"1"', '"2"\nc.version = "1"'),
    ],
    ["pyproject.toml", project, `${project}[tool.ruff]\nlint.select = ["E"]\n`],
    ["package-lock.json", lock(npm("a")), lock(npm("@ada/b"))],
    ["package-lock.json", lock(npm("team/npm/a")), lock(npm("team/npm/b"))],
    [
      "package-lock.json",
      lock("https://own.example/a.tgz"),
      lock("https://own.example/a.tgz").replace("sha512-x", "sha512-y"),
    ],
    [
      "yarn.lock",
      `b@^1:\n  version "1.0.0"\n  resolved "${npm("b")}#1"\n`,
      `a@^1:\n  version "1.0.0"\n  resolved "${npm("a")}#2"\n  integrity sha512-x\n`,
    ],
    [
      "pnpm-lock.yaml",
      "",
      "lockfileVersion: '9.0'\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\n    engines: {node: '>=18'}\n",
    ],
    ["requirements.txt", "b==1\n", "b==2 ; python_version > '3' --hash=sha256:abc\nc[x]>=1\n# words: more\n"],
    [
      "uv.lock",
      `source = { registry = "https://simple.example" }\n${hashed("files", "a")}`,
      `source = { registry = "https://simple.example" }\n${hashed("files", "b")}sdist = { hash = "sha256:a", size = 1 }\n`,
    ],
    [
      "pnpm-lock.yaml",
      `    resolution: {tarball: ${npm("a")}}\n`,
      `    resolution: {tarball: ${npm("b")}, integrity: sha512-x}\n`,
    ],
    [
      "Cargo.lock",
      'source = "registry+https://crates.example/index"\n',
      'source = "registry+https://crates.example/index"\nchecksum = "a"\nsource = "registry+https://crates.example/index"\n',
    ],
    ["pubspec.yaml", "name: a\ndependencies:\n  b: ^1.0.0\n", "name: a\ndependencies:\n  b: ^1.1.0\n"],
    [
      "environment.yml",
      "channels:\n  - defaults\n",
      "channels:\n  - defaults\ndependencies:\n  - numpy=1.2\n",
    ],
    ["app.lock", "", "1234\n"],
    ["go.mod", "module a\n", "module a\nrequire b.example/c v1.2.3\n"],
    ["pyproject.toml", project, project.replace(">=1", ">=2").replace('"a"', '"a"\nversion = "2.0"')],
    [
      "pyproject.toml",
      project,
      `${project}[project.urls]\nHome = "https://a.example"\n[tool.ruff.lint]\nselect = ["E"]\n`,
    ],
    [
      "pyproject.toml",
      "",
      `[project]\nname = "a"\n[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n`,
    ],
    ["Cargo.toml", crate, `${crate}c = { version = "1", features = ["x"] }\n[profile.release]\nlto = true\n`],
    ["src/go.ts", "", "git = 'https://evil.example'\n"],
  ];
  for (const [path, before, after] of passing)
    assert.equal(changed(path, before, after), null, `${path}: ${after}`);
});

test("files that are executed later ask before a tool writes them, and an honest day's files do not", async (context) => {
  const program = "#!/bin/sh\nx\n";
  const asking: readonly (readonly [string, string])[] = [
    ["AGENTS.md", "x"],
    ["conftest.py", "x"],
    ["node_modules/a/index.js", "x"],
    ["--checkpoint-action=exec=sh x", "x"],
    ["tool", program],
    ["run", "echo more"],
    ["docs/a.txt", `words\n# Local Variables:\n# eval: ${evil}\n# End:`],
    ["package.json", '{"scripts":{"test":"x"}}'],
    ["package-lock.json", '{"packages":{"a":{"resolved":"https://evil.example/a.tgz"}}}'],
    ["pyproject.toml", '[tool.pytest.ini_options]\naddopts = "-p evil"\n'],
  ];
  const manifest = '{"scripts":{"test":"node --test"}}';
  const passing: readonly (readonly [string, string])[] = [
    ["src/a.ts", "export const a = 1;\n"],
    ["notes.org", "* TODO x\n"],
    ["README.md", "# x\n"],
    ["package.json", '{"version":"2.0.0","scripts":{"test":"node --test"}}'],
  ];
  const world = await makeWorld(context, [
    ...asking.map(([path, content]) => calls(["write-file", { path, content }])),
    ...passing.flatMap(([path, content]) => [calls(["write-file", { path, content }]), { text: "done" }]),
  ]);
  writeFileSync(world.path("run"), "echo");
  chmodSync(world.path("run"), 0o755);
  writeFileSync(world.path("package.json"), manifest);
  await using daemon = await world.open();
  for (const [path] of asking) {
    const said = await (await talkTo(daemon)).say(`write ${path}`);
    assert.equal(said.end, "approval-required", path);
    assert.match(said.text, /executed later/, path);
  }
  for (const [path, content] of passing) {
    const talk = await talkTo(daemon);
    const said = await talk.say(`write ${path}`);
    assert.deepEqual(
      named(said.events, "verdict").map(({ verdict }) => verdict),
      ["pass"],
      path,
    );
    assert.equal(readFileSync(world.path(path), "utf8"), content);
  }
});

/** Notes whose block ends in a file, with `x` where its code is. */
const tangled = [
  "#+begin_src sh :tangle ~/.profile\nx\n#+end_src\n",
  "#+BEGIN_SRC emacs-lisp -n :results none :tangle yes\n  a\n  x\n  #+END_SRC\n",
  "#+name: n\n#+HEADER: :tangle run.sh\n#+begin_src sh\nx\n#+end_src\n",
  "#+header: :var a=1\n#+headers: :tangle run.sh\n#+begin_src sh\nx\n#+end_src\n",
  "#+PROPERTY: header-args :tangle yes\n* A\n#+begin_src sh\nx\n#+end_src\n",
  "#+property: header-args:sh :results none :tangle ~/a.sh\n* A\n#+begin_src sh :noweb yes\nx\n#+end_src\n",
  "#+PROPERTY: header-args+ :tangle a.sh\n#+begin_src sh\nx\n#+end_src\n",
  "* A\n:PROPERTIES:\n:header-args: :tangle a.sh\n:END:\n** B\n#+begin_src sh\nx\n#+end_src\n",
  "* A\n:PROPERTIES:\n:HEADER-ARGS:sh+: :tangle a.sh\n:END:\n#+begin_src sh\nx\n#+end_src\n",
  "#+begin_src sh :tangle a.sh\n<<part>>\n#+end_src\n#+name: part\n#+begin_src sh\nx\n#+end_src\n",
  "#+begin_example\n#+begin_src sh\n#+end_example\n#+begin_src sh :tangle a.sh\nx\n#+end_src\n",
  "#+begin_src sh\nopen\n* A\n#+begin_src sh :tangle a.sh\nx\n#+end_src\n",
  "#+begin_src sh :tangle a.sh\nx\r#+end_src\r",
];

test("an edit of code that is tangled into a file is executed later, however the block is told to be tangled", () => {
  for (const note of tangled) {
    const held = [`* other\n${note}`];
    const isLater = (after: string): boolean =>
      executedLaterContents({ path: "a.org", held, after, isExecutable: false }) !== null;
    assert.ok(isLater(`* other\n${note.replace(/x(?=[\r\n])/, "y")}`), note);
    assert.ok(isLater(`* other\n${note.replace(/x(?=[\r\n])/, "x\ny")}`), note);
    assert.equal(isLater(`* another\nwords\n${note}more\n`), false, note);
    assert.equal(isLater("* other\n"), false, "taken away");
  }
});

test("an edit of code that is not tangled is not executed later", () => {
  for (const note of [
    "#+begin_src sh\nx\n#+end_src\n",
    "#+begin_src sh :tangle no\nx\n#+end_src\n",
    "#+PROPERTY: header-args :tangle no\n#+begin_src sh\nx\n#+end_src\n",
    "#+PROPERTY: header-args :tangle yes\n#+begin_src sh :tangle no\nx\n#+end_src\n",
    "#+begin_src sh ,:tangle a\nx\n#+end_src\n",
    "#+begin_src sh :tangle a\nz\n#+end_src\n#+begin_src sh\nx\n#+end_src\n",
    "#+begin_src sh :tangle a\nz\n#+end_src\nx\n",
  ]) {
    const after = note.replace(/x(?=\n)/, "y");
    assert.equal(
      executedLaterContents({ path: "a.org", held: [note], after, isExecutable: false }),
      null,
      note,
    );
  }
});

test("a setting that tangled code inherits is executed later: another shebang, mode or prologue", () => {
  const note = "* A\n#+begin_src sh :tangle a\nx\n#+end_src\n";
  for (const setting of [":shebang #!/bin/sh", ":tangle-mode o755", ":prologue evil", ":mkdirp yes"])
    for (const line of [`#+PROPERTY: header-args ${setting}\n`, `#+property: header-args:sh ${setting}\n`])
      assert.notEqual(
        executedLaterContents({ path: "a.org", held: [note], after: line + note, isExecutable: false }),
        null,
        line,
      );
});

test("code that moves from another file to where it is tangled is executed later", () => {
  const block = "* B\n#+begin_src sh\nx\n#+end_src\n";
  const target = "#+PROPERTY: header-args :tangle yes\n* A\n";
  const moved = { path: "a.org", after: target + block, isExecutable: false };
  assert.notEqual(executedLaterContents({ ...moved, held: [target, block] }), null);
  assert.equal(executedLaterContents({ ...moved, held: [target, target + block] }), null);
});

test("the owner is asked before a model edits code that is tangled, and the file stays until then", async (context) => {
  const note = tangled[0] ?? "";
  const world = await makeWorld(context, [
    calls(["edit-file", { path: "~/memex/a.org", old: "\nx\n", new: "\ny\n" }]),
    { text: "done" },
  ]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "a.org"), note);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("change the code");
  assert.deepEqual(
    named(said.events, "verdict").map(({ verdict }) => verdict),
    ["ask"],
  );
  assert.equal(readFileSync(join(world.home, "memex", "a.org"), "utf8"), note);
});

test("words of a model come into Org inert by every tool, and the owner's note is left as it is", async (context) => {
  const bad = `%%${evil}`;
  const block = "#+begin_src sh :tangle ~/.bashrc\nx\n#+end_src";
  const old = `#+MACRO: mine (eval (+ 1 1))\n%%(diary-float t 4 2) Lunch\n* A\nold\n%% (x)\n* Gone\n%%(diary-float t 4 3) Tea\n`;
  const actions: readonly (readonly [string, object])[] = [
    ["write-file", { path: "~/memex/new.org", content: `* x\n<${bad}>\n${block}\n` }],
    ["write-file", { path: "~/memex/NEW2.ORG", content: `&${bad}\n` }],
    ["write-file", { path: "plan.txt", content: `# -*- org -*-\n${bad}\n` }],
    ["remember", { text: `a title\n<${bad}>\n[[elisp:${evil}]]\n# Local Variables:\n# eval: x\n# End:` }],
    ["edit-notes", { file: "~/memex/old.org", operations: [{ op: "append", at: "A", text: bad }] }],
    [
      "edit-notes",
      { file: "~/memex/old.org", operations: [{ op: "insert", at: "A", title: `<${bad}>`, text: block }] },
    ],
    ["edit-file", { path: "~/memex/old.org", old: "%% (x)", new: "%%(x)" }],
    ["edit-notes", { file: "~/memex/old.org", operations: [{ op: "archive", at: "Gone" }] }],
  ];
  const world = await makeWorld(
    context,
    actions.flatMap((action) => [calls(action), { text: "done" }]),
  );
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  writeFileSync(join(notes, "old.org"), old);
  await using daemon = await world.open();
  for (const [tool] of actions) {
    const said = await (await talkTo(daemon)).say(`use ${tool}`);
    assert.deepEqual(
      named(said.events, "verdict").map(({ verdict }) => verdict),
      ["pass"],
      tool,
    );
  }
  for (const name of ["new.org", "NEW2.ORG", "inbox.org", "old.org"]) {
    const text = readFileSync(join(notes, name), "utf8");
    assert.deepEqual(findNewConstructs(name, name === "old.org" ? old : "", text), [], text);
    assert.match(text, /%%,\(/);
  }
  assert.match(readFileSync(world.path("plan.txt"), "utf8"), /%%,\(/);
  const kept = readFileSync(join(notes, "old.org"), "utf8");
  assert.ok(kept.startsWith("#+MACRO: mine (eval (+ 1 1))\n%%(diary-float t 4 2) Lunch\n"));
  assert.match(readFileSync(join(notes, "old.org_archive"), "utf8"), /^%%\(diary-float t 4 3\) Tea/m);
  if (isMissing(context, "emacs", "emacs-nox")) return;
  const script = `(progn (require 'org-agenda) (setq org-agenda-files (directory-files "${notes}" t "[oO][rR][gG]$")) (org-agenda-list))`;
  const ran = spawnSync("emacs", ["--batch", "-Q", "--eval", script], {
    cwd: world.workspace,
    env: { ...world.environment },
    timeout: 60_000,
  });
  assert.equal(ran.status, 0, String(ran.stderr));
  for (const folder of [notes, world.workspace]) assert.equal(existsSync(join(folder, "PWNED")), false);
});

test("what the owner dictates and Emacs would run asks", async (context) => {
  const text = `<%%${evil}>`;
  const world = await makeWorld(context, [
    calls(["write-file", { path: "~/memex/a.org", content: text }]),
    calls(["edit-notes", { file: "~/memex/b.org", operations: [{ op: "append", at: "B", text }] }]),
  ]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex/b.org"), "* B\n");
  await using daemon = await world.open();
  for (const note of ["~/memex/a.org", "~/memex/b.org at B"]) {
    const said = await (await talkTo(daemon)).say(`write ${text} to ${note}`);
    assert.equal(said.end, "approval-required", note);
    assert.match(said.text, /agenda/);
  }
});
