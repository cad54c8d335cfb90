const asks = "passepartout ask TEXT asks one question and prints the answer.";
const goesOn =
  "passepartout --continue goes on with the last conversation of this folder; passepartout sessions lists all, and F2 in a conversation opens one.";
const rules =
  "Nothing switches the questions off. “always” in a question keeps a rule; passepartout rules lists them.";
const model = "/model in a conversation chooses a model; passepartout setup sets one up.";
const folder = "Start in the folder that you mean: cd FOLDER && passepartout";
const setup = "passepartout setup sets up a model, your notes and a name.";

/** What people type who come from other agents, where this program has neither command, verb (`COMMAND/VERB`) nor option of the name, and what does it here. */
const familiar: readonly { readonly words: string; readonly instead: string }[] = [
  { words: "-p --print --prompt exec run print prompt chat", instead: asks },
  { words: "-r --resume resume history", instead: goesOn },
  { words: "-m --model", instead: model },
  {
    words:
      "--dangerously-skip-permissions --dangerously-bypass-approvals-and-sandbox --yolo --full-auto --allowedTools --permission-mode --ask-for-approval permissions approvals",
    instead: rules,
  },
  { words: "-C --cd --add-dir", instead: folder },
  { words: "--output-format", instead: "ask --json prints every event of the turn as a line of JSON." },
  { words: "login auth configure onboard init", instead: setup },
  { words: "logout", instead: "Keys are in the vault: passepartout vault list, and vault remove NAME." },
  {
    words: "upgrade",
    instead:
      "In a clone: git pull. An installed package: npm install --global FILE. The next start says what is new.",
  },
  {
    words: "start serve server gateway",
    instead: "passepartout daemon runs the agent in a terminal, passepartout service install as a service.",
  },
  {
    words: "status health",
    instead: "passepartout doctor says how everything is; /status in a conversation, what runs and waits.",
  },
  {
    words: "gates-bench recall-bench",
    instead: "In a clone of the sources, npm run gates-bench and npm run recall-bench measure it.",
  },
  { words: "cost", instead: "passepartout budget says what was spent." },
  {
    words: "logs",
    instead:
      "passepartout journal tail shows what was done, and passepartout service logs what the service said.",
  },
  { words: "cron schedule", instead: "passepartout jobs lists what the agent does by itself." },
  {
    words: "mcp/add mcp/install mcp/enable",
    instead:
      "Write the server into mcp.json beside your settings (docs/mcp.md), then: passepartout mcp accept NAME",
  },
  {
    words: "mcp/remove mcp/delete mcp/disable",
    instead: "Take the server out of mcp.json, then: passepartout mcp forget NAME",
  },
  { words: "skill/add", instead: "To install a skill: passepartout skill install SOURCE" },
  {
    words: "skill/remove skill/delete skill/uninstall",
    instead: "passepartout skill disable NAME takes a skill out of use.",
  },
  {
    words: "jobs/delete jobs/stop",
    instead: "passepartout jobs remove NAME ends a job, pause NAME halts it.",
  },
  { words: "review/approve review/apply", instead: "passepartout review accept ID makes the change." },
  { words: "review/deny review/dismiss", instead: "passepartout review reject ID drops the proposal." },
  {
    words: "uninstall",
    instead: "passepartout purge shows and removes all that was written outside of your notes.",
  },
];

const byWord: ReadonlyMap<string, string> = new Map(
  familiar.flatMap(({ words, instead }) => words.split(" ").map((word) => [word, instead] as const)),
);

/** What to type in place of an option or a command that another agent has; null for what nobody brings along. */
export function insteadOf(word: string): string | null {
  return byWord.get(word) ?? null;
}
