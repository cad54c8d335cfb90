/** What the owner is told of a job that works in no folder, with what gives it one. */
export function describeFolderless(job: string): string {
  return `It works in no folder. To give it one, write ':FOLDER: DIR' into the properties of its entry in jobs.org, then: passepartout jobs add ${job}`;
}
