import { matchesGlob } from "node:path";
import type { EventFact, Hook } from "../../signal/jobs/job-event.ts";

/** Whether a hook waits for an event. A glob without a slash matches names in any folder. */
export function matchesHook({ name, about }: Hook, fact: Pick<EventFact, "name" | "subject">): boolean {
  if (name !== fact.name) return false;
  if (about === null) return true;
  if (name === "job-failed") return about === fact.subject;
  return matchesGlob(fact.subject, about.includes("/") ? about : `**/${about}`);
}
