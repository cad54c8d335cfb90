import type { Policy } from "../../../settings/policy.ts";
import { type Delivery, doorKeys } from "../../../signal/actuator.ts";

/**
 * Tells the owner something in the chat of a session, or else where the owner is told what belongs to none.
 */
export type TellByDoor = (session: string, text: string) => Promise<Delivery>;

/** The doors as channels to the owner. */
export type DoorChannels = {
  /** The doors that are set up: the same list as long as that does not change. */
  readonly setUp: () => readonly string[];
  /** Whether a door is open here and leads to a chat that the owner linked. */
  readonly isReachable: (door: string) => boolean;
  readonly tell: (door: string, ...words: Parameters<TellByDoor>) => Promise<Delivery>;
  /** A door opened. Returns what notes that it closed. */
  readonly attach: (door: string, tell: TellByDoor) => () => void;
};

/** Begins with every door closed. */
export function openDoorChannels({ config, chatLinks }: Pick<Policy, "config" | "chatLinks">): DoorChannels {
  const open = new Map<string, TellByDoor>();
  const known: { names: readonly string[]; doors: readonly string[] } = { names: [], doors: [] };
  const isReachable = (door: string): boolean =>
    open.has(door) && chatLinks.all().some(({ service, kind }) => service === door && kind === "private");
  return {
    setUp() {
      const { names } = config.vault.status();
      if (names.join() !== known.names.join()) {
        known.names = names;
        known.doors = [...doorKeys].flatMap(([door, key]) => (names.includes(key) ? [door] : []));
      }
      return known.doors;
    },
    isReachable,
    async tell(door, session, text) {
      const tell = open.get(door);
      if (tell !== undefined && isReachable(door)) return tell(session, text);
      const reason =
        tell === undefined
          ? `the door ${door} is not open in this process: it is open in a daemon`
          : `no private chat of ${door} is linked: passepartout gateway link ${door}`;
      return { delivered: false, reason };
    },
    attach(door, tell) {
      open.set(door, tell);
      return () => void open.delete(door);
    },
  };
}
