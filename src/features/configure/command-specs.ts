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
