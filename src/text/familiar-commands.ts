/** What the owner means by a name that other agents use: a command of ours by its typed form, or nothing that needs one, with what to do instead. */
type Familiar = { readonly names: string } & ({ readonly means: string } | { readonly instead: string });

/**
 * Names of commands that people bring along from other agents. A command that the owner wrote under such a name is theirs. `means` changes nothing that
 * a second time would change again: the name is no command of its own, so nothing keeps it from being repeated.
 */
const familiar: readonly Familiar[] = [
  { names: "quit q bye", means: "/exit" },
  { names: "resume sessions history tree threads", means: "/session" },
  { names: "new reset", means: "/clear" },
  { names: "checkpoint checkpoints restore", means: "/rewind" },
  { names: "tokens spend", means: "/usage" },
  { names: "permissions allowed-tools approvals", means: "/rules" },
  { names: "login connect", means: "/setup" },
  { names: "todos tasks", means: "/plan" },
  { names: "schedule cron loop", means: "/jobs" },
  { names: "interrupt cancel abort", means: "/stop" },
  { names: "commands", means: "/help" },
  { names: "fork branch clone", instead: "/session fork begins a session with the past of this one." },
  { names: "name rename title", instead: "/session rename NAME names this session." },
  { names: "revert", instead: "/undo takes back what the last turn changed; /rewind goes further back." },
  {
    names: "memory remember",
    instead: "Say what is to be remembered, or keep it with /note TEXT. /search finds it again.",
  },
  {
    names: "init",
    instead:
      "A folder needs no preparation: its files are read when you ask about them. /trust-folder makes them count as your own.",
  },
  {
    names: "add-dir dir cd",
    instead:
      "Name the file or folder in your words: what lies outside the workspace asks you first. To work in another folder, start there.",
  },
  {
    names: "context",
    instead:
      "The status bar shows how much of the context is used, and /focus the note in focus. /compact shortens it.",
  },
  {
    names: "pr-comments security-review",
    instead:
      "Say it in words, such as: review the changes in this folder. /diff shows what was changed last.",
  },
  {
    names: "export share copy",
    instead: "Ctrl+T chooses an answer or a block of code: c copies it, C the whole answer.",
  },
  {
    names: "hotkeys keys keybindings shortcuts",
    instead: "F1 lists the keys.",
  },
  {
    names: "vim editor",
    instead: "Ctrl+X Ctrl+E opens what you type in the editor that VISUAL or EDITOR names.",
  },
  {
    names: "doctor debug bug feedback",
    instead: "In another terminal, passepartout doctor checks everything and says what to do.",
  },
  {
    names: "settings preferences",
    instead: "In another terminal, passepartout config list shows the settings, and config set changes one.",
  },
  {
    names: "logout",
    instead: "Keys are in the vault: passepartout vault list, and vault remove NAME, in another terminal.",
  },
  {
    names: "yolo auto auto-accept bypass",
    instead:
      "Nothing switches the questions off. “always” in a question keeps a rule, so that its kind is not asked again; /rules lists them.",
  },
  {
    names: "sandbox",
    instead: "Commands run in a sandbox by themselves. passepartout doctor tries to get out of it.",
  },
];

const byName: ReadonlyMap<string, Familiar> = new Map(
  familiar.flatMap((one) => one.names.split(" ").map((name) => [name, one] as const)),
);

/** What a name of another agent comes to here: the command to run in its place, or what to do instead; null for a name that nobody brings along. */
export function familiarCommand(
  name: string,
  given: string,
): { readonly means: string } | { readonly instead: string } | null {
  const found = byName.get(name);
  if (found === undefined || "instead" in found) return found ?? null;
  return { means: given === "" ? found.means : `${found.means} ${given}` };
}

/** All such names. */
export const familiarNames: readonly string[] = [...byName.keys()];
