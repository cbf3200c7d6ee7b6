import { samplingNames } from '../../../model/language-model/sampling-settings.ts'

/** The sampling settings among those that a harness recorded, which names them as configs do. */
export function samplingFacts(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(samplingNames.map((name) => [name, given[name]]))
}
