import { runFromArguments } from "../kill/run-kills.ts";
import { killDaemon } from "./kill-daemon.ts";

// `node test/daemon/run-kills.ts [--runs N] [--seed N]`: the daemon is killed under the load of several clients.
await runFromArguments(killDaemon);
