/** What may begin a job besides its schedule. */
export const eventNames = [
  "turn-ended",
  "session-began",
  "day-began",
  "job-failed",
  "heartbeat",
  "note-changed",
  "file-changed",
] as const;
export type EventName = (typeof eventNames)[number];

/** An event that a job waits for: `file-changed:src/**` has the rest of its words in `about`. */
export type Hook = { readonly name: EventName; readonly about: string | null };

/** Something that happened. */
export type EventFact = {
  readonly name: EventName;
  /** The folder, or the notes, that it happened in; left out for what has no place. */
  readonly place?: string;
  /** What it is about: a path, the name of a job, the id of a turn; empty for what is about nothing. */
  readonly subject: string;
  /** The same for the same event, however often it is noticed. */
  readonly key: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The jobs whose runs led to it, the first one first. */
  readonly chain: readonly string[];
};

/** The events of a run. `more` counts those that are not listed. */
export type RunEvents = {
  readonly listed: readonly Pick<EventFact, "name" | "subject">[];
  readonly more: number;
  readonly chain: readonly string[];
};

const longestHook = 200;
const mostHooks = 10;
/** A glob has no groups, and few stars: it is tried on each path that changes. */
const glob = /^(?:[^*()!|@+]*\*{1,2}){0,6}[^*()!|@+]*$/;
/** What the words behind an event are, where there may be some. */
const abouts: Readonly<Partial<Record<EventName, RegExp>>> = {
  "file-changed": glob,
  "note-changed": glob,
  "job-failed": /^[a-z][a-z0-9-]{0,39}$/,
};

/** Reads events, with blanks between them; says in words what is wrong with the first that is none. */
export function readHooks(words: string): readonly Hook[] | string {
  const all = words.split(/\s+/).filter((word) => word !== "");
  if (all.length > mostHooks) return `it has more than ${mostHooks} events`;
  const hooks: Hook[] = [];
  for (const word of all) {
    const hook = readHook(word);
    if (typeof hook === "string") return hook;
    hooks.push(hook);
  }
  return hooks;
}

function readHook(word: string): Hook | string {
  const [, head = word, about = null] = /^([^:]*):(.*)$/.exec(word) ?? [];
  const name = eventNames.find((one) => one === head);
  if (name === undefined) return `'${head}' is no event; events are ${eventNames.join(", ")}`;
  if (name === "file-changed" && about === null)
    return "file-changed names files of its FOLDER, as in file-changed:src/**";
  if (about === null) return { name, about };
  const form = abouts[name];
  if (about === "" || word.length > longestHook || form === undefined || !form.test(about))
    return `'${word}' cannot be read: ${form === glob ? "write a path with * and **, without groups" : `write ${name}${form === undefined ? "" : " or the name of a job behind it"}`}`;
  return { name, about };
}

/** A hook as it is written. */
export function printHook({ name, about }: Hook): string {
  return about === null ? name : `${name}:${about}`;
}
