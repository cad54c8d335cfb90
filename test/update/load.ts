import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "../agent-world.ts";
import { openTalker, type Talker } from "../daemon/talker.ts";
import type { Step } from "../loopback-provider.ts";

/** Where a load asks: the installed command, and the folders of its user. */
export type LoadPlace = {
  readonly command: string;
  readonly state: string;
  readonly workspace: string;
  readonly environment: NodeJS.ProcessEnv;
};

/** Something that was said to the program, and what came of it for whoever said it. */
export type Said = {
  readonly words: string;
  readonly by: "ask" | "cli" | "client" | "job";
  readonly answered: boolean;
  /** What the program printed instead of an answer. */
  readonly trouble: string;
};

/** People and jobs that ask without a pause, until they are stopped. */
export type Load = {
  /** How many answers came so far. */
  readonly answers: () => number;
  /** Lets each get the answer that it waits for, and gives all that was said. */
  readonly stop: () => Promise<readonly Said[]>;
};

/** Milliseconds after which an answer that did not come is lost. */
const patience = 90_000;
/** Milliseconds between an answer and the next words. */
const rest = 400;

/** What is said to the program has this form, so that the provider knows what to answer. */
const saying = /say-\w+-\w+ \d+/g;

/** The words that a request is about: those that the person said last. */
export function wordsOf(body: string): string {
  const last = messagesOf(body).findLast(({ role }) => role === "user");
  return JSON.stringify(last).match(saying)?.at(-1) ?? "nothing";
}

function messagesOf(body: string): readonly { readonly role: string }[] {
  return (JSON.parse(body) as { messages: readonly { role: string }[] }).messages;
}

/**
 * The answer of the provider: to every third word it first calls tools, of which each loads a part of the
 * program.
 */
export function answerTo(body: string): Step {
  const words = wordsOf(body);
  const works = Number(words.split(" ")[1]) % 3 === 2 && messagesOf(body).at(-1)?.role === "user";
  if (works) return { ...calls(...work), pauseMs: 60 };
  return { text: ["Answer ", `to ${words}`, "."], pauseMs: 20 + Math.random() * 200 };
}

const work = [
  ["shell", { cmd: "ls -l | head -1" }],
  ["eval", { code: "6 * 7" }],
  ["search-files", { pattern: "made" }],
] as const;

/**
 * Begins to ask: by `ask` twice at once, in an open conversation, over the wire, and by a job where `job`
 * names one.
 */
export function startLoad(place: LoadPlace, name: string, job: string | null): Load {
  const said: Said[] = [];
  const stopping = new AbortController();
  const goesOn = (): boolean => !stopping.signal.aborted;
  const talker = openTalker(place);
  const workers = [
    askOften({ place, goesOn, said, by: "ask", words: (count) => `say-${name}-first ${count}` }),
    askOften({ place, goesOn, said, by: "ask", words: (count) => `say-${name}-second ${count}` }),
    converse(place, { goesOn, said, words: (count) => `say-${name}-open ${count}` }),
    talk(talker, { goesOn, said, words: `say-${name}-wire` }),
    ...(job === null ? [] : [askOften({ place, goesOn, said, by: "job", words: () => job })]),
  ];
  return {
    answers: () => said.filter(({ answered }) => answered).length,
    async stop() {
      stopping.abort();
      await Promise.all(workers);
      return said;
    },
  };
}

type Asking = {
  readonly place: LoadPlace;
  readonly goesOn: () => boolean;
  readonly said: Said[];
  readonly by: "ask" | "job";
  readonly words: (count: number) => string;
};

/** Starts the command for each question, or for each run of a job. */
async function askOften({ place, goesOn, said, by, words }: Asking): Promise<void> {
  for (let count = 0; goesOn(); count += 1) {
    const saying = words(count);
    const args = by === "ask" ? ["ask", saying] : ["jobs", "run", saying];
    const { code, text } = await runToEnd(place, args);
    const answered = by === "ask" ? text.includes(`Answer to ${saying}.`) : code === 0;
    said.push({ words: saying, by, answered, trouble: answered ? "" : `exit ${code}: ${text.trim()}` });
    await pause(rest);
  }
}

/** Runs the installed command; one that cannot be started, as while npm replaces it, has no code. */
export async function runToEnd(
  { command, workspace, environment }: LoadPlace,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = spawn(command, args, { cwd: workspace, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const output = collect(child);
  const late = setTimeout(() => child.kill("SIGKILL"), patience);
  try {
    await once(child, "close");
    return { code: child.exitCode, text: output() };
  } catch (error) {
    return { code: null, text: String(error) };
  } finally {
    clearTimeout(late);
  }
}

type Talking = { readonly goesOn: () => boolean; readonly said: Said[] };

/** An open conversation of the installed command: the next words follow the answer. */
async function converse(
  { command, workspace, environment }: LoadPlace,
  { goesOn, said, words }: Talking & { readonly words: (count: number) => string },
): Promise<void> {
  const child = spawn(command, ["cli"], { cwd: workspace, env: environment, stdio: "pipe" });
  child.stdin.on("error", () => child.stdin.destroy());
  const output = collect(child);
  for (let count = 0; goesOn(); count += 1) {
    const from = output().length;
    child.stdin.write(`${words(count)}\n`);
    const isThere = (): boolean =>
      output()
        .slice(from)
        .includes(`Answer to ${words(count)}.`);
    const end = performance.now() + patience;
    while (!isThere() && child.exitCode === null && performance.now() < end) await pause(20);
    const trouble = isThere() ? "" : `exit ${child.exitCode}: ${output().slice(from).trim()}`;
    said.push({ words: words(count), by: "cli", answered: isThere(), trouble });
    if (child.exitCode !== null) return;
    await pause(rest);
  }
  child.stdin.end();
  await once(child, "close");
}

/** A client over the wire that comes back by itself. */
async function talk(
  talker: Talker,
  { goesOn, said, words }: Talking & { readonly words: string },
): Promise<void> {
  await talker.ready;
  for (let count = 0; goesOn(); count += 1) {
    const text = `${words} ${count}`;
    talker.send("wire", text);
    const isThere = (): boolean => talker.texts().includes(`Answer to ${text}.`);
    const end = performance.now() + patience;
    while (!isThere() && performance.now() < end) await pause(20);
    said.push({ words: text, by: "client", answered: isThere(), trouble: talker.texts().slice(-1).join() });
    await pause(rest);
  }
  await talker.close();
}

function collect(child: ChildProcess): () => string {
  const kept = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      kept.text += piece;
    });
  return () => kept.text;
}
