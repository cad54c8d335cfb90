import type { Actuator } from "../../../act/actuators.ts";
import { makeMessageActuator } from "../../../act/built-in-actuators.ts";
import type { Source } from "../../../signal/signal.ts";
import type { DoorChannels } from "../resources/door-channels.ts";

/** The clients of the wire. Each is reached only in the turns that came over it. */
const clients: readonly Source[] = ["cli", "tui", "emacs"];

/**
 * The actuators that reach the clients of the wire. `show` gives false where a session has none on the
 * channel.
 */
export function clientActuators(
  show: (session: string, channel: Source, text: string) => boolean,
): readonly Actuator[] {
  return clients.map((name) =>
    makeMessageActuator({
      name,
      serves: ({ source }) => source === name,
      tell: async (session, text) =>
        show(session, name, text)
          ? { delivered: true }
          : { delivered: false, reason: `no client of ${name} is connected` },
    }),
  );
}

/**
 * The actuators of the doors that are set up, the same list as long as these are the same. Each tells the
 * owner alone, and is offered where it is open.
 */
export function doorActuators({ setUp, isReachable, tell }: DoorChannels): () => readonly Actuator[] {
  const made: { of: readonly string[]; actuators: readonly Actuator[] } = { of: [], actuators: [] };
  return () => {
    const names = setUp();
    if (names === made.of) return made.actuators;
    made.of = names;
    made.actuators = names.map((name) =>
      makeMessageActuator({
        name,
        reaches: "owner",
        serves: () => isReachable(name),
        tell: (session, text) => tell(name, session, text),
      }),
    );
    return made.actuators;
  };
}
