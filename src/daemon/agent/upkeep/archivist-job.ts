import { countOf } from "../../../text/count-of.ts";
import type { UpkeepJob } from "../../jobs/upkeep-jobs.ts";
import { countProposed, describeProposed } from "../review/new-proposal.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";
import type { GardenJobParts } from "./garden-job.ts";

/** Proposes once a day to archive trees that have been done for ARCHIVE_AFTER days. */
export function archivistJob(parts: GardenJobParts, review: ReviewInbox): UpkeepJob {
  const looked = { day: "" };
  return {
    name: "archive",
    does: "proposes once a day to archive trees that were done ARCHIVE_AFTER days ago",
    async work() {
      const { notes, policy, clock } = parts;
      const days = policy.config.archiveAfter;
      const day = new Date(clock()).toDateString();
      if (days === 0 || looked.day === day) return null;
      looked.day = day;
      await notes.ready();
      if (notes.status().missing.length > 0) return null;
      const until = new Date(clock() - days * 86_400_000).toISOString().slice(0, 10);
      const { proposeDoneTrees } = await import("./archive-trees.ts");
      const why = `It has been done for ${days} days or more.`;
      const outcomes = await proposeDoneTrees(parts, review, { until, why });
      const count = countProposed(outcomes);
      const done = count === 0 ? null : `${countOf(count, "file")} proposed for archiving`;
      return describeProposed(done, outcomes);
    },
  };
}
