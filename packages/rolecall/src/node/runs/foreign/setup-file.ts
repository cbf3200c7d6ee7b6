import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import type { ForeignGroup } from '../../../compat/results/foreign-result.ts'
import type { PairName } from '../../../evaluation/run/record/pair-name.ts'
import type { PairSetup } from '../../../evaluation/run/record/pair-setup.ts'

/** Where a run folder keeps the settings of the harness it was read from. */
export const setupFile = 'configs/setup.json'

/** What is known about a run of another harness besides its rows. */
export type ForeignSetup = {
  harness: string
  version?: string | undefined
  /** The file or folder it was read from. */
  source: string
  pairs: readonly (PairName & { setup: PairSetup; reported: Readonly<Record<string, number>> })[]
  /** Averages over datasets that the harness reported. */
  groups?: readonly ForeignGroup[]
  notes: readonly Note[]
}

/** The setup of a run read from another harness; undefined for own runs. */
export function foreignSetup(folder: string): ForeignSetup | undefined {
  const file = join(folder, setupFile)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ForeignSetup) : undefined
}

/** What could not be read of the results of another harness, and what was assumed; empty for own runs. */
export function foreignNotes(folder: string): readonly Note[] {
  return foreignSetup(folder)?.notes ?? []
}
