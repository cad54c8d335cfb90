/** How much a model thinks before it answers. */
export type Effort = (typeof efforts)[number];

/** All of them. */
export const efforts = ["off", "low", "medium", "high"] as const;
