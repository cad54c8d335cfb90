import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

const scripted = { beside: ["non-interactive"] } as const;

export const setupSpec = {
  name: "setup",
  synopsis: [
    "passepartout setup",
    "passepartout setup --non-interactive [--provider NAME] [--model NAME] [--address URL] [--key-stdin] [--notes FOLDER] [--assistant NAME] [--allow-unpriced] [--no-test] [--dry-run] [--json]",
    "passepartout setup --import AGENT [--undo] [--dry-run | --yes] [--json]",
  ],
  summary: "set up a model, your notes and a name: from nothing to a first answer",
  about: [
    "Sets up a model, the notes folder and the assistant's name: asks on the terminal, tries the model, shows what it would write, and writes it after a yes. It also asks, once, whether you want to reach the agent by Telegram or Signal: Enter says no.",
    "Esc or Ctrl-C leaves all as it was. It can be run again; Enter keeps what is set.",
  ],
  options: {
    "non-interactive": flag("asks nothing; what is not given stays as it is"),
    provider: {
      ...valued(
        "NAME",
        "ollama, llama, openai, anthropic, google, openrouter, groq or another name with --address; else the server that runs here",
      ),
      ...scripted,
      values: ["ollama", "llama", "openai", "anthropic", "google", "openrouter", "groq"],
    },
    model: {
      ...valued("NAME", "the model; else the usual one of the provider, or the first that it offers"),
      ...scripted,
    },
    address: { ...valued("URL", "the address of the provider's API"), ...scripted },
    "key-stdin": { ...flag("reads the key from standard input and keeps it in the vault"), ...scripted },
    notes: {
      ...valued("FOLDER", "the notes folder; new notes go there"),
      ...scripted,
      values: "folder",
    },
    assistant: { ...valued("NAME", "the assistant's name"), ...scripted },
    "allow-unpriced": { ...flag("takes a model whose price nobody knows here"), ...scripted },
    "no-test": { ...flag("does not try the model"), ...scripted },
    import: {
      ...valued(
        "AGENT",
        "takes over what openclaw, hermes, claude or codex kept: shows what it found, what it would write and what it leaves, and asks. Texts become notes that count as words of others until you say /trust ID; MCP servers are added switched off; keys are never copied",
      ),
      values: ["openclaw", "hermes", "claude", "codex"],
    },
    undo: { ...flag("takes such an import back; what you changed since stays"), beside: ["import"] },
    yes: { ...flag("imports without asking"), beside: ["import"] },
    "dry-run": {
      ...flag("shows what would be written, and writes nothing"),
      beside: ["non-interactive", "import"],
    },
    json: { ...flag("prints a JSON object"), beside: ["non-interactive", "import"] },
  },
  either: [
    ["import", "non-interactive"],
    ["dry-run", "yes"],
  ],
  notes: ["The passphrase of the vault is typed, or comes as passepartout vault --help says."],
  exit: { 0: "done, or nothing to do", 1: "nothing was written" },
} as const satisfies CommandSpec;

const setting = { form: "NAME", values: "setting" } as const;

export const configSpec = {
  name: "config",
  summary: "show the settings with their origin, and change them",
  about: [
    "Shows the settings as they count now, and changes them in .env of the configuration folder: the change is shown, every other line stays.",
    "A value that cannot be parsed is refused, and so is a key: keys go into the vault.",
  ],
  verbs: [
    { name: "list", help: "prints every setting" },
    { name: "get", arguments: [setting], help: "prints one" },
    { name: "set", arguments: [setting, { form: "VALUE" }], help: "changes one" },
    { name: "unset", arguments: [setting], help: "takes one out of the file: its default counts again" },
  ],
  options: {
    "show-origin": {
      ...flag("tells where each value comes from: environment, file or default"),
      verbs: ["list", "get"],
    },
    "dry-run": { ...flag("shows the change and makes none"), verbs: ["set", "unset"] },
    json: flag("prints a JSON object"),
  },
  notes: ["An agent that runs keeps its settings until it is started again."],
  exit: { 0: "done", 1: "there is no such setting, or nothing was written" },
} as const satisfies CommandSpec;

const value = { form: "NAME", called: "the NAME of a value" } as const;

export const vaultSpec = {
  name: "vault",
  summary: "keep keys encrypted, and unlock them for the running agent",
  about: [
    "Keeps keys in a file that is encrypted with a passphrase. A setting such as OPENAI_API_KEY=vault:NAME uses one.",
  ],
  verbs: [
    {
      name: "set",
      arguments: [value],
      help: "keeps a value: typed without being shown, or from standard input; the first one makes the vault",
    },
    { name: "list", help: "prints the names, never a value, and where a value may be put in" },
    { name: "remove", arguments: [value], help: "deletes a value" },
    {
      name: "bind",
      arguments: [value, { form: "HOST[:PORT]" }],
      help: "lets approved commands use a value at this host alone: they get a placeholder, and the proxy puts the value in",
    },
    { name: "unbind", arguments: [value], help: "ends that" },
    { name: "passphrase", help: "changes the passphrase: typed, or the new one from standard input" },
    {
      name: "unlock",
      help: "gives the passphrase to the running agent, which keeps the key until it ends or is locked",
    },
    { name: "lock", help: "makes the running agent forget the key" },
    {
      name: "status",
      help: "says whether there is a vault, where its passphrase is, and whether the running agent has it unlocked",
    },
  ],
  surplus: "a value is never an argument",
  options: {
    header: {
      ...valued("NAME", "the header that the proxy puts the value into; the default is Authorization"),
      verbs: ["bind"],
    },
    variable: { ...valued("NAME", "the variable that has the placeholder"), verbs: ["bind"] },
    passphrase: {
      ...flag("with the first set: choose a passphrase, also where the system's keyring could keep one"),
      verbs: ["set"],
    },
    keyring: { ...flag("lets the system's keyring keep a made-up passphrase"), verbs: ["passphrase"] },
    json: flag("prints a JSON object"),
  },
  notes: [
    "The passphrase is typed, or comes by the file descriptor PASSEPARTOUT_PASSPHRASE_FD, the systemd credential passepartout-passphrase or the keyring; unlock also takes it from standard input.",
  ],
  exit: { 0: "done", 1: "it could not be done" },
} as const satisfies CommandSpec;

export const emacsSpec = {
  name: "emacs",
  summary: "print the lines for the init file of Emacs",
  about: [
    "Prints the lines for the init file of Emacs 28 or newer. After them, M-x passepartout opens a conversation there.",
  ],
  options: {},
  exit: { 0: "printed" },
} as const satisfies CommandSpec;

export const completionSpec = {
  name: "completion",
  summary: "print a script that completes these command lines in your shell",
  about: [
    "Prints a script that lets a shell complete commands, verbs, options, their values, file names and the names of sessions. To install it:",
    "  bash  passepartout completion bash > ~/.local/share/bash-completion/completions/passepartout",
    "        or, without the package bash-completion, in ~/.bashrc: source <(passepartout completion bash)",
    "  zsh   in ~/.zshrc, behind compinit: source <(passepartout completion zsh)",
    "        or in a folder of $fpath: passepartout completion zsh > FOLDER/_passepartout",
    "  fish  passepartout completion fish > ~/.config/fish/completions/passepartout.fish",
    "It counts in the next shell. Print it again after an update of the program.",
  ],
  verbs: [
    { name: "bash", help: "prints the script for bash, from 3.2 on" },
    { name: "zsh", help: "prints the script for zsh" },
    { name: "fish", help: "prints the script for fish" },
    { name: "man", help: "prints the manual page, as man reads it: passepartout completion man | man -l -" },
    {
      name: "sessions",
      help: "prints the names, else the IDs, of your last sessions, which the scripts offer",
    },
  ],
  options: { named: { ...flag("only sessions that have a name"), verbs: ["sessions"] } },
  exit: { 0: "done", 1: "the sessions cannot be read" },
} as const satisfies CommandSpec;
