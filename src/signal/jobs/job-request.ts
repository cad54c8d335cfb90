/** What the owner wants of a job. `log` without a name shows the runs of all jobs. */
export type JobRequest =
  | { readonly verb: "list" }
  | { readonly verb: "log"; readonly name: string | null }
  | { readonly verb: "run" | "pause" | "resume" | "add" | "remove" | "dismiss"; readonly name: string };

/** The request of a verb and a name; null where they are none. */
export function jobRequestOf(verb: string, name: string | null): JobRequest | null {
  switch (verb) {
    case "list":
      return name === null ? { verb } : null;
    case "log":
      return { verb, name };
    case "run":
    case "pause":
    case "resume":
    case "add":
    case "remove":
    case "dismiss":
      return name === null ? null : { verb, name };
    default:
      return null;
  }
}
