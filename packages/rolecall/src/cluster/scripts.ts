import type { RedisScript } from './redis.ts'

/**
 * Appends answers to the stream, once per key and job, and only while the job exists: late answers of a worker that
 * was presumed dead are dropped. Keys: stream, done keys of the job, the job. Arguments: key and answer of each row. Returns how many were new;
 * -1 if the job is gone.
 */
export const appendAnswers: RedisScript = {
  name: 'rolecallAppendAnswers',
  keys: 3,
  lua: `
    if redis.call('EXISTS', KEYS[3]) == 0 then return -1 end
    local new = 0
    for index = 1, #ARGV, 2 do
      if redis.call('SADD', KEYS[2], ARGV[index]) == 1 then
        redis.call('XADD', KEYS[1], '*', 'key', ARGV[index], 'answer', ARGV[index + 1])
        new = new + 1
      end
    end
    redis.call('EXPIRE', KEYS[2], 604800)
    return new`,
}

/**
 * Renews the locks of jobs. A lock is BullMQ's: a key with the worker's token. A lock that expired is acquired again as long as the job
 * is still active: no other worker has taken it. Renewing also removes the job from the set of possibly stalled jobs.
 * Keys: the prefix of each job's queue. Arguments: the duration, then each job and its token. Returns the places of the jobs that are lost.
 */
export const holdJobs: RedisScript = {
  name: 'rolecallHoldJobs',
  keys: 1,
  lua: `
    local lost = {}
    for index = 1, #KEYS do
      local job, token = ARGV[2 * index], ARGV[2 * index + 1]
      local lock = KEYS[index] .. job .. ':lock'
      local holder = redis.call('GET', lock)
      local isHeld = holder == token
      if not holder then
        for _, active in ipairs(redis.call('LRANGE', KEYS[index] .. 'active', 0, -1)) do
          if active == job then isHeld = true end
        end
      end
      if isHeld then
        redis.call('SET', lock, token, 'PX', ARGV[1])
        redis.call('SREM', KEYS[index] .. 'stalled', job)
      else
        lost[#lost + 1] = index - 1
      end
    end
    return lost`,
}

/**
 * What Redis has of a run, so that its coordinator notices if Redis lost its data. Keys: the runs, the set-up, the stream of answers.
 * Argument: the run. Returns its notice, whether the set-up is there, and the last entry of the stream.
 */
export const inspectRun: RedisScript = {
  name: 'rolecallInspectRun',
  keys: 3,
  lua: `
    local newest = '0-0'
    if redis.call('EXISTS', KEYS[3]) == 1 then
      local info = redis.call('XINFO', 'STREAM', KEYS[3])
      for index = 1, #info, 2 do
        if info[index] == 'last-generated-id' then newest = info[index + 1] end
      end
    end
    return { redis.call('HGET', KEYS[1], ARGV[1]) or '', redis.call('EXISTS', KEYS[2]), newest }`,
}

/** Acquires a lease, or returns its holder. Key: the lease. Arguments: the new holder, the duration, and a holder to replace. */
export const acquireLease: RedisScript = {
  name: 'rolecallTakeLease',
  keys: 1,
  lua: `
    local held = redis.call('GET', KEYS[1])
    if held and held ~= ARGV[1] and held ~= ARGV[3] then return held end
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return ''`,
}

/** Releases a lease. Key: the lease. Argument: its holder. */
export const releaseLease: RedisScript = {
  name: 'rolecallGiveLease',
  keys: 1,
  lua: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`,
}

/**
 * Reserves the next request slot, and returns how many milliseconds to wait for it. Uses Redis's clock, since the workers'
 * may differ. Key: when the next request may be sent. Argument: milliseconds between requests.
 */
export const takeTurn: RedisScript = {
  name: 'rolecallTakeTurn',
  keys: 1,
  lua: `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + time[2] / 1000
    local spacing = tonumber(ARGV[1])
    local at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
    redis.call('SET', KEYS[1], string.format('%.3f', at + spacing), 'PX', math.ceil(at + spacing - now) + 60000)
    return math.ceil(at - now)`,
}
