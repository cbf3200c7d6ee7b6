import { resolve } from 'node:path'

import type { Note } from '@rolecall/core/internal/errors'
import type { ForeignGroup } from '../../../compat/results/foreign-result.ts'
import type { PairName } from '../../../evaluation/run/record/pair-name.ts'
import type { PairSetup } from '../../../evaluation/run/record/pair-setup.ts'

import { isInside } from '../../platform.ts'

import { jsonInRun } from '../file-in-run.ts'

import { keptFolder } from '../private-folder.ts'

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
  return jsonInRun(folder, setupFile, 'remove the folder: it is a copy, and is made again') as ForeignSetup | undefined
}

/** The file or folder that a run in the cache was read from. Another run folder that names one may come from anywhere. */
export function sourceOfImported(folder: string): string | undefined {
  return isInside(resolve(folder), resolve(keptFolder('results'))) ? foreignSetup(folder)?.source : undefined
}
