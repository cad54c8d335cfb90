import type { Effect } from "../signal/effect.ts";
import { sampleEffects } from "./sample-action.ts";

/** One harmless effect of each kind, as a list. */
export const allSampleEffects: readonly Effect[] = Object.values(sampleEffects);
