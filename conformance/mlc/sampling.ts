import { PyFloat } from '../../src/base/python/index.ts'
import { mlcSampling } from '../../src/evaluation/run/ask/mlc-sampling.ts'
import { likeliest, penalise, pickToken, softmax } from '../../src/model/language-model/sampling.ts'
import { readMlcConfig } from '../../src/prompt/format/mlc/chat-config.ts'
import type { MlcSubject, MlcVector } from './vector.ts'

type Expected = { values: unknown[]; tokens?: unknown[]; nan?: boolean }

/** The sampler's penalties, softmax and top-p; values are compared with a relative tolerance of 1e-5. */
export function sampleSubject(vector: MlcVector): MlcSubject {
  const { values, tokens } = vector.expected as unknown as Expected
  const expected = values.map(numberOf)
  return {
    vector,
    expected: { values: expected, tokens: tokens ?? [] },
    produce: () => {
      const sampling = mlcSampling(readMlcConfig(vector.config, 'config').settings, 0)
      const logits = Float32Array.from(vector.logits!, numberOf)
      const counts = new Map<number, number>()
      for (const id of vector.appeared ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
      penalise(logits, counts, sampling)
      const isGreedy = sampling.temperature < 1e-6
      const ours = isGreedy ? logits : softmax(logits, sampling.temperature)
      const picked = (vector.u ?? []).map((at) =>
        isGreedy ? likeliest(logits) : pickToken(ours, { topP: sampling.topP, at: numberOf(at) }),
      )
      return { values: [...ours].map((value, id) => (isClose(value, expected[id]!) ? expected[id] : value)), tokens: picked }
    },
  }
}

/** All logits are so low that MLC's softmax, which starts from a tiny positive maximum, computes 0/0. */
export function underflows({ logits, config, mode }: MlcVector): boolean {
  if (mode !== 'sample') return false
  const { temperature } = readMlcConfig(config, 'config').settings
  return (logits ?? []).every((logit) => numberOf(logit) / temperature < -100)
}

function isClose(value: number, expected: number): boolean {
  return Math.abs(value - expected) <= 1e-5 * Math.abs(expected)
}

function numberOf(value: unknown): number {
  return value instanceof PyFloat ? value.value : Number(value)
}
