// The languages that the server has read: the first time that takes seconds, for which the page says so.

/** A language in a version. */
interface Dialect {
  readonly language: string;
  readonly version: string | null;
}

/** Knows in which languages an answer has come. */
export class Readings {
  private readonly known = new Set<string>();

  /** Return the sentence that is shown until the first answer in a language comes; null once it has come. */
  sentence(dialect: Dialect, title: string): string | null {
    const version = dialect.version === null ? "" : ` ${dialect.version}`;
    return this.known.has(key(dialect))
      ? null
      : `${title}${version} is being read. If its tables have to be built first, that takes some seconds …`;
  }

  /** Remember that an answer has come. */
  answered(dialect: Dialect): void {
    this.known.add(key(dialect));
  }
}

function key({ language, version }: Dialect): string {
  return JSON.stringify([language, version]);
}
