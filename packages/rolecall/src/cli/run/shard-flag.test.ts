import { describe, expect, test } from 'vitest'
import { shardFlag } from './shard-flag.ts'

describe('--shard auto', () => {
  const slurm = (id: number, [first, last, count]: [number, number, number]) => ({
    SLURM_ARRAY_TASK_ID: String(id),
    SLURM_ARRAY_TASK_MIN: String(first),
    SLURM_ARRAY_TASK_MAX: String(last),
    SLURM_ARRAY_TASK_COUNT: String(count),
  })

  test('uses the task of a Slurm array, whatever its first index', () => {
    expect(shardFlag('auto', slurm(2, [1, 4, 4]))).toBe('2/4')
    expect(shardFlag('auto', slurm(0, [0, 7, 8]))).toBe('1/8')
  })

  test('is rejected for array indices with gaps, unless the number of parts is given', () => {
    expect(() => shardFlag('auto', slurm(5, [1, 7, 3]))).toThrow('not numbered one after the other')
    expect(shardFlag('auto/8', slurm(5, [5, 7, 2]))).toBe('5/8')
  })

  test('uses the completion index of an indexed Job, with the number of completions given', () => {
    expect(shardFlag('auto/8', { JOB_COMPLETION_INDEX: '0' })).toBe('1/8')
    expect(() => shardFlag('auto', { JOB_COMPLETION_INDEX: '0' })).toThrow('--shard auto/8')
    expect(() => shardFlag('auto/8', { JOB_COMPLETION_INDEX: '8' })).toThrow('9/8')
  })

  test('is rejected outside an array', () => {
    expect(() => shardFlag('auto', {})).toThrow('SLURM_ARRAY_TASK_ID')
    expect(() => shardFlag('autos', {})).toThrow('SLURM_ARRAY_TASK_ID')
    expect(shardFlag('2/4', {})).toBe('2/4')
  })
})
