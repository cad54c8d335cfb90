import { join } from "node:path";
import { wait } from "../reason/providers/wait.ts";
import { type Client, openClient } from "../wire/client/client.ts";
import { wireLimits } from "../wire/codec/limits.ts";
import { readSecret } from "../wire/codec/proof-secret.ts";
import { AnswerStream } from "./answer-stream.ts";
import { App } from "./app.ts";
import type { AppParts } from "./app-parts.ts";
import type { BellKind } from "./bells.ts";
import type { Look } from "./block.ts";
import { cleanText, withoutColours } from "./clean.ts";
import { fileAt, listNames } from "./list-names.ts";
import { openPromptHistory } from "./prompt-history.ts";
import { Reader } from "./reader.ts";
import { colourDepthOf, unstyled } from "./theme.ts";
import { openProcessTerminal } from "./toolkit.ts";
import { Transcript } from "./transcript.ts";
import { type SessionEvent, type WantedSession, WireSession } from "./wire-session.ts";

/** What the terminal client needs of the command line. */
export type TuiParts = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The real folder that it was started in, and the owner's home. */
  readonly folder: string;
  readonly home: string;
  readonly version: string;
  readonly bells: BellKind;
  readonly wanted: WantedSession;
  readonly socketPath: string;
  readonly stateFolder: string;
  readonly newId: () => string;
  /** Starts an agent in a process of its own; resolves, when it has ended, with what it said. */
  readonly startAgent: (onWords: (text: string) => void) => Promise<string>;
  /** Stops this process until the owner brings it back, and calls `resume` then. */
  readonly suspend: (resume: () => void) => void;
  /** Has the owner edit a text in their editor. */
  readonly editText: AppParts["editText"];
  /** Calls the listener when the process is to end, or ends. */
  readonly onEnd: (listener: () => void) => void;
  readonly out: (text: string) => void;
};

/** Milliseconds that a daemon may be away before an agent is started in its place. */
const patience = 3_000;
/** Rows of an answer that are laid out at the end. */
const mostRows = 1_000;
/** Rows of the last answer that are left on the main screen. */
const leftRows = 40;

/** A conversation on the whole terminal. Resolves when the owner has left; the last answer then stands on the main screen. */
export async function runTui(parts: TuiParts): Promise<void> {
  const terminal = openProcessTerminal();
  const agent = new AgentStarter(parts.startAgent, (text, tone) => app.notice(text, tone));
  const client = connect(parts);
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
    bells: parts.bells,
    clock: Date.now,
    suspend: () => parts.suspend(() => app.resume()),
    editText: parts.editText,
    fileAt,
    openSession: (listener) =>
      openSession(
        parts,
        client,
        both(listener, (event) => agent.observe(event)),
      ),
  });
  parts.onEnd(once(() => app.leave()));
  app.start();
  await app.left;
  await client.close();
  sayGoodbye(app, parts, terminal.columns);
}

/** The conversation for a screen reader: lines of text alone, on the terminal's own line editor. Resolves when the owner has left. */
export async function runReader(parts: TuiParts, lines: LineSource): Promise<void> {
  const agent = new AgentStarter(parts.startAgent, (text) => reader.notice(text));
  const client = connect(parts);
  const reader: Reader = new Reader({
    out: parts.out,
    home: parts.home,
    version: parts.version,
    clock: Date.now,
    openSession: (listener) =>
      openSession(
        parts,
        client,
        both(listener, (event) => agent.observe(event)),
      ),
  });
  const stop = lines({
    onLines: (text, pasted) => reader.enter(text, pasted),
    onInterrupt: () => reader.interrupt(),
    onEnd: () => reader.leave(),
  });
  await reader.left;
  stop();
  await client.close();
}

/** What reads the lines that a person types; the result stops it. */
export type LineSource = (events: {
  readonly onLines: (text: string, pasted: boolean) => void;
  readonly onInterrupt: () => void;
  readonly onEnd: () => void;
}) => () => void;

function connect({ socketPath, stateFolder, folder, newId }: TuiParts): Client {
  return openClient({
    socketPath,
    port: null,
    secret: async () => readSecret(stateFolder),
    source: "tui",
    capabilities: ["stream"],
    workspace: folder,
    wait,
    newId,
    limits: wireLimits,
  });
}

type SessionListener = (event: SessionEvent) => void;

function openSession({ wanted, newId }: TuiParts, client: Client, listener: SessionListener): WireSession {
  return new WireSession({ client, wanted, newId, listener });
}

function both(first: SessionListener, second: SessionListener): SessionListener {
  return (event) => {
    first(event);
    second(event);
  };
}

/** Starts an agent where no daemon answers, once at a time. */
class AgentStarter {
  readonly #start: TuiParts["startAgent"];
  readonly #notice: (text: string, tone: "warning" | "error") => void;
  #runs = false;
  #wasReady = false;
  #lostAt = 0;

  constructor(start: TuiParts["startAgent"], notice: (text: string, tone: "warning" | "error") => void) {
    this.#start = start;
    this.#notice = notice;
  }

  observe(event: SessionEvent): void {
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
    void this.#start((text) => this.#notice(cleanText(text.trim()), "warning")).then(
      (said) => {
        this.#runs = false;
        if (said !== "") this.#notice(cleanText(said), "error");
      },
      (error: unknown) =>
        this.#notice(`The agent could not be started: ${cleanText(String(error))}`, "error"),
    );
  }
}

/** An answer as it stood on the screen, without colours. */
function lastAnswerRows(answer: string, columns: number, look: Look): readonly string[] {
  const transcript = new Transcript();
  const stream = new AnswerStream(transcript);
  stream.feed(cleanText(answer));
  stream.end();
  const rows = transcript.window(columns, mostRows, { ...look, theme: unstyled });
  return rows.slice(1).map(withoutColours);
}

/** Leaves the last answer, and how to go on, on the main screen. */
function sayGoodbye(app: App, { out }: TuiParts, columns: number): void {
  const rows = lastAnswerRows(app.conversation.lastAnswer, columns, app.look);
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
