import { join } from "node:path";
import { wait } from "../machine/wait.ts";
import { type Client, openClient } from "../wire/client/client.ts";
import { hiddenPromptCapability } from "../wire/codec/hidden-prompts.ts";
import { wireLimits } from "../wire/codec/limits.ts";
import { readSecret } from "../wire/codec/proof-secret.ts";
import { App } from "./app.ts";
import type { AppParts } from "./app-parts.ts";
import type { BellKind } from "./bells.ts";
import { AnswerStream } from "./conversation/answer-stream.ts";
import { Transcript } from "./conversation/transcript.ts";
import { openPromptHistory } from "./prompt/prompt-history.ts";
import { Reader } from "./reader/reader.ts";
import { realAfter } from "./screen/after.ts";
import type { Look } from "./screen/block.ts";
import { cleanText, withoutColours } from "./screen/clean.ts";
import { fileAt, listNames } from "./screen/list-names.ts";
import { colourDepthOf, unstyled } from "./screen/theme.ts";
import { openProcessTerminal } from "./screen/toolkit.ts";
import { AgentStarter } from "./session/agent-starter.ts";
import {
  type SessionEvent,
  type SessionTerminal,
  type WantedSession,
  WireSession,
} from "./session/wire-session.ts";

/** What the terminal client needs of the command line. */
export type TuiParts = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The real folder that it was started in, and the owner's home. */
  readonly folder: string;
  readonly home: string;
  readonly version: string;
  /** What a person types to run this program here. */
  readonly command: string;
  readonly bells: BellKind;
  readonly wanted: WantedSession;
  readonly terminal?: SessionTerminal | undefined;
  readonly socketPath: () => string;
  readonly stateFolder: string;
  readonly newId: () => string;
  /** Starts an agent in a process of its own; resolves, when it has ended, with what it said. */
  readonly startAgent: (onWords: (text: string) => void) => Promise<string>;
  /** Has the screen give the terminal back while the process is stopped as a job of a shell. `suspend` stops it, `close` ends that. */
  readonly openJob: (screen: JobScreen) => { readonly suspend: () => void; readonly close: () => void };
  /** Has the owner edit a text in their editor. */
  readonly editText: AppParts["editText"];
  readonly screen: AppParts["screen"];
  readonly copyText: AppParts["copyText"];
  readonly isHidden: AppParts["isHidden"];
  /** Calls the listener when the process is to end, or ends. */
  readonly onEnd: (listener: () => void) => void;
  readonly out: (text: string) => void;
};

/** What gives the terminal back, and takes it again. */
export type JobScreen = { readonly hide: () => void; readonly show: () => void };

/** Rows of an answer that are laid out at the end. */
const mostRows = 1_000;
/** Rows of the last answer that are left on the main screen. */
const leftRows = 40;

/** A conversation on the whole terminal. Resolves when the owner has left; the last answer then stands on the main screen. */
export async function runTui(parts: TuiParts): Promise<void> {
  const terminal = openProcessTerminal();
  const agent = new AgentStarter({
    start: parts.startAgent,
    clock: Date.now,
    say: (text, tone) => app.notice(text, tone),
    failed: () => app.connection.fail(),
  });
  const client = connect(parts, [hiddenPromptCapability, "output", "stream"]);
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
    after: realAfter,
    suspend: () => job.suspend(),
    editText: parts.editText,
    screen: parts.screen,
    copyText: parts.copyText,
    isHidden: parts.isHidden,
    fileAt,
    openSession: (listener) =>
      openSession(
        parts,
        client,
        both(listener, (event) => agent.observe(event)),
      ),
  });
  const job = parts.openJob({ hide: () => app.hide(), show: () => app.resume() });
  parts.onEnd(once(() => app.leave()));
  app.start();
  await app.left;
  job.close();
  await client.close();
  sayGoodbye(app, parts, terminal.columns);
}

/** The conversation for a screen reader: lines of text alone, on the terminal's own line editor. Resolves when the owner has left. */
export async function runReader(parts: TuiParts, lines: LineSource): Promise<void> {
  const agent = new AgentStarter({
    start: parts.startAgent,
    clock: Date.now,
    say: (text) => reader.notice(text),
    failed: () => {},
  });
  const asks = lines.asksHidden ? [hiddenPromptCapability] : [];
  const client = connect(parts, [...asks, "output", "stream"]);
  const reader: Reader = new Reader({
    out: parts.out,
    home: parts.home,
    version: parts.version,
    clock: Date.now,
    readHidden: lines.readHidden,
    openSession: (listener) =>
      openSession(
        parts,
        client,
        both(listener, (event) => agent.observe(event)),
      ),
  });
  lines.start({
    onLines: (text, pasted) => reader.enter(text, pasted),
    onInterrupt: () => reader.interrupt(),
    onEnd: () => reader.leave(),
  });
  await reader.left;
  lines.stop();
  await client.close();
}

/** What reads the lines that a person types. */
export type LineSource = {
  /** Whether a person is there who can be asked for what programs hide. */
  readonly asksHidden: boolean;
  readonly start: (events: {
    readonly onLines: (text: string, pasted: boolean) => void;
    readonly onInterrupt: () => void;
    readonly onEnd: () => void;
  }) => void;
  readonly stop: () => void;
  /** Reads a line that is not shown, in the place of the others; null where the person refuses. */
  readonly readHidden: () => Promise<string | null>;
};

function connect(
  { socketPath, stateFolder, folder, newId }: TuiParts,
  capabilities: readonly string[],
): Client {
  return openClient({
    socketPath,
    port: null,
    secret: async () => readSecret(stateFolder),
    source: "tui",
    capabilities,
    workspace: folder,
    wait,
    newId,
    limits: wireLimits,
  });
}

type SessionListener = (event: SessionEvent) => void;

function openSession(
  { wanted, newId, terminal }: TuiParts,
  client: Client,
  listener: SessionListener,
): WireSession {
  return new WireSession({
    client,
    wanted,
    newId,
    listener,
    ...(terminal === undefined ? {} : { terminal }),
  });
}

function both(first: SessionListener, second: SessionListener): SessionListener {
  return (event) => {
    first(event);
    second(event);
  };
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
function sayGoodbye(app: App, { out, command, screen }: TuiParts, columns: number): void {
  // On the main screen it stands there already.
  const answer = screen.place === "main" ? "" : app.conversation.lastAnswer;
  const rows = lastAnswerRows(answer, columns, app.look);
  const left = rows.length - leftRows;
  const shown = rows.slice(0, leftRows);
  const more = left > 0 ? [`… ${left} more rows`] : [];
  if (rows.join("") !== "") out(`${[...shown, ...more].join("\n")}\n\n`);
  // Another terminal may have said something in this folder since.
  out(`Go on with: ${command} ${app.session === null ? "--continue" : `--session ${app.session}`}\n`);
}

function once(act: () => void): () => void {
  const done = { is: false };
  return () => {
    if (done.is) return;
    done.is = true;
    act();
  };
}
