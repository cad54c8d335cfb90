/** The code of an error where this user may not open the file or folder that a call named. */
export const noPermission = "no-permission";
