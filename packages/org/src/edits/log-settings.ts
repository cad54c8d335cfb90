import type { FileSettings } from "../outline/outline.ts";
import type { LogSettings } from "./session.ts";

type Draft = { -readonly [Key in keyof LogSettings]: LogSettings[Key] };

/** The logging settings: the caller's defaults, overridden by the file's keywords. */
export function readLogSettings(
  { startup, todo }: FileSettings,
  given: { readonly intoDrawer: boolean; readonly done: "time" | "note" | null },
): LogSettings {
  const log: Draft = {
    done: given.done,
    repeat: "time",
    reschedule: null,
    redeadline: null,
    refile: null,
    intoDrawer: given.intoDrawer,
    reversed: true,
    states: new Map(
      todo.filter(({ enter, leave }) => enter !== null || leave !== null).map((state) => [state.word, state]),
    ),
  };
  for (const word of startup) applyWord(log, word);
  return log;
}

/** The logging settings of an entry with a `LOGGING` property: only what it names. */
export function localLogging(log: LogSettings, value: string): LogSettings {
  const said = value.split(/\s+/);
  const local: Draft = { ...log, done: null, repeat: null };
  for (const word of said) if (/^(?:no)?log(?:note)?(?:done|repeat)$/.test(word)) applyWord(local, word);
  const states = said.flatMap((word) => {
    const [, state, enter, leave] = /^(.+?)\([^!@/]?([!@])?(?:\/([!@]))?\)$/.exec(word) ?? [];
    return state === undefined ? [] : [[state, { enter: mark(enter), leave: mark(leave) }] as const];
  });
  return { ...local, states: new Map(states) };
}

function mark(character: string | undefined): "note" | "time" | null {
  return character === undefined ? null : character === "@" ? "note" : "time";
}

function applyWord(log: Draft, written: string): void {
  switch (written) {
    case "logdone":
      log.done = "time";
      break;
    case "lognotedone":
      log.done = "note";
      break;
    case "nologdone":
      log.done = null;
      break;
    case "logrepeat":
      log.repeat = "state";
      break;
    case "lognoterepeat":
      log.repeat = "note";
      break;
    case "nologrepeat":
      log.repeat = null;
      break;
    case "logdrawer":
    case "nologdrawer":
      log.intoDrawer = written === "logdrawer";
      break;
    case "logstatesreversed":
    case "nologstatesreversed":
      log.reversed = written === "logstatesreversed";
      break;
    default:
      applyMoves(log, written);
  }
}

function applyMoves(log: Draft, written: string): void {
  const [, no, note, which] = /^(no)?log(note)?(reschedule|redeadline|refile)$/.exec(written) ?? [];
  const how = no === undefined ? (note === undefined ? "time" : "note") : null;
  if (which === "reschedule" || which === "redeadline" || which === "refile") log[which] = how;
}
