import type { Filter } from './filters/filter.ts'

/** How templates are read: as transformers reads chat templates, or as plain Jinja2 with other settings. */
export type Dialect = {
  /** `trim_blocks` and `lstrip_blocks`: a tag removes the line break after it and the white space before it on its line. */
  trims: boolean
  /** The line break at the very end stays. */
  keepsLastNewline: boolean
  /** `StrictUndefined`: missing values may be tested (`is defined`, `default`), and are an error everywhere else. */
  strict: boolean
  /** A template may change the lists that it makes itself, as in Jinja2's sandbox that is not immutable. Its input is never changed. */
  changesLists?: boolean
  /** Filters besides Jinja2's. */
  filters?: ReadonlyMap<string, Filter>
}

export const chatDialect: Dialect = { trims: true, keepsLastNewline: false, strict: false }
