import { PyFloat } from '../../../packages/core/src/base/python/index.ts'
import { readMlcConfig } from '../../../packages/core/src/prompt/format/mlc/chat-config.ts'
import { mlcSampling } from '../../../packages/rolecall/src/evaluation/run/ask/mlc-sampling.ts'
import { likeliest, penalise, pickToken, softmax } from '../../../packages/rolecall/src/model/language-model/sampling.ts'
import type { MlcSubject, MlcVector } from './vector.ts'

type Expected = { values: unknown[]; tokens?: unknown[]; nan?: boolean }

/** The sampler's penalties, softmax and top-p; values are compared with a relative tolerance of 1e-5. */
export function sampleSubject(vector: MlcVector): Omit<MlcSubject, 'again'> {
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
      return { values: [...ours].map((value, id) => (isClose(value, expected[id]!) ? expected[id] : rounded(value))), tokens: picked }
    },
  }
}

/** All logits are so low that MLC's softmax, which starts from a tiny positive maximum, computes 0/0. */
export function underflows({ logits, config, mode }: MlcVector): boolean {
  if (mode !== 'sample') return false
  const { temperature } = readMlcConfig(config, 'config').settings
  return (logits ?? []).every((logit) => numberOf(logit) / temperature < -100)
}

/** The probabilities that the logits have, and the tokens that top-p sampling picks at the given random numbers. */
export function promisedSample({ logits, config, u = [], appeared = [] }: MlcVector): unknown {
  const { temperature, topP, repetitionPenalty, presencePenalty, frequencyPenalty } = readMlcConfig(config, 'config').settings
  const penalised = logits!.map((logit, id) => {
    const [value, times] = [numberOf(logit), appeared.filter((other) => other === id).length]
    if (times === 0) return value
    // A presence or frequency penalty replaces the repetition penalty.
    if (presencePenalty !== 0 || frequencyPenalty !== 0) return value - presencePenalty - times * frequencyPenalty
    return value > 0 ? value / repetitionPenalty : value * repetitionPenalty
  })
  const scaled = penalised.map((logit) => logit / temperature)
  const weights = scaled.map((logit) => Math.exp(logit - Math.max(...scaled)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const values = weights.map((weight) => weight / total)
  const ranked = values.map((value, id) => ({ value, id })).sort((a, b) => b.value - a.value)
  const kept: typeof ranked = []
  for (let mass = 0; mass < topP && kept.length < ranked.length; mass += kept.at(-1)!.value) kept.push(ranked[kept.length]!)
  const mass = kept.reduce((sum, { value }) => sum + value, 0)
  const tokens = u.map((at) => {
    let reached = 0
    for (const { value, id } of kept) {
      reached += value / mass
      if (reached >= numberOf(at)) return id
    }
    return kept.at(-1)!.id
  })
  return { values: values.map(rounded), tokens }
}

/** Six digits, as 32-bit floats have. */
function rounded(value: number): number {
  return Number(value.toPrecision(6))
}

function isClose(value: number, expected: number): boolean {
  return Math.abs(value - expected) <= 1e-5 * Math.abs(expected)
}

function numberOf(value: unknown): number {
  return value instanceof PyFloat ? value.value : Number(value)
}
