import type { StandingJob } from "../../signal/jobs/standing-job.ts";
import type { Beats } from "./beats.ts";

/** The heartbeat and the saving of turns. `lastSaved` gives when a turn was saved last. */
export function standingJobs(beats: Beats, lastSaved: () => Promise<number | null>): readonly StandingJob[] {
  return [
    {
      name: "auto-save",
      does: "keeps what you say and each step of the agent on the disk",
      when: "at each step of a turn, before the next one begins",
      last: lastSaved,
      next: () => null,
      run: async () => ({
        ok: true,
        text: "All that was said and done is on the disk already: each step is saved before the next one begins.",
      }),
      whyNotPaused: "auto-save cannot be paused: what was said and done would be lost if the program ended.",
      log: "auto-save leaves no lines of its own: passepartout sessions lists the sessions that it saved, and passepartout journal what was done.",
    },
    {
      name: "heartbeat",
      does: "finds the jobs that are due",
      when: "at each HEARTBEAT_INTERVAL while the daemon runs",
      last: async () => beats.last(),
      next: beats.next,
      async run() {
        if (beats.next() === null)
          return {
            ok: false,
            text: "There is no heartbeat without a daemon: passepartout daemon starts it.",
          };
        await beats.beat();
        return {
          ok: true,
          text: "The jobs that are due were begun. passepartout jobs log shows their results.",
        };
      },
      whyNotPaused: "heartbeat cannot be paused: pause the jobs that it begins, each by its name.",
      log: "heartbeat leaves no lines of its own: passepartout jobs log shows what it began.",
    },
  ];
}
