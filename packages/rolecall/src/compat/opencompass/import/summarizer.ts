import { isListValue, isNumber, Tuple, type Value } from '@rolecall/core/internal/python'
import type { SummaryGroup } from '../../../evaluation/config/summary-group-schema.ts'
import { isMutableDict, type MutableDict } from '../../../python/interpreter/containers.ts'
import { runModule } from '../../../python/interpreter/import-module.ts'
import { insideRoot } from '../../../python/interpreter/paths.ts'
import { type ModuleCache, Session } from '../../../python/interpreter/session.ts'

/** What a summarizer of OpenCompass lists: groups over datasets that are there, and the names of its table in order. */
export type Summarizer = { summary_groups?: SummaryGroup[]; dataset_abbrs?: string[] }

/** A summarizer and notes about what it cannot show here. */
export type ImportedSummarizer = { summarizer: Summarizer | undefined; notes: Session['notes'] }

/**
 * Reads the summarizer of a Python file, under this name; without one, all lists whose names end in `_summary_groups`. Groups over other
 * datasets are left out. Undefined if the file has no such name.
 */
export function importSummarizer(
  file: string,
  options: { read: (path: string) => string | undefined; cache?: ModuleCache },
  datasets: ReadonlySet<unknown>,
  key?: string,
): ImportedSummarizer {
  const session = new Session(options)
  try {
    const path = insideRoot(file)
    const module = path === undefined ? undefined : session.readModule(path)
    if (!module) return { summarizer: undefined, notes: [] }
    const { names } = runModule(session, module.file, module)
    const groups = [...names].flatMap(([name, value]) => (name.endsWith('_summary_groups') && isListValue(value) ? [...value] : []))
    const summarizer = key === undefined ? withGroups(groupsIn(session, groups, datasets)) : summarizerOf(session, names.get(key), datasets)
    return { summarizer, notes: session.notes }
  } catch (error) {
    throw session.explain(error)
  }
}

/** The groups of a summarizer over these datasets, or over such groups, and the names that its table lists. */
export function summarizerOf(session: Session, summarizer: Value | undefined, datasets: ReadonlySet<unknown>): Summarizer | undefined {
  if (summarizer === undefined || !isMutableDict(summarizer)) return undefined
  const groups = summarizer.get('summary_groups')
  const found = groups !== undefined && isListValue(groups) ? groupsIn(session, groups, datasets) : []
  const listed = summarizer.get('dataset_abbrs')
  const names = listed !== undefined && isListValue(listed) ? listed.map(firstOf).filter((name) => typeof name === 'string') : []
  const known = new Set([...datasets, ...found.map(({ name }) => name)])
  // A table of other datasets would be empty.
  return withGroups(
    found,
    names.filter((name) => known.has(name)),
  )
}

function withGroups(groups: SummaryGroup[], names: string[] = []): Summarizer | undefined {
  if (groups.length + names.length === 0) return undefined
  return { ...(groups.length > 0 ? { summary_groups: groups } : {}), ...(names.length > 0 ? { dataset_abbrs: names } : {}) }
}

/** Groups precede the groups that contain them. */
function groupsIn(session: Session, groups: readonly Value[], datasets: ReadonlySet<unknown>): SummaryGroup[] {
  const found: SummaryGroup[] = []
  for (const group of groups) {
    const own = groupOf(session, group, new Set([...datasets, ...found.map(({ name }) => name)]))
    if (own && !found.some(({ name }) => name === own.name)) found.push(own)
  }
  return found
}

/** Groups that OpenCompass does not average. */
const otherMeans = ['std', 'sum', 'harmonic_mean', 'transforms']

function groupOf(session: Session, group: Value, known: ReadonlySet<unknown>): SummaryGroup | undefined {
  if (!isMutableDict(group)) return undefined
  const name = group.get('name')
  const given = group.get('subsets')
  if (typeof name !== 'string' || given === undefined || !isListValue(given)) return undefined
  const subsets = given.map(firstOf)
  // Groups over datasets that are not in this config would have no metric.
  if (subsets.length === 0 || !subsets.every((subset): subset is string => typeof subset === 'string' && known.has(subset)))
    return undefined
  const other = otherMeans.find((key) => isTrue(group, key))
  if (other !== undefined) {
    session.notes.push({
      code: 'group-left-out',
      where: `summary_groups › ${name}`,
      text: `the group is left out: only averages are computed here, not "${other}"`,
    })
    return undefined
  }
  const weights = group.get('weights')
  if (weights === undefined || !isMutableDict(weights)) return { name, subsets }
  // OpenCompass ignores datasets without a weight.
  const weightOf = (subset: string) => {
    const weight = weights.get(subset)
    return weight !== undefined && isNumber(weight) ? Number(weight) : 0
  }
  return { name, subsets, weights: Object.fromEntries(subsets.map((subset) => [subset, weightOf(subset)])) }
}

function isTrue(group: MutableDict, key: string): boolean {
  const value = group.get(key)
  return value !== undefined && value !== null && value !== false
}

/** `('dataset', 'metric')` is that dataset. */
function firstOf(entry: Value): Value | undefined {
  return isListValue(entry) ? entry[0] : entry instanceof Tuple ? entry.items[0] : entry
}
