import { doorKeys, ownChannels } from "../signal/actuator.ts";
import type { ReadSetting } from "./read-setting.ts";
import { channelSchema, settingTable } from "./setting-table.ts";
import type { Vault } from "./vault.ts";

/** How the owner is reached. */
export type DoorConfig = {
  /** The doors whose keys the vault has: they are set up. */
  readonly doors: readonly string[];
  /**
   * Where messages to the owner go that belong to no client: a client of the wire, or a door that is set up.
   */
  readonly defaultActuator: string;
  /** The command line that listens to voice notes; `{}` stands for the note. Null where nobody does. */
  readonly transcribeCommand: string | null;
  /**
   * Tests alone: the address of a service on this machine in the place of Telegram's; null for Telegram's.
   */
  readonly telegramAddress: string | null;
  /**
   * Whether a question in a chat may say at once what it is about, and so stand on the lock screen of a
   * phone.
   */
  readonly lockScreen: boolean;
};

/** Reads them. The names in a vault can be read while it is locked. */
export function readDoorSettings(read: ReadSetting, vault: Pick<Vault, "status">): DoorConfig {
  const { names } = vault.status();
  const doors = [...doorKeys].flatMap(([door, key]) => (names.includes(key) ? [door] : []));
  const { fallback } = settingTable.DEFAULT_ACTUATOR;
  const schema = channelSchema([...ownChannels, ...doors]);
  return {
    doors,
    defaultActuator: read("DEFAULT_ACTUATOR", { schema, fallback }),
    transcribeCommand: read<string | null>("TRANSCRIBE_COMMAND", settingTable.TRANSCRIBE_COMMAND),
    telegramAddress: read<string | null>("TELEGRAM_ADDRESS", settingTable.TELEGRAM_ADDRESS),
    lockScreen: read("QUESTIONS_ON_LOCK_SCREEN", settingTable.QUESTIONS_ON_LOCK_SCREEN),
  };
}
