import type { Actuator } from "../../../act/actuators.ts";
import { makeMessageActuator } from "../../../act/built-in-actuators.ts";
import type { Source } from "../../../signal/signal.ts";

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
