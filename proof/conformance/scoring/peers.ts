import { scoringPeers } from '../../src/app/node/jieba-words.ts'

/** Optional peer packages, if they are installed. */
export const peers = scoringPeers()
