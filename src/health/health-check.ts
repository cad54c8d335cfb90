/** One thing that was looked at. `finding` is a thing to know or mend; `bad` makes the agent unhealthy. */
export type HealthCheck = {
  readonly name: string;
  readonly result: "ok" | "finding" | "bad";
  readonly text: string;
};
