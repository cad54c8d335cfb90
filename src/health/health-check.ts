/** The result of one check. `finding` is something to know or to fix; `bad` makes the agent unhealthy. */
export type HealthCheck = {
  readonly name: string;
  readonly result: "ok" | "finding" | "bad";
  readonly text: string;
};
