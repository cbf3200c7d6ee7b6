import { PromptError } from '@rolecall/core/internal/errors'
import { readShard } from '../../evaluation/run/shard.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * `--shard 2/4`, or `auto` for the part given by Slurm or Kubernetes. Slurm provides the number of parts and the first index; for Kubernetes
 * the number of completions must be given: `auto/8`.
 */
export function shardFlag(text: string, environment: Environment = process.env): string {
  const [, stated] = /^auto(?:\/(\d{1,6}))?$/.exec(text.trim()) ?? []
  if (!text.trim().startsWith('auto')) {
    readShard(text)
    return text
  }
  const shard = slurmPart(environment, stated) ?? kubernetesPart(environment, stated)
  if (shard === undefined) {
    throw new PromptError('no-array', {
      where: '--shard auto',
      problem:
        'neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set: this is not a task of a Slurm array or an indexed Job of Kubernetes',
      fix: 'write the part yourself, e.g. --shard 2/4',
    })
  }
  readShard(shard, '--shard auto')
  return shard
}

/** See https://slurm.schedmd.com/job_array.html */
function slurmPart(environment: Environment, stated: string | undefined): string | undefined {
  const { SLURM_ARRAY_TASK_ID: id, SLURM_ARRAY_TASK_COUNT: count, SLURM_ARRAY_TASK_MIN: first, SLURM_ARRAY_TASK_MAX: last } = environment
  if (id === undefined) return undefined
  const parts = stated ?? count
  const [least, most] = [Number(first ?? 1), Number(last ?? parts)]
  // Arrays such as 1-9:2 or 1,5,7, and partial reruns, do not determine the parts.
  if (parts === undefined || (first !== undefined && last !== undefined && stated === undefined && most - least + 1 !== Number(parts))) {
    throw new PromptError('bad-array', {
      where: '--shard auto',
      problem: `the tasks of this array (${first}–${last}, ${parts} of them) are not numbered one after the other`,
      fix: 'use --array=1-8, and state the number of parts where only some tasks are run again: --shard auto/8',
    })
  }
  // In a partial rerun the minimum is meaningless: indices start with 1.
  return `${Number(id) - (stated === undefined ? least : 1) + 1}/${parts}`
}

/** See https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode */
function kubernetesPart({ JOB_COMPLETION_INDEX: index }: Environment, stated: string | undefined): string | undefined {
  if (index === undefined) return undefined
  if (stated !== undefined) return `${Number(index) + 1}/${stated}`
  throw new PromptError('missing', {
    where: '--shard auto',
    problem: 'Kubernetes says which completion this is, and not how many there are',
    fix: 'state the Job’s completions: --shard auto/8',
  })
}
