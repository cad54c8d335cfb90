/** How often a run of a job may call models and tools, with its sub-tasks; null where nothing limits that. */
export type CallCaps = { readonly models: number | null; readonly tools: number | null };

/** The code of a call that was not made because those that may be made were made. */
export const callsUsedUp = "calls-used-up";

/** The code of a call that asks in a turn that nobody started. */
export const needsOwner = "needs-owner";

export const noCallCaps: CallCaps = { models: null, tools: null };

/** The property of a job that says how often it calls. */
export const callProperties: Readonly<Record<keyof CallCaps, string>> = {
  models: "MODEL_CALLS",
  tools: "TOOL_CALLS",
};

/** That a job made the calls that a run may make, and how that is changed. */
export function describeUsedUp(job: string, kind: keyof CallCaps, most: number): string {
  const times = most === 1 ? "once" : `${most} times`;
  return `A run of the job ${job} may call ${kind} ${times}, and its calls are used up. ${callProperties[kind]} of its entry in jobs.org says how often.`;
}
