import { PassepartoutError } from "../signal/failure.ts";

/** Thrown where settings are there and cannot be used, so that what the owner allows is unknown. The message says what to correct; it shows no value. */
export class SettingsError extends PassepartoutError {
  override readonly name = "SettingsError";
}
