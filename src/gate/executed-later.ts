import { foldedSegments } from "./path.ts";

/** Says what will execute a file later without asking again; null if nothing known does. Compares whole segments anywhere in the path, ignoring case. */
export function executedLaterRule(path: string): string | null {
  const segments = foldedSegments(path);
  for (const [index, segment] of segments.entries()) {
    const rule = folders.get(segment) ?? pairs.get(`${segment}/${segments[index + 1]}`);
    if (rule !== undefined) return rule;
  }
  const base = segments.at(-1) ?? "";
  const whole = `/${segments.join("/")}`;
  return files.get(base) ?? patterns.find(([, pattern]) => pattern.test(whole))?.[0] ?? null;
}

function named(groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([rule, names]) => names.split(" ").map((name) => [name, rule] as const)),
  );
}

const folders = named({
  "git runs its hooks and reads its settings": ".git .githooks .husky",
  "an editor runs its tasks": ".vscode .idea .fleet .zed .devcontainer .nvim .vim .emacs.d",
  "another agent runs its hooks": ".claude .cursor .codex .gemini .aider",
  "the CI runs it": ".ci .circleci .buildkite .woodpecker .drone",
  "cron runs it": "crontabs cron.d cron.daily cron.hourly cron.weekly cron.monthly",
  "it starts with the system": "systemd launchagents launchdaemons init.d runit",
  "it starts with the session": "autostart autostart-scripts environment.d",
  "a later build runs it": ".venv site-packages .yarn",
  "the agent obeys it as its owner's standing orders": "identity.org",
});

const pairs = named({
  "git runs its hooks and reads its settings": ".config/git",
  "an editor runs its tasks": ".config/nvim .config/vim .config/emacs .config/doom .config/helix .config/zed",
  "the shell runs it when it starts":
    ".config/fish .config/zsh .config/nushell .config/direnv etc/profile.d etc/zsh etc/fish",
  "the CI runs it": ".github/workflows .github/actions .gitea/workflows .forgejo/workflows .gitlab/ci",
  "cron runs it": "spool/cron etc/crontab etc/anacrontab",
  "programs are looked up in its folder":
    ".local/bin .cargo/bin .bun/bin .deno/bin go/bin node_modules/.bin usr/bin usr/sbin local/bin local/sbin",
  "a tool manager runs it": ".config/mise",
  "a later build runs it": ".cargo/config .cargo/config.toml",
});

const files = named({
  "the shell runs it when it starts":
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .xinitrc .xprofile .xsession .xsessionrc .pam_environment bash.bashrc",
  "git runs its hooks and reads its settings":
    ".gitconfig .gitmodules .pre-commit-config.yaml .lefthook.yml lefthook.yml .overcommit.yml",
  "direnv runs it on entering the folder": ".envrc",
  "an editor runs its tasks":
    ".vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .emacs .dir-locals.el .dir-locals-2.el .spacemacs",
  "another agent runs its hooks": ".mcp.json",
  "a program runs it when it starts":
    ".gdbinit .lldbinit .rprofile .irbrc .pryrc .sbclrc .psqlrc .sqliterc .tmux.conf .screenrc .mailcap",
  "a later build runs it": ".pnp.cjs .bazelrc",
  "the CI runs it":
    ".gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml .woodpecker.yml .appveyor.yml appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile .cirrus.yml",
  "cron runs it": "crontab .crontab",
  "a tool manager runs it":
    ".mise.toml mise.toml .yarnrc .yarnrc.yml .pnpmfile.cjs .pythonstartup sitecustomize.py usercustomize.py rust-toolchain rust-toolchain.toml",
});

const patterns: readonly (readonly [string, RegExp])[] = [
  ["programs are looked up in its folder", /^\/(?:bin|sbin)\//],
  ["programs are looked up in its folder", /^\/(?:home\/[^/]+|users\/[^/]+|root)\/bin(?:\/|$)/],
  ["git runs its hooks and reads its settings", /\.git\/(?:hooks|config|modules|info)(?:\/|$)/],
  [
    "it starts with the system",
    /^\/etc\/(?:rc\.local|rc[0-6s]?\.d|inittab|environment|profile|ld\.so\.preload|pam\.d)(?:\/|$)/,
  ],
  ["an editor runs its tasks", /\.code-workspace$/],
];
