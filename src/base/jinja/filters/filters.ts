import type { Filter } from './filter.ts'
import { numberFilters } from './number-filters.ts'
import { sequenceFilters } from './sequence-filters.ts'
import { textFilters } from './text-filters.ts'

/** All filters, by name: those of Jinja2 3.1, with `tojson` as transformers replaces it. */
export const filters: ReadonlyMap<string, Filter> = new Map([...textFilters, ...sequenceFilters, ...numberFilters])
