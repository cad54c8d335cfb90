import { backupFeature } from "../features/backup/feature.ts";
import { configureFeature } from "../features/configure/feature.ts";
import { gatewayFeature } from "../features/gateway/feature.ts";
import { healthFeature } from "../features/health/feature.ts";
import { inspectFeature } from "../features/inspect/feature.ts";
import { jobsFeature } from "../features/jobs/feature.ts";
import { notesFeature } from "../features/notes/feature.ts";
import { plansFeature } from "../features/plans/feature.ts";
import { reviewFeature } from "../features/review/feature.ts";
import { serversFeature } from "../features/servers/feature.ts";
import { sessionsFeature } from "../features/sessions/feature.ts";
import { skillsFeature } from "../features/skills/feature.ts";
import { upkeepFeature } from "../features/upkeep/feature.ts";
import { serviceFeature } from "../features/user-service/feature.ts";
import { vaultFeature } from "../features/vault/feature.ts";
import type { Feature } from "../kernel/feature.ts";

/**
 * The features of the program, in the order of its help. One that is taken out of the list is gone from it.
 */
export const features: readonly Feature[] = [
  sessionsFeature,
  configureFeature,
  vaultFeature,
  skillsFeature,
  serversFeature,
  gatewayFeature,
  notesFeature,
  inspectFeature,
  upkeepFeature,
  reviewFeature,
  plansFeature,
  jobsFeature,
  healthFeature,
  serviceFeature,
  backupFeature,
];
