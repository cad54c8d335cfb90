/** What drafting a skill is booked on. */
export const draftingJob = "skill-new";

/** What the owner is told where the program ended while a model drafted. */
export function cutOffDraft(name: string): string {
  return `Passepartout ended while a model drafted the skill ${name}. Nothing was written, and nothing is in force. To have it drafted: passepartout skill new ${name} with the same words`;
}
