/** What obeys a path, in words, with the names (blanks between them, in lower case) that it obeys. */
export type LaterNames = Readonly<Record<string, string>>;

const git = "git runs its hooks and reads its settings";
const repository = "git obeys what it holds (hooks, settings, branches, tags, logs)";
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
  [repository]: ".git",
  [git]: ".githooks .husky .lefthook",
  [editor]:
    ".vscode .vscode-server .vs .idea .fleet .zed .nova .devcontainer .idx .theia .run .bsp .lsp .helix nbproject .nvim .vim .emacs.d .doom.d",
  [agent]:
    ".claude .cursor .codex .gemini .aider .windsurf .roo .clinerules .continue .amazonq .kiro .junie .augment .goose .opencode .qwen .trae .agents .agent .factory .crush .kilocode .copilot .amp .antigravity .openhands .codebuddy .qoder .vibe .iflow .zencoder .tabnine .rovodev .kimi .grok .warp .jules .firebender",
  [ci]: ".ebextensions .ci .circleci .buildkite .woodpecker .drone .tekton .semaphore .teamcity .builds .harness .dagger",
  [shell]: ".bashrc.d .profile.d .zsh .zfunc .oh-my-zsh",
  [cron]: "crontabs cron.d cron.daily cron.hourly cron.weekly cron.monthly",
  [system]: "systemd launchagents launchdaemons init.d runit",
  [session]: "autostart autostart-scripts plasma-workspace environment.d dbus-1",
  [program]:
    ".config .ipython .jupyter .hammerspoon .xmonad .fluxbox .icewm .vnc .weechat .irssi .vifm .mutt .sage .clojure .lein",
  [manager]: ".mise-tasks mise-tasks .flox .devbox .devenv",
  [build]:
    ".venv venv virtualenv .virtualenv .direnv .tox .nox sitecustomize usercustomize .storybook site-packages dist-packages .yarn node_modules .mvn .bundle __pycache__",
  "the agent obeys it as its owner's standing orders": "identity.org",
};

/** Two segments in a row, with everything below. */
export const laterPairs: LaterNames = {
  [git]: ".config/git",
  "the tool of its repository runs its hooks and reads its settings":
    ".hg/hgrc .hg/hgrc-not-shared .hg/sharedpath .sl/config .pijul/config .bzr/branch _darcs/prefs",
  [editor]:
    ".config/nvim .config/vim .config/emacs .config/doom .config/helix .config/zed .config/kak .config/micro .config/code",
  [agent]:
    ".github/prompts .github/chatmodes .github/instructions .github/agents .github/hooks .github/skills .config/opencode .config/goose",
  [shell]:
    "share/bash-completion .config/fish .config/zsh .config/nushell .config/direnv .config/bash .config/xonsh .config/elvish etc/profile.d etc/zsh etc/fish .cargo/env .deno/env .ghcup/env",
  [ci]: ".github/workflows .github/actions .kamal/hooks .gitea/workflows .forgejo/workflows .gitlab/ci",
  [cron]: "spool/cron etc/crontab etc/anacrontab",
  [lookup]:
    ".local/bin .cargo/bin .bun/bin .deno/bin .krew/bin go/bin node_modules/.bin usr/bin usr/sbin local/bin local/sbin opt/bin",
  [manager]:
    ".config/mise .config/pip .config/uv .mise/tasks .mise/config.toml mise/config.toml .docker/cli-plugins",
  [program]:
    ".config/tmux .config/sway .config/i3 .config/hypr .config/awesome .config/wezterm .config/kitty .config/alacritty .config/ranger .config/lf .config/mpv .config/sxhkd .config/polybar .config/waybar .config/rofi .config/dunst .config/i3blocks .config/newsboat .config/neomutt .config/mutt .config/thunar share/nautilus share/nautilus-python share/gnome-shell share/plasma .task/hooks .notmuch/hooks .calcurse/hooks .config/ipython .julia/config .subversion/config",
  [build]:
    ".cargo/config .cargo/config.toml gradle/wrapper .gradle/init.d env/bin env/lib renv/activate.r vendor/autoload.php .chef/config.rb .m2/settings.xml .m2/extensions.xml debian/rules docs/conf.py doc/conf.py source/conf.py",
};

/** Files of this name in any folder. */
export const laterFiles: LaterNames = {
  [shell]:
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .xinitrc .xserverrc .xprofile .xsession .xsessionrc .pam_environment .aliases .bashrc.local .zshrc.local .localrc .zimrc .zpreztorc .zsh_plugins.txt .p10k.zsh .fzf.bash .fzf.zsh .lessfilter .lesskey starship.toml .autoenv .autoenv.zsh .autoenv_leave .xonshrc config.fish bash.bashrc activate activate.csh activate.fish activate.nu activate.ps1 activate.bat activate.xsh activate_this.py .envrc.local .env.leave",
  [git]:
    ".gitconfig .gitmodules .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .lefthook.yml lefthook.yml lefthook.yaml lefthook-local.yml prek.toml hk.pkl .overcommit.yml .huskyrc .lintstagedrc .lintstagedrc.yml .lintstagedrc.yaml .huskyrc.json .huskyrc.yml .huskyrc.yaml .simple-git-hooks.json simple-git-hooks.json lefthook.toml lefthook.json .lefthook.yaml .lefthook.toml lefthook-local.yaml lefthook-local.toml .hgrc .jjconfig.toml captainhook.json grumphp.yml grumphp.yaml .lfsconfig",
  "git takes the folder for a repository, runs its hooks and reads its settings": "head",
  "direnv runs it on entering the folder": ".envrc .direnvrc",
  [editor]:
    ".vimrc _vimrc .gvimrc .exrc .nexrc .nvimrc .nvim.lua .lvimrc .ideavimrc .emacs .emacs.el _emacs .emacs.desktop .gnus .gnus.el .vimrc.local .local.vimrc .lazy.lua session.vim .neoconf.json .projections.json .lite_project.lua .luarc.json .luarc.jsonc .kateproject .ycm_extra_conf.py .devcontainer.json .gitpod.yml .gitpod.dockerfile .stackblitzrc .replit replit.nix rust-analyzer.toml .rust-analyzer.toml hie.yaml .spacemacs .kakrc .nanorc .dir-locals.el buildserver.json .factorypath .merlin .dir-locals-2.el .abbrev_defs diary",
  [agent]:
    "agents.md agents.override.md agent.md claude.md claude.local.md gemini.md codex.md qwen.md crush.md skill.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints .aider.conf.yml .aider.conf.yaml .mcp.json mcp.json mcp_config.json .claude.json claude_desktop_config.json opencode.json opencode.jsonc crush.json .crush.json .rules .roomodes .kilocodemodes .airules replit.md warp.md soul.md .openhands_instructions",
  [program]:
    ".gdbinit gdbinit .gdbearlyinit .lldbinit .rprofile .rdata .renviron .irbrc .pryrc .byebugrc .sbclrc .eclrc .clisprc .guile .octaverc .ghci .ocamlinit .iex.exs .pryrc.local .irbrc.local .erlang .perldb .pdbrc .pdbrc.py .pythonrc .pythonrc.py .pythonstartup .psqlrc .sqliterc .my.cnf .tmux.conf .screenrc .mailcap .muttrc .procmailrc .forward .msmtprc .wgetrc .curlrc .xbindkeysrc .xresources .ripgreprc .ackrc .tigrc .mailrc .offlineimaprc .mbsyncrc .isyncrc .fetchmailrc .notmuch-config .mailfilter .maildroprc .taskrc .rhosts .shosts .k5login .asoundrc .fehbg .skhdrc .yabairc .aerospace.toml .wezterm.lua .alacritty.toml .alacritty.yml .finicky.js .mongorc.js .mongoshrc.js .myclirc .duckdbrc .gnuplot .gprc .radare2rc .valgrindrc ansible.cfg .latexmkrc latexmkrc .ctags autorun.inf",
  [build]:
    "makefile gnumakefile bsdmakefile justfile .justfile taskfile.yml taskfile.yaml dockerfile containerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml docker-bake.hcl docker-compose.override.yml docker-compose.override.yaml compose.override.yml compose.override.yaml rakefile gemfile guardfile capfile vagrantfile procfile tiltfile brewfile snakefile sconstruct sconscript wscript dodo.py fabfile.py noxfile.py tox.ini pytest.ini conftest.py setup.py setup.cfg cmakelists.txt meson.build gradlew gradlew.bat mvnw mvnw.cmd build.sbt build.xml build.rs build.zig mix.exs rebar.config flake.nix shell.nix default.nix devenv.nix guix.scm gulpfile.js gruntfile.js .npmrc .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs bunfig.toml .bazelrc .babelrc .eslintrc .eslintrc.json .eslintrc.yml .eslintrc.yaml .mocharc.json .mocharc.yml .mocharc.yaml .condarc .gemrc pnpm-workspace.yaml nx.json turbo.json lerna.json deno.json deno.jsonc composer.json package.swift podfile fastfile berksfile thorfile appraisals project.clj setup.hs .rspec .rubocop.yml .standard.yml " +
    "pyvenv.cfg jest.config.json .mocharc.jsonc .markdownlint-cli2.yaml .markdownlint-cli2.jsonc .release-it.yaml .release-it.json .c8rc.json .nycrc .nycrc.yml .nycrc.json .stylelintrc .stylelintrc.yaml .stylelintrc.json .xo-config.json .remarkrc .textlintrc .graphqlrc.yml plopfile.js knexfile.js .sequelizerc serverless.yml serverless.ts phpcs.xml user.bazelrc .bazelversion workspace.bzlmod .sbtopts .jvmopts kbuild makevars devenv.local.nix skaffold.yaml skaffold.yml mprocs.yaml process-compose.yml process-compose.yaml .tmuxinator.yml .tmuxp.yaml release.toml wails.json sqlc.yaml modd.conf cask eask scrapy.cfg .rspec-local " +
    "build.bazel build workspace workspace.bazel module.bazel .buckconfig pants.toml earthfile magefile.go xmake.lua premake5.lua tupfile makefile.am makefile.in makefile.pl build.pl configure configure.ac " +
    "jamfile jamroot gulpfile.mjs gulpfile.cjs gulpfile.ts gulpfile.babel.js gruntfile.cjs gruntfile.ts gruntfile.coffee jakefile jakefile.js cakefile build.cake build.fsx build.ps1 build.sc build.mill build.ninja " +
    "conanfile.py .gn .gclient west.yml platformio.ini stack.yaml cabal.project setup.lhs shard.yml rebar.config.script deps.edn bb.edn build.clj build.boot user.clj shadow-cljs.edn dub.json dub.sdl " +
    "config.nims nim.cfg gatsby-node.js gatsby-config.js gatsby-ssr.js ember-cli-build.js config-overrides.js testem.js .eleventy.js brunch-config.js wallaby.js jest.setup.js jest.setup.ts vitest.setup.ts " +
    ".prettierrc .prettierrc.json .prettierrc.yml .prettierrc.yaml .prettierrc.toml .stylelintrc .stylelintrc.json .commitlintrc .commitlintrc.json .releaserc .releaserc.json .lintstagedrc.json .postcssrc .postcssrc.json " +
    ".swcrc .oxlintrc.json .nycrc .nycrc.json .babelrc.json babel.config.json nodemon.json taskfile.dist.yml taskfile.dist.yaml .taprc angular.json project.json rush.json moon.yml .pnpmfile.mjs pipfile mypy.ini .mypy.ini pylintrc .pylintrc .flake8 .coveragerc hatch_build.py pavement.py asv.conf.json " +
    "mkdocs.yml phpunit.xml phpunit.xml.dist phpstan.neon phpstan.neon.dist .php-cs-fixer.php .php-cs-fixer.dist.php rector.php psalm.xml .user.ini .htaccess .proverc .perlcriticrc dist.ini cpanfile config.ru dangerfile " +
    "puppetfile .kitchen.yml .simplecov pom.xml gradle.properties nuget.config dotnet-tools.json pkgbuild apkbuild configuration.nix home.nix " +
    "dune dune-workspace book.toml doxyfile cdk.json cdktf.json samconfig.toml pulumi.yaml terragrunt.hcl helmfile.yaml .golangci.yml .golangci.yaml .golangci.toml .golangci.json pixi.toml " +
    ".goreleaser.yml .goreleaser.yaml .air.toml buf.gen.yaml dvc.yaml dbt_project.yml airflow.cfg typedoc.json redocly.yaml .luacheckrc .busted .yardopts .solargraph.yml .credo.exs .formatter.exs " +
    "dprint.json esy.json bsconfig.json rescript.json spago.dhall spago.yaml .parcelrc tslint.json .clangd compile_commands.json .ccls .scalafix.conf .bazeliskrc procfile.dev steepfile " +
    "project.yml project.swift analysis_options.yaml build.yaml melos.yaml codegen.yml codegen.yaml graphql.config.json lage.json wireit.json hereby.mjs zx.mjs bacon.toml .cargo-husky cog.toml " +
    "binding.gyp cmakepresets.json cmakeuserpresets.json rakefile.rb gems.rb package.yaml package.json5 mkdocs.yaml tox.toml hatch.toml .pytest.ini pytest.toml .pytest.toml pylintrc.toml .pylintrc.toml " +
    "gunicorn.conf.py _quarto.yml _quarto.yaml kconfig buck global.json directory.build.rsp msbuild.rsp nextflow.config trunk.toml cross.toml tauri.conf.json .release-it.json .markdownlint-cli2.jsonc",
  [ci]: ".gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml .woodpecker.yml .woodpecker.yaml .appveyor.yml appveyor.yml azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml jenkinsfile .cirrus.yml cloudbuild.yaml .readthedocs.yml .readthedocs.yaml netlify.toml vercel.json action.yml action.yaml .build.yml .build.yaml .cirrus.star .drone.star .drone.jsonnet .azure-pipelines.yml buildspec.yml appspec.yml codemagic.yaml bitrise.yml heroku.yml dagger.json render.yaml railway.json railway.toml fly.toml firebase.json wrangler.toml wrangler.json wrangler.jsonc serverless.yml serverless.yaml skaffold.yaml amplify.yml nixpacks.toml",
  [cron]: "crontab .crontab",
  [manager]:
    ".tool-versions .rtx.toml .asdfrc .prototools aqua.yaml pkgx.yaml devbox.json devenv.yaml .yarnrc .yarnrc.yml sitecustomize.py usercustomize.py sitecustomize.pyc usercustomize.pyc rust-toolchain rust-toolchain.toml .sdkmanrc .rvmrc",
};

/** Patterns of whole paths, in lower case. */
export const laterPatterns: readonly (readonly [why: string, pattern: RegExp])[] = [
  [lookup, /^\/(?:bin|sbin)\//],
  [lookup, /^\/(?:home\/[^/]+|users\/[^/]+|root)\/bin(?:\/|$)/],
  [git, /\.git\/(?:hooks|config|modules|info)(?:\/|$)/],
  [system, /^\/etc\/(?:rc\.local|rc[0-6s]?\.d|inittab|environment|profile|ld\.so\.preload|pam\.d)(?:\/|$)/],
  [
    editor,
    /\.code-workspace$|\.sublime-(?:project|build|commands|keymap)$|\.run\.xml$|\.xcscheme$|\/(?:early-)?init\.elc?$/,
  ],
  [agent, /\.(?:instructions|prompt|chatmode|agent)\.md$|\.mdc$/],
  [manager, /\/\.?mise(?:\.[^/]+)?\.toml$/],
  [git, /\/\.jj\/repo\/config\.toml$/],
  [session, /\.desktop$/],
  [program, /\/profile\.ps1$/],
  [
    build,
    /\.(?:pth|mk|gemspec|podspec|gradle|gradle\.kts|cmake|(?:cs|fs|vb|vcx)proj|slnx?|props|targets|pbxproj|rake|nimble|cabal|rockspec|opam|bzl|sbt)$|\.dockerfile$|\/(?:dockerfile|containerfile|makefile)\.[^/]+$|\/(?:docker-)?compose\.[^/]+\.ya?ml$/,
  ],
  [build, /\.(?:config|conf|workspace)\.[cm]?[jt]s$|\/\.[^/]+rc\.[cm]?[jt]s$/],
  ["a program takes its name for an option", /(?:^|\/)-/],
];
/**
 * The parts of a repository's own folder that are data to git: what was committed, staged, logged or written
 * as a message. Neither git nor its hooks run or obey them.
 */
export const dataInRepository: readonly RegExp[] = [
  /^(?:modules\/(?:.+\/)?)?objects\/[0-9a-f]{2}\/(?:[0-9a-f]{38}|[0-9a-f]{62})$/,
  /^(?:modules\/(?:.+\/)?)?objects\/(?:pack\/(?:pack-[0-9a-f]+\.[a-z]+|multi-pack-index)|info\/(?:packs|commit-graph|commit-graphs\/.+))$/,
  /^(?:modules\/(?:.+\/)?)?info\/refs$/,
  /^(?:(?:modules|worktrees)\/(?:.+\/)?)?(?:index|sharedindex\.[0-9a-f]+|commit_editmsg|orig_head|logs\/head|logs\/refs\/.+)$/,
];

/**
 * Where a merge, a cherry-pick or a revert stands: names of commits, and the message to come. The commit that
 * ends it deletes them.
 */
export const mergeInRepository =
  /^(?:(?:modules|worktrees)\/(?:.+\/)?)?(?:auto_merge|(?:merge|cherry_pick|revert)_head|merge_(?:msg|mode)|squash_msg)$/;

/** What of that leads to commits: git takes their names from it, or what it names instead. */
export const commitsInRepository =
  /^(?:(?:modules|worktrees)\/(?:.+\/)?)?(?:auto_merge|(?:orig|merge|cherry_pick|revert)_head|logs\/head|logs\/refs\/.+)$/;

/** The parts of a repository's own folder that git obeys. In a sandbox the other parts may change, so that a commit works. */
export const obeyedInRepository: readonly RegExp[] = [
  /^(?:hooks|config|config\.worktree|commondir|gitdir|info\/attributes|objects\/info\/alternates|rebase-merge\/git-rebase-todo)$/,
  /^(?:modules|worktrees)\/(?:.+\/)?(?:hooks|config|config\.worktree|commondir|gitdir)$/,
];
