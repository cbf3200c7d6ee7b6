import type { Redis } from './redis.ts'

/** Seconds that a stopping process waits for Redis if it is down. */
const longestAway = 5

/** Runs a callback once Redis has been down for some seconds, unless disposed before. Its timer keeps the process alive: it is what ends it. */
export function whenDisconnected(redis: Pick<Redis, 'status'>, act: () => void, isOver: () => boolean): void {
  let away = 0
  const timer = setInterval(() => {
    away = redis.status === 'ready' ? 0 : away + 1
    if (away < longestAway && !isOver()) return
    clearInterval(timer)
    if (!isOver()) act()
  }, 1000)
}
