import type { Filter } from './filters/filter.ts'

/** How templates are read: as transformers reads chat templates, or as plain Jinja2 with other settings. */
export type Dialect = {
  /** `trim_blocks` and `lstrip_blocks`: a tag takes the line break behind it and the white space before it along. */
  trims: boolean
  /** The line break at the very end stays. */
  keepsLastNewline: boolean
  /** `StrictUndefined`: what is missing may be asked for (`is defined`, `default`), and is an error everywhere else. */
  strict: boolean
  /** Filters beside Jinja2's own. */
  filters?: ReadonlyMap<string, Filter>
}

export const chatDialect: Dialect = { trims: true, keepsLastNewline: false, strict: false }
