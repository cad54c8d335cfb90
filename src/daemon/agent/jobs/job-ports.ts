import type { ReadJob } from "../../../notes/own-jobs.ts";
import { bottomLabel, type LabelledValue } from "../../../signal/label.ts";
import type { Caller } from "../../../signal/tool.ts";
import type { Json } from "../../../text/json.ts";
import type { JobCommandParts } from "../../commands/job-commands.ts";
import type { OwnerCommandParts } from "../../commands/owner-commands.ts";
import type { ReviewCommandParts } from "../../commands/review-commands.ts";
import type { AgentJobs } from "../../jobs/agent-jobs.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { findWorkspace } from "../resources/take-workspace.ts";
import type { DryRunParts } from "./dry-run-job.ts";
import { readWrittenJobsFile } from "./jobs-file.ts";

/** What commands need of the jobs of the agent, and what proposes something at the owner's request. */
export type OwnJobs = Pick<AgentJobs, "runNow" | "resume" | "keep" | "remove"> &
  Dismissing &
  Proposing &
  Reflexes &
  Pick<JobCommandParts["jobs"], "standing"> & {
    /** Takes what the owner forgot out of what the program writes for itself. */
    readonly forgotten: () => Promise<void>;
  };

/** Judges the lines of a reflex job beforehand. */
export type JudgeAhead = JobCommandParts["judgeAhead"];

/** Jobs that became reflexes, or may. */
export type Reflexes = {
  /** Applies what the owner accepted or undid. */
  readonly settleReflexes: () => Promise<void>;
  /** Sets the judge of rules, once there is one. */
  readonly judgeBy: (judgeAhead: JudgeAhead) => void;
};

/** Removes the failures of a job from the agenda and the review inbox. */
export type Dismissing = Pick<JobCommandParts["jobs"], "dismiss">;

/** Proposes archiving and drafts a skill at the owner's request. */
type Proposing = Pick<ReviewCommandParts, "proposeArchiving"> & Pick<OwnerCommandParts, "draftSkill">;

/** What commands about jobs need of this machine. */
export function makeJobPorts(
  resources: Pick<LoopResources, "policy" | "state" | "skills" | "report">,
  preparer: DryRunParts["preparer"],
  jobs: JobCommandParts["jobs"] & Proposing,
): Omit<JobCommandParts, "state" | "journal"> & Proposing {
  const { policy, skills } = resources;
  const { home } = policy.folders;
  return {
    jobs,
    proposeArchiving: jobs.proposeArchiving,
    draftSkill: jobs.draftSkill,
    async writtenJobs() {
      const own = (await readWrittenJobsFile(resources)) ?? [];
      await skills.refresh();
      const inForce = skills.inForce().filter(({ head }) => head.job !== undefined);
      if (inForce.length === 0) return oneOfEach(own);
      const { jobsOfSkills } = await import("./jobs-of-skills.ts");
      return oneOfEach([...own, ...jobsOfSkills(inForce)]);
    },
    scheduleProblem: async (cron, zone) => {
      const { readSchedule } = await import("../../jobs/cron.ts");
      const read = readSchedule(cron, zone ?? "UTC");
      if (!read.ok) return read.problem;
      return read.next(Date.now()) === null ? `'${cron}' never comes.` : null;
    },
    workspaceOf: (folder) => findWorkspace(folder.replace(/^~(?=\/|$)/, home), home),
    judgeAhead: async (line, { session, workspace, steps, label }) => {
      const { dryRunLine } = await import("./dry-run-job.ts");
      const caller = callerOf(session, workspace, new Map([["line", { value: line, label }]]));
      return dryRunLine({ preparer, policy, now: Date.now() }, line, { caller, steps, label });
    },
    planSteps: async (words, { session, workspace }) => {
      if (words.length === 0) return { ok: true, steps: [] };
      const prepared = await preparer.prepare(
        {
          target: "tool",
          payload: { tool: "allow-steps", args: { lines: [...words] } },
          explanation: "The owner allows the steps of a job.",
        },
        callerOf(session, workspace, new Map(words.map((value, at) => [`step ${at + 1}`, typed(value)]))),
        [],
      );
      if (!prepared.ok) return { ok: false, message: prepared.message };
      const steps = prepared.effects.flatMap((effect) =>
        effect.kind === "change-memory" ? (effect.plan?.steps ?? []) : [],
      );
      return { ok: true, steps };
    },
  };
}

/** Replaces entries with the same name by a problem: it is not known which of them is meant. */
function oneOfEach(read: readonly ReadJob[]): readonly ReadJob[] {
  const nameOf = (one: ReadJob): string => (one.ok ? one.job.name : one.name);
  const times = new Map<string, number>();
  for (const one of read) times.set(nameOf(one), (times.get(nameOf(one)) ?? 0) + 1);
  const known = new Set<string>();
  return read.flatMap((one): readonly ReadJob[] => {
    const name = nameOf(one);
    const count = times.get(name) ?? 1;
    if (count === 1) return [one];
    if (known.has(name)) return [];
    known.add(name);
    return [{ ok: false, name, problem: `there are ${count} jobs of this name` }];
  });
}

function typed(value: string): LabelledValue<Json> {
  return { value, label: bottomLabel };
}

/** The owner, with what they approve. */
function callerOf(session: string, workspace: string | null, known: Caller["known"]): Caller {
  return {
    turn: `job ${session}`,
    session,
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace,
    known,
    promptLabel: bottomLabel,
  };
}
