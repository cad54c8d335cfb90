import { join } from "node:path";
import { wait } from "../reason/providers/wait.ts";
import { openClient } from "../wire/client/client.ts";
import { wireLimits } from "../wire/codec/limits.ts";
import { readSecret } from "../wire/codec/proof-secret.ts";
import { App } from "./app.ts";
import { cleanText } from "./clean.ts";
import { listNames } from "./list-names.ts";
import { openPromptHistory } from "./prompt-history.ts";
import { colourDepthOf } from "./theme.ts";
import { openProcessTerminal, wrap } from "./toolkit.ts";
import { type SessionEvent, type WantedSession, WireSession } from "./wire-session.ts";

/** What the terminal client needs of the command line. */
export type TuiParts = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The real folder that it was started in, and the owner's home. */
  readonly folder: string;
  readonly home: string;
  readonly version: string;
  readonly wanted: WantedSession;
  readonly socketPath: string;
  readonly stateFolder: string;
  readonly newId: () => string;
  /** Starts an agent in a process of its own; resolves, when it has ended, with what it said. */
  readonly startAgent: (onWords: (text: string) => void) => Promise<string>;
  /** Stops this process until the owner brings it back, and calls `resume` then. */
  readonly suspend: (resume: () => void) => void;
  /** Calls the listener when the process is to end, or ends. */
  readonly onEnd: (listener: () => void) => void;
  readonly out: (text: string) => void;
};

/** Milliseconds that a daemon may be away before an agent is started in its place. */
const patience = 3_000;
/** Rows of the last answer that are left on the main screen. */
const leftRows = 40;

/** A conversation on the whole terminal. Resolves when the owner has left; the last answer then stands on the main screen. */
export async function runTui(parts: TuiParts): Promise<void> {
  const client = openClient({
    socketPath: parts.socketPath,
    port: null,
    secret: async () => readSecret(parts.stateFolder),
    source: "tui",
    capabilities: ["stream"],
    workspace: parts.folder,
    wait,
    newId: parts.newId,
    limits: wireLimits,
  });
  const terminal = openProcessTerminal();
  const agent = new AgentStarter(parts);
  const app: App = new App({
    terminal,
    history: openPromptHistory(join(parts.stateFolder, "prompt-history"), (text) =>
      app.notice(text, "warning"),
    ),
    listNames,
    home: parts.home,
    folder: parts.folder,
    version: parts.version,
    depth: colourDepthOf(parts.environment),
    background: "dark",
    clock: Date.now,
    suspend: () => parts.suspend(() => app.resume()),
    openSession: (listener) =>
      new WireSession({
        client,
        wanted: parts.wanted,
        newId: parts.newId,
        listener(event) {
          listener(event);
          agent.observe(event, (text, tone) => app.notice(text, tone));
        },
      }),
  });
  const leave = once(() => app.leave());
  parts.onEnd(leave);
  app.start();
  await app.left;
  await client.close();
  sayGoodbye(app, parts, terminal.columns);
}

/** Starts an agent where no daemon answers, once at a time. */
class AgentStarter {
  readonly #parts: TuiParts;
  #runs = false;
  #wasReady = false;
  #lostAt = 0;

  constructor(parts: TuiParts) {
    this.#parts = parts;
  }

  observe(event: SessionEvent, notice: (text: string, tone: "warning" | "error") => void): void {
    if (event.kind === "ready") {
      this.#wasReady = true;
      this.#lostAt = 0;
    }
    if (event.kind !== "lost") return;
    const now = Date.now();
    if (this.#lostAt === 0) this.#lostAt = now;
    const isAbsent = event.code === "unreachable" || event.code === "no-secret";
    // A daemon that was there may be starting again.
    const isOver = !this.#wasReady || now - this.#lostAt > patience;
    if (!isAbsent || !isOver || this.#runs) return;
    this.#runs = true;
    const start = this.#parts.startAgent((text) => notice(cleanText(text.trim()), "warning"));
    void start.then(
      (said) => {
        this.#runs = false;
        if (said !== "") notice(cleanText(said), "error");
      },
      (error: unknown) => notice(`The agent could not be started: ${cleanText(String(error))}`, "error"),
    );
  }
}

/** Leaves the last answer, and how to go on, on the main screen. */
function sayGoodbye(app: App, { out }: TuiParts, columns: number): void {
  const rows = cleanText(app.conversation.lastAnswer)
    .split("\n")
    .flatMap((line) => wrap(line, columns - 1));
  const left = rows.length - leftRows;
  const shown = rows.slice(0, leftRows);
  const more = left > 0 ? [`… ${left} more rows`] : [];
  if (rows.join("") !== "") out(`${[...shown, ...more].join("\n")}\n\n`);
  out("Go on with: passepartout --continue\n");
}

function once(act: () => void): () => void {
  const done = { is: false };
  return () => {
    if (done.is) return;
    done.is = true;
    act();
  };
}
