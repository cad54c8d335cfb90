import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const jobs: BuiltInSkill = {
  ...everyTurn,
  name: "jobs",
  does: "runs the owner's jobs at their times",
  commands: ["jobs"],
  effects: [],
  cost: "what its models cost, capped for each run",
  test: "src/daemon/jobs/job-scheduler.test.ts › each job has exactly one outcome for each scheduled instant, whichever step a kill falls on, while the clock jumps a day either way, summer time begins and the zone changes",
};
