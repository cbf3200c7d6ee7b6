import { createHash } from 'node:crypto'
import type { SharedPace } from '../../model/openai/http/pace.ts'
import { keys } from './protocol.ts'
import { type Redis, runScript } from './redis.ts'
import { takeTurn } from './scripts.ts'

/** A rate limit shared by all workers on a queue, for a model at an endpoint. Both are hashed in the key. */
export function redisPace(redis: Redis, endpoint: string): SharedPace {
  const key = keys.pace(createHash('sha256').update(endpoint).digest('hex').slice(0, 16))
  return {
    takeTurn: (spacing) => runScript<number>(redis, takeTurn, [key, spacing, 0]),
    pause: (milliseconds) => void runScript<number>(redis, takeTurn, [key, 0, milliseconds]).catch(() => undefined),
  }
}
