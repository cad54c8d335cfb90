import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { exploreCascade } from "../../reason/providers/explore-models.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { modelsSpec } from "./command-specs.ts";
import { explainRoute, type RouteExplanation } from "./explain-route.ts";

/** Milliseconds for all providers together. */
const patience = 60_000;

/** Lists the models of the providers, or says which would answer some words. Exit code 1 where no provider is set up, or none answers. */
export async function modelsCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, modelsSpec);
  const start = makeStartContext(io);
  if (verb === "route") {
    const tier = modelsSpec.options.tier.values.find((one) => one === (values.tier ?? "reasoning"));
    if (tier === undefined)
      throw usageError("--tier is none of reflex, cognition and reasoning.", modelsSpec);
    const job = values.job === undefined ? null : { name: values.job, tier };
    const route = await explainRoute(start, { words: words.join(" "), job });
    io.out(values.json ? `${JSON.stringify(route)}\n` : escapeForTerminal(`${describeRoute(route)}\n`));
    return exitCodes.done;
  }
  const { found, words: told } = await exploreOwnModels(start, AbortSignal.timeout(patience));
  if (values.json) io.out(`${JSON.stringify(found)}\n`);
  else if (found.length > 0) io.out(`${told}\n`);
  if (found.length === 0) io.err("No provider is set up. passepartout setup sets one up.\n");
  return found.some(({ problem }) => problem === null) ? exitCodes.done : exitCodes.failed;
}

function describeRoute({ asked, rule, hard, private: isPrivate }: RouteExplanation): string {
  const answer =
    asked.length === 0 ? "No model: the reflex engine answers." : `Asked: ${asked.join(", then ")}.`;
  return [
    answer,
    rule === null ? "By the order of PROVIDER_CASCADE: no rule of MODEL_ROUTES matches." : `By ${rule}.`,
    hard.length === 0 ? "The words are easy." : `The words are hard: ${hard.join(", ")}.`,
    ...(isPrivate ? ["Private text is in them, or goes with them."] : []),
  ].join("\n");
}

/**
 * Asks the providers of the cascade for their models, and tells them in words too. Sends nothing but the
 * keys.
 */
async function exploreOwnModels(start: StartContext, cancel: AbortSignal) {
  return exploreCascade(loadPolicy(start.environment).config, cancel);
}
