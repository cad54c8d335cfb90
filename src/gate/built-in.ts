import { budget } from "./budget.ts";
import { consensus } from "./consensus.ts";
import { destruction } from "./destruction.ts";
import { evaluation } from "./evaluation.ts";
import { explanation } from "./explanation.ts";
import { extent } from "./extent.ts";
import { externalServices } from "./external-services.ts";
import { health } from "./health.ts";
import { hosts } from "./hosts.ts";
import { informationFlow } from "./information-flow.ts";
import type { Gates } from "./judge.ts";
import { liftsPrivacy } from "./lifts-privacy.ts";
import { memoryChanges } from "./memory-changes.ts";
import { messageValidity } from "./message-validity.ts";
import { modelCalls } from "./model-calls.ts";
import { paths } from "./paths.ts";
import { persons } from "./persons.ts";
import { privateText } from "./private-text.ts";
import { programs } from "./programs.ts";
import { repetition } from "./repetition.ts";
import { secretFilter } from "./secret-filter.ts";
import { skillCapabilities } from "./skill-capabilities.ts";
import { skillNarrowing } from "./skill-narrowing.ts";
import { subTaskLimits } from "./sub-task-limits.ts";
import { syntax } from "./syntax.ts";
import { taughtGates } from "./taught-gates.ts";
import { toolPermissions } from "./tool-permissions.ts";
import { unprovedPerson } from "./unproved-person.ts";
import { unreadWords } from "./unread-words.ts";

/** The gates that are always in force. Each kind of effect has one owner gate; the compiler checks that none is missing. */
export const builtInGates: Gates = {
  owners: {
    "read-path": paths,
    "write-path": paths,
    "delete-path": paths,
    "run-program": programs,
    "reach-host": hosts,
    "tell-person": persons,
    "call-model": modelCalls,
    "change-memory": memoryChanges,
    evaluate: evaluation,
    "use-service": externalServices,
  },
  others: [
    messageValidity,
    health,
    unprovedPerson,
    toolPermissions,
    explanation,
    destruction,
    informationFlow,
    secretFilter,
    privateText,
    liftsPrivacy,
    budget,
    syntax,
    skillCapabilities,
    skillNarrowing,
    subTaskLimits,
    taughtGates,
    consensus,
    repetition,
    unreadWords,
    extent,
  ],
};
