import { scoringPeers } from '../../src/node/jieba-words.ts'

/** What users install themselves, where it is installed here. */
export const peers = scoringPeers()
