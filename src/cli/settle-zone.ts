import { existsSync, realpathSync } from "node:fs";
import { isZone } from "../signal/jobs/zones.ts";

/**
 * Writes `TZ` by the name of its zone where it has that in another form: `:Europe/Berlin`,
 * `/usr/share/zoneinfo/Europe/Berlin`.
 */
export function settleZone(environment: Record<string, string | undefined>): void {
  const written = environment["TZ"]?.trim().replace(/^:/, "") ?? "";
  const isLink = written.startsWith("/") && !written.includes("/zoneinfo/") && existsSync(written);
  const file = isLink ? realpathSync(written) : written;
  const name = file.replace(/^(?:\/.*\/zoneinfo\/)?(?:posix\/|right\/)?/, "");
  if (name !== environment["TZ"] && isZone(name)) environment["TZ"] = name;
}
