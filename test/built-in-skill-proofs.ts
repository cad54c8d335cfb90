/** A test that proves each built-in skill: `FILE › NAME`, by the name of the skill. */
export const builtInSkillProofs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    archivist:
      "test/review/archivist.test.ts › a done tree goes to its archive as Org writes it, is found by ID and search, and comes back by one command",
    awareness:
      "test/main-job/notes-in-the-prompt.test.ts › a note similar to the words is in the prompt with its subtree, and open projects as an outline",
    configuration:
      "test/main-job/changing-settings.test.ts › a setting is changed by words: the owner sees it before and after, and it is written after the yes",
    consensus:
      "test/main-job/consensus.test.ts › models that would do the same agree, whatever they say, and nothing asks",
    delegation:
      "test/main-job/delegating.test.ts › sub-tasks run side by side in sessions of their own, and their answers come back to the turn that pays for them",
    diagnostics:
      "test/command-line/doctor.test.ts › doctor on a healthy machine lists its checks and ends with 0",
    dispatcher:
      "test/main-job/flight-plans.test.ts › a job of several steps is asked once, each step runs as often as the plan says, and what differs asks",
    embeddings:
      "src/daemon/agent/models/open-own-semantic-index.test.ts › a note with another word for the query is found once its vector was made in the background",
    "environment-steward":
      "src/act/tools/shell/install-program.test.ts › what is missing is installed with the owner's yes to the very words that run, and the command that lacked it runs then",
    evaluation: "src/act/tools/code/eval.test.ts › the last value is returned as JSON, with the output",
    explorer:
      "test/main-job/list-models.test.ts › a question about models is answered by the table of the program, and no provider is asked for its list",
    files:
      "src/act/tools/files/edit-file.test.ts › the one passage is replaced and every other byte stays, whatever the encoding",
    gardener:
      "test/review/gardener.test.ts › the gardener proposes its repairs once a day where notes changed, and an accepted one changes only its lines",
    identity:
      "test/main-job/identity.test.ts › identity.org of the notes folder is in the prompt, else that of the configuration folder",
    jobs: "src/daemon/jobs/job-scheduler.test.ts › each job has exactly one outcome for each scheduled instant, whichever step a kill falls on, while the clock jumps a day either way, summer time begins and the zone changes",
    "mcp-client":
      "src/act/mcp/server-tools.test.ts › a call of a server on this machine reaches the hosts that it was granted, so that private text in it asks, also where the tool only reads",
    memory:
      "src/act/tools/notes/memory-tools.test.ts › a note goes to the end of the inbox, to memory, and its pre-image is kept",
    "model-providers":
      "test/main-job/providers.test.ts › a provider that refuses connections is passed over, and the next one answers",
    org: "src/act/tools/notes/edit-notes.test.ts › operations change their own lines and no other byte",
    permissions:
      "test/main-job/approvals.test.ts › the first call that asks suspends the turn with the results so far, and approval resumes it there",
    policy:
      "test/main-job/rules.test.ts › a rule is shown before it is kept, spares the same question from then on, and can be taken back",
    "programming-code":
      "src/act/tools/code/code-tools.test.ts › edit-code replaces or removes one declaration and no other byte, with the effects and the kept copy of a file edit",
    "programming-literate":
      "src/act/tools/code/tangle.test.ts › tangle writes each file with the effects of an edit, and again once its source is newer",
    "programming-repl":
      "src/act/tools/code/repl.test.ts › once private text went into a session, every later result is private, whatever the code names, until the session ends",
    "programming-standards":
      "test/main-job/code-standards.test.ts › a turn that changed code and ran no tests after it says so with the project's own command; one that did, or changed none, does not",
    review:
      "test/review/review-inbox.test.ts › a proposal is an entry of review.org, nothing changes before it is accepted, and one command takes it back",
    router:
      "src/reason/route/choose-route.test.ts › difficulty, size and who began a turn choose the model, and the first rule that matches decides",
    scribe:
      "test/main-job/scribe.test.ts › what was said and done is proposed once, accepted into the note of the day with links to its lines, and asks no model",
    "self-repair":
      "test/main-job/self-repair.test.ts › a skill that fails three times gets a fix that was tried, and nothing changes before the owner takes it",
    sessions:
      "test/main-job/session-list.test.ts › sessions are listed with their first words, named, forked with their past, and deleted with all that was said",
    shell:
      "src/act/tools/shell/shell.test.ts › each program of a line is an effect of its own, with its proof or the doubt",
    "taught-skills":
      "src/skills/open-skills.test.ts › a file of prose, TypeScript and tests is found, checked, tested and in force, and is called in its jail",
    terminal:
      "src/act/tools/shell/terminal.test.ts › a program that asks is answered by a further call, and what it changed is judged when it ends",
    time: "test/main-job/time-in-the-prompt.test.ts › each prompt tells the time of day, how long the session has lasted, and the next appointments",
    "token-economics":
      "src/memory/state/usage-of-ledger.test.ts › over any history the sums by day, job, skill, model and rule are the same, and those of all that was booked",
    undo: "test/main-job/taking-back.test.ts › a rollback to a snapshot from within a turn takes back only what the turn changed after it",
    validator: "src/gate/gates.test.ts › explanation: a proposal needs more than 10 characters of words",
    vault:
      "test/main-job/keeping-secrets.test.ts › a configured key that a person types never reaches a remote provider",
    web: "src/act/tools/fetch-url.test.ts › the effect names host, scheme, port and the addresses that stand in the URL, and is final",
  }),
);
