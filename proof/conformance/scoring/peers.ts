import { scoringPeers } from '../../../packages/rolecall/src/node/jieba-words.ts'

/** Optional peer packages, if they are installed. */
export const peers = scoringPeers()
