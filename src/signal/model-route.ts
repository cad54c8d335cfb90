import type { ChosenModel } from "./chosen-model.ts";

/** Which models a turn asks, and what decided so. A turn under way keeps its own. */
export type ModelRoute = {
  /** `/model`, `COGNITION_MODEL`, `heartbeat`, or the rules of `MODEL_ROUTES` as the owner wrote them. */
  readonly by: string;
  /** In the order in which they are asked; empty where the reflex engine answers. */
  readonly asked: readonly ChosenModel[];
  /** Whether it was decided for private text. */
  readonly isPrivate: boolean;
};

/** Names a model as a person writes it: `PROVIDER`, or `PROVIDER/MODEL`. */
export function nameOfModel({ provider, model }: ChosenModel): string {
  return model === null ? provider : `${provider}/${model}`;
}
