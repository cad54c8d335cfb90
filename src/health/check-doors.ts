import { describeDoor, doorStatusOf, statusMark } from "../doors/chat/door-status.ts";
import { openState } from "../memory/state/open-state.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import type { Policy } from "../settings/policy.ts";
import type { HealthCheck } from "./health-check.ts";

/**
 * Whether each door that is set up received within the last minutes, and what it could not send. Nothing is
 * said where none is.
 */
export async function checkDoors({ config, chatLinks, gatesHash }: Policy): Promise<readonly HealthCheck[]> {
  const fault = chatLinks.fault();
  if (fault !== null) return [{ name: "doors", result: "finding", text: fault }];
  if (config.doors.length === 0) return [];
  try {
    const { state: folder } = config.places;
    await using state = await openState({ folder, clock: Date.now, gates: gatesHash, access: "read" });
    const checks: HealthCheck[] = [];
    for (const door of config.doors) {
      const { isWell, text } = describeDoor(
        door,
        doorStatusOf(await state.chats.marks.get(door, statusMark)),
        Date.now(),
      );
      const { dead } = await state.chats.outbox.counts(door);
      const links = chatLinks.all().filter(({ service }) => service === door).length;
      checks.push({ name: "doors", result: isWell ? "ok" : "finding", text: `${door}: ${text}` });
      if (links === 0)
        checks.push({
          name: "doors",
          result: "finding",
          text: `${door}: no chat is linked. passepartout gateway link ${door} gives you a code there.`,
        });
      if (dead > 0)
        checks.push({
          name: "doors",
          result: "finding",
          text: `${door}: ${dead} messages could not be sent. passepartout gateway test ${door} tries the chats.`,
        });
    }
    return checks;
  } catch (error) {
    // There is no state before the first start, and what is wrong with one is told by its own check.
    if (error instanceof StateProblem) return [];
    throw error;
  }
}
