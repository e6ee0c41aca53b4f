/** The titles of languages, as the manifests of VS Code's extensions name them. */

/** The part of an extension's manifest that is needed. */
interface Manifest {
  readonly contributes?: { readonly languages?: readonly { readonly id?: string; readonly aliases?: readonly string[] }[] };
}

/** Titles of languages that VS Code itself declares, in no extension's manifest. */
const OF_THE_EDITOR: Readonly<Record<string, string>> = { plaintext: "plain text" };

/** Return the title of a language, such as `Lua` for `lua`; its identifier if no extension names it. */
export function titleOf(language: string, manifests: readonly unknown[]): string {
  for (const manifest of manifests as readonly (Manifest | null | undefined)[]) {
    const named = manifest?.contributes?.languages?.find(({ id, aliases }) => id === language && aliases?.[0] !== undefined);
    if (named?.aliases?.[0] !== undefined) {
      return named.aliases[0];
    }
  }
  return OF_THE_EDITOR[language] ?? language;
}
