import { choosePairs, type PairSelection } from '../../evaluation/run/choose-pairs.ts'
import type { Pair } from '../../evaluation/run/run-pairs.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { scoringPeers } from '../jieba-words.ts'

/** The pairs that a config and flags select, ready to run with the packages that are installed here. */
export function plannedPairs({ config }: Pick<LoadedConfig, 'config'>, selection: PairSelection): Pair[] {
  return choosePairs(config, selection, scoringPeers())
}
