import { backupFeature } from "../features/backup/feature.ts";
import { serviceFeature } from "../features/user-service/feature.ts";
import type { Feature } from "../kernel/feature.ts";

/** The features of the program. One that is taken out of the list is gone from it. */
export const features: readonly Feature[] = [serviceFeature, backupFeature];
