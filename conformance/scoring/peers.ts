import { scoringPeers } from '../../src/app/node/jieba-words.ts'

/** What users install themselves, where it is installed here. */
export const peers = scoringPeers()
