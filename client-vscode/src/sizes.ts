/** How much an installation takes, which is said before. */

/** What is installed: the server alone, with PyTorch for the processor, or with PyTorch for graphics cards. */
export type Kind = "light" | "processor" | "graphics";

/** The disk space in megabytes above which an installation has a question of its own: the server alone has none. */
export const LARGE = 500;

/** The disk space in megabytes that each takes, measured on Linux. */
const SPACE: Readonly<Record<Kind, number>> = { light: 310, processor: 1_200, graphics: 5_600 };

/** What pip downloads for the server alone, in megabytes, measured on Linux. */
const DOWNLOAD = 65;

/** Return whether the server needs PyTorch even for its own model: there is no llama.cpp for the system. */
export function alwaysNeedsTorch(platform: NodeJS.Platform, architecture: string): boolean {
  return platform === "win32" || (platform === "darwin" && architecture === "x64");
}

/** Return whether an installation has a question of its own. */
export function isLarge(kind: Kind): boolean {
  return SPACE[kind] > LARGE;
}

/** Return a size as people read it: `inWords(1200)` is `1.2 GB`. */
export function inWords(megabytes: number): string {
  return megabytes < 1_000 ? `${megabytes.toFixed(0)} MB` : `${(megabytes / 1_000).toFixed(1)} GB`;
}

/** Return the sentence about what an installation takes. */
export function takes(kind: Kind): string {
  return kind === "light"
    ? `About ${inWords(DOWNLOAD)} are downloaded; it takes ${inWords(SPACE.light)} of disk space.`
    : `It takes about ${inWords(SPACE[kind])} of disk space, and some minutes.`;
}
