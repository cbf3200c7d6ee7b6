import type { Redis } from './redis.ts'

/** How many seconds whoever is being stopped waits for a Redis that is away. */
const longestAway = 5

/** Does something once Redis has been away for some seconds, unless all is over before. It keeps the process: it is what ends it. */
export function whenDisconnected(redis: Pick<Redis, 'status'>, act: () => void, isOver: () => boolean): void {
  let away = 0
  const timer = setInterval(() => {
    away = redis.status === 'ready' ? 0 : away + 1
    if (away < longestAway && !isOver()) return
    clearInterval(timer)
    if (!isOver()) act()
  }, 1000)
}
