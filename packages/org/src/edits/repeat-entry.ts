import { literalPropertyOf } from "../outline/inherit.ts";
import type { Marker } from "./draft.ts";
import { findRepeatingTimestamps, type RepeatingTimestamp } from "./find-repeating.ts";
import { planned, removePlanning, removeStamps, stampOf } from "./planning.ts";
import { putProperty } from "./properties.ts";
import { type EditSession, headlineAt, type LogSettings, type Refusal } from "./session.ts";
import { shiftRepeating } from "./shift-timestamp.ts";

/** The state that a repeating entry returns to. */
export type Repeat = {
  readonly done: string;
  /** The state before it was done; an empty string if there was none. */
  readonly last: string;
  readonly repeatLog: LogSettings["repeat"];
  /** Sets the state that the next repetition starts with. */
  readonly back: (state: string | null) => void;
};

/** Repeats an entry: resets its state, shifts its repeating timestamps, and records the time. */
export function repeatEntry(session: EditSession, place: Marker, repeat: Repeat): Refusal {
  const first = nextRepeating(session, place, place.at);
  if (first === null || first.count === 0) return null;
  const { draft } = session;
  const { sectionEnd } = headlineAt(session, place);
  const end = draft.mark(sectionEnd);
  const logRepeat = repeat.repeatLog;
  repeat.back(firstState(session, place, repeat.last));
  removePlanning(session, place, "CLOSED");
  if (logRepeat !== null || headlineAt(session, place).clocks.length > 0) {
    putProperty(session, place, { name: "LAST_REPEAT", value: stampOf(session.now, "[]") });
  }
  if (logRepeat !== null && session.pending === null) {
    session.pending = {
      purpose: "state",
      state: repeat.done,
      previous: repeat.last,
      place,
    };
  }
  const scheduled = planned(draft.text, headlineAt(session, place), "SCHEDULED");
  if (scheduled !== null && !/[+]\d+[hdwmy]/.test(scheduled)) removeStamps(session, place, "SCHEDULED");
  return moveAll(session, place, end);
}

function moveAll(session: EditSession, place: Marker, end: Marker): Refusal {
  let from = place.at;
  for (
    let found = nextRepeating(session, place, from);
    found !== null;
    found = nextRepeating(session, place, from)
  ) {
    if (found.begin >= end.at) return null;
    const moved = shiftRepeating(session.draft, found, session.now);
    if (moved.refusal !== null) return moved.refusal;
    from = moved.end;
  }
  return null;
}

function firstState(session: EditSession, place: Marker, last: string): string | null {
  const wanted = literalPropertyOf(headlineAt(session, place).properties, "REPEAT_TO_STATE");
  if (wanted !== null && session.settings.todo.some(({ word }) => word === wanted)) return wanted;
  const state = session.settings.todo.find(({ word }) => word === last);
  if (state === undefined) return null;
  if (state.kind === "type") return last;
  return session.settings.todo.find(({ sequence }) => sequence === state.sequence)?.word ?? null;
}

function nextRepeating(session: EditSession, place: Marker, from: number): RepeatingTimestamp | null {
  const headline = headlineAt(session, place);
  return findRepeatingTimestamps(session.draft.text, headline, from);
}
