import { archivist } from "./archivist.ts";
import { awareness } from "./awareness.ts";
import type { BuiltInSkill } from "./built-in-skill.ts";
import { configuration } from "./configuration.ts";
import { consensus } from "./consensus.ts";
import { delegation } from "./delegation.ts";
import { diagnostics } from "./diagnostics.ts";
import { dispatcher } from "./dispatcher.ts";
import { embeddings } from "./embeddings.ts";
import { environmentSteward } from "./environment-steward.ts";
import { evaluation } from "./evaluation.ts";
import { explorer } from "./explorer.ts";
import { files } from "./files.ts";
import { gardener } from "./gardener.ts";
import { identity } from "./identity.ts";
import { jobs } from "./jobs.ts";
import { mcpClient } from "./mcp-client.ts";
import { memory } from "./memory.ts";
import { modelProviders } from "./model-providers.ts";
import { org } from "./org.ts";
import { permissions } from "./permissions.ts";
import { policy } from "./policy.ts";
import { programmingCode } from "./programming-code.ts";
import { programmingLiterate } from "./programming-literate.ts";
import { programmingRepl } from "./programming-repl.ts";
import { programmingStandards } from "./programming-standards.ts";
import { review } from "./review.ts";
import { router } from "./router.ts";
import { scribe } from "./scribe.ts";
import { selfRepair } from "./self-repair.ts";
import { sessions } from "./sessions.ts";
import { shell } from "./shell.ts";
import { taughtSkills } from "./taught-skills.ts";
import { terminal } from "./terminal.ts";
import { time } from "./time.ts";
import { tokenEconomics } from "./token-economics.ts";
import { undo } from "./undo.ts";
import { validator } from "./validator.ts";
import { vault } from "./vault.ts";
import { web } from "./web.ts";

/** The skills of the program itself, a line each. */
export const builtInSkills: readonly BuiltInSkill[] = [
  identity,
  time,
  awareness,
  policy,
  permissions,
  dispatcher,
  vault,
  validator,
  files,
  undo,
  shell,
  terminal,
  environmentSteward,
  web,
  evaluation,
  programmingCode,
  programmingLiterate,
  programmingRepl,
  programmingStandards,
  org,
  memory,
  embeddings,
  modelProviders,
  router,
  explorer,
  consensus,
  tokenEconomics,
  configuration,
  delegation,
  diagnostics,
  sessions,
  review,
  gardener,
  archivist,
  jobs,
  mcpClient,
  taughtSkills,
  scribe,
  selfRepair,
];
