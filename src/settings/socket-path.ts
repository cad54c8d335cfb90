import { join } from "node:path";
import type { Policy } from "./policy.ts";

/** The socket of this user's agent. */
export function socketPathOf({ config }: Policy): string {
  return join(config.places.runtime, "passepartout.sock");
}

/** The port of a daemon on 127.0.0.1, where none is given. */
export const standardPort = 9105;
