/** What drafting a skill is booked on. */
export const draftingJob = "skill-new";
