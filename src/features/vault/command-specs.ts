import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

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
