/** What obeys a path, in words, with the names (blanks between them, in lower case) that it obeys. */
export type LaterNames = Readonly<Record<string, string>>;

const git = "git runs its hooks and reads its settings";
const editor = "an editor runs it or its tasks";
const agent = "another agent obeys it";
const ci = "the CI runs it";
const cron = "cron runs it";
const system = "it starts with the system";
const session = "it starts with the session";
const shell = "the shell runs it when it starts";
const manager = "a tool manager runs it";
const build = "a later build or test runs it";
const program = "a program runs it when it starts";
const lookup = "programs are looked up in its folder";

/** Folders of this name at any depth, with everything below. */
export const laterFolders: LaterNames = {
  [git]: ".git .githooks .husky .lefthook",
  [editor]: ".vscode .vscode-server .vs .idea .fleet .zed .nova .devcontainer .nvim .vim .emacs.d .doom.d",
  [agent]:
    ".claude .cursor .codex .gemini .aider .windsurf .roo .clinerules .continue .amazonq .kiro .junie .augment .goose .opencode .qwen .trae",
  [ci]: ".ci .circleci .buildkite .woodpecker .drone .tekton .semaphore .teamcity",
  [shell]: ".bashrc.d .profile.d .zsh .zfunc .oh-my-zsh",
  [cron]: "crontabs cron.d cron.daily cron.hourly cron.weekly cron.monthly",
  [system]: "systemd launchagents launchdaemons init.d runit",
  [session]: "autostart autostart-scripts plasma-workspace environment.d dbus-1",
  [program]: ".ipython .jupyter",
  [build]: ".venv site-packages dist-packages .yarn node_modules .mvn .bundle __pycache__",
  "the agent obeys it as its owner's standing orders": "identity.org",
};

/** Two segments in a row, with everything below. */
export const laterPairs: LaterNames = {
  [git]: ".config/git",
  [editor]:
    ".config/nvim .config/vim .config/emacs .config/doom .config/helix .config/zed .config/kak .config/micro .config/code",
  [agent]:
    ".github/prompts .github/chatmodes .github/instructions .github/agents .config/opencode .config/goose",
  [shell]:
    "share/bash-completion .config/fish .config/zsh .config/nushell .config/direnv .config/bash .config/xonsh .config/elvish etc/profile.d etc/zsh etc/fish",
  [ci]: ".github/workflows .github/actions .gitea/workflows .forgejo/workflows .gitlab/ci",
  [cron]: "spool/cron etc/crontab etc/anacrontab",
  [lookup]:
    ".local/bin .cargo/bin .bun/bin .deno/bin .krew/bin go/bin node_modules/.bin usr/bin usr/sbin local/bin local/sbin opt/bin",
  [manager]: ".config/mise .config/pip .config/uv .mise/tasks .docker/cli-plugins",
  [program]:
    ".config/tmux .config/sway .config/i3 .config/hypr .config/awesome .config/wezterm .config/kitty .config/alacritty .config/ranger .config/lf .config/mpv .config/sxhkd .config/polybar .config/waybar .config/rofi .config/dunst .config/i3blocks .config/newsboat .config/neomutt .config/mutt .config/thunar share/nautilus share/nautilus-python share/gnome-shell share/plasma .config/ipython .julia/config .subversion/config",
  [build]: ".cargo/config .cargo/config.toml gradle/wrapper .gradle/init.d .m2/settings.xml",
};

/** Files of this name in any folder. */
export const laterFiles: LaterNames = {
  [shell]:
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .xinitrc .xserverrc .xprofile .xsession .xsessionrc .pam_environment .aliases .xonshrc config.fish bash.bashrc",
  [git]:
    ".gitconfig .gitmodules .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .lefthook.yml lefthook.yml lefthook.yaml lefthook-local.yml prek.toml hk.pkl .overcommit.yml .huskyrc .lintstagedrc .hgrc",
  "direnv runs it on entering the folder": ".envrc .direnvrc",
  [editor]:
    ".vimrc _vimrc .gvimrc .exrc .nexrc .nvimrc .nvim.lua .lvimrc .ideavimrc .emacs .spacemacs .kakrc .nanorc .dir-locals.el .dir-locals-2.el .abbrev_defs diary",
  [agent]:
    "agents.md agents.override.md agent.md claude.md claude.local.md gemini.md codex.md qwen.md crush.md skill.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints .aider.conf.yml .mcp.json mcp.json",
  [program]:
    ".gdbinit gdbinit .gdbearlyinit .lldbinit .rprofile .renviron .irbrc .pryrc .byebugrc .sbclrc .eclrc .clisprc .guile .octaverc .ghci .ocamlinit .iex.exs .erlang .perldb .pdbrc .pdbrc.py .pythonrc .pythonrc.py .pythonstartup .psqlrc .sqliterc .my.cnf .tmux.conf .screenrc .mailcap .muttrc .procmailrc .forward .msmtprc .wgetrc .curlrc .xbindkeysrc .xresources .latexmkrc latexmkrc .ctags autorun.inf",
  [build]:
    "makefile gnumakefile bsdmakefile justfile .justfile taskfile.yml taskfile.yaml dockerfile containerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml docker-bake.hcl rakefile gemfile guardfile capfile vagrantfile procfile tiltfile brewfile snakefile sconstruct sconscript wscript dodo.py fabfile.py noxfile.py tox.ini pytest.ini conftest.py setup.py setup.cfg cmakelists.txt meson.build gradlew gradlew.bat mvnw mvnw.cmd build.sbt build.xml build.rs build.zig mix.exs rebar.config flake.nix shell.nix default.nix devenv.nix guix.scm gulpfile.js gruntfile.js .npmrc .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs bunfig.toml .bazelrc .babelrc .eslintrc .eslintrc.json .eslintrc.yml .eslintrc.yaml .mocharc.json .mocharc.yml .mocharc.yaml .condarc .gemrc pnpm-workspace.yaml nx.json turbo.json lerna.json deno.json deno.jsonc composer.json package.swift podfile fastfile berksfile thorfile appraisals project.clj setup.hs .rspec .rubocop.yml",
  [ci]: ".gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml .woodpecker.yml .woodpecker.yaml .appveyor.yml appveyor.yml azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml jenkinsfile .cirrus.yml cloudbuild.yaml .readthedocs.yml .readthedocs.yaml netlify.toml vercel.json",
  [cron]: "crontab .crontab",
  [manager]:
    ".tool-versions .mise.toml mise.toml .mise.local.toml mise.local.toml .rtx.toml .yarnrc .yarnrc.yml sitecustomize.py usercustomize.py rust-toolchain rust-toolchain.toml .sdkmanrc",
};

/** Patterns of whole paths, in lower case. */
export const laterPatterns: readonly (readonly [why: string, pattern: RegExp])[] = [
  [lookup, /^\/(?:bin|sbin)\//],
  [lookup, /^\/(?:home\/[^/]+|users\/[^/]+|root)\/bin(?:\/|$)/],
  [git, /\.git\/(?:hooks|config|modules|info)(?:\/|$)/],
  [system, /^\/etc\/(?:rc\.local|rc[0-6s]?\.d|inittab|environment|profile|ld\.so\.preload|pam\.d)(?:\/|$)/],
  [editor, /\.code-workspace$|\.sublime-project$|\/(?:early-)?init\.elc?$/],
  [session, /\.desktop$/],
  [program, /\/profile\.ps1$/],
  [
    build,
    /\.(?:pth|mk|gemspec|gradle|gradle\.kts|cmake|csproj|targets)$|\/(?:dockerfile|containerfile|makefile)\.[^/]+$/,
  ],
  [build, /\.(?:config|conf|workspace)\.[cm]?[jt]s$|\/\.[^/]+rc\.[cm]?[jt]s$/],
  ["a program takes its name for an option", /(?:^|\/)-/],
];
/** The parts of a repository's own folder that git obeys. In a sandbox the other parts may change, so that a commit works. */
export const obeyedInRepository: readonly RegExp[] = [
  /^(?:hooks|config|config\.worktree|commondir|gitdir|info\/attributes|objects\/info\/alternates|rebase-merge\/git-rebase-todo)$/,
  /^(?:modules|worktrees)\/(?:.+\/)?(?:hooks|config|config\.worktree|commondir|gitdir)$/,
];
