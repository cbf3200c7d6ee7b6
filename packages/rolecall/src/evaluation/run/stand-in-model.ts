import type { Prompt } from '@rolecall/core/internal/format'
import type { Interpreter } from '../../model/agent/interpreter.ts'
import type { LanguageModel, ScoredPrompt } from '../../model/language-model/language-model.ts'
import { standInText } from '../score/evaluate/evaluator.ts'

/**
 * A model that answers every prompt with the same made-up reply, and scores every piece of a text as one token. `check` refuses prompts that
 * the real model would refuse.
 */
export function standInModel(text: string, check: (prompt: Prompt) => void = () => undefined): LanguageModel {
  return {
    name: 'stand-in',
    async generate(prompt) {
      check(prompt)
      return { text, finish: 'stop', tokens: { prompt: 0, reused: 0, reply: 0 }, notes: [] }
    },
    async score(prompts) {
      for (const prompt of prompts) check(prompt)
      return prompts.map(scoredByPiece)
    },
  }
}

function scoredByPiece(prompt: Prompt): ScoredPrompt {
  const tokens = (prompt.kind === 'completion' ? prompt.pieces : []).map((_, piece) => ({
    id: 0,
    span: [0, 0] as const,
    pieces: [piece, piece] as const,
  }))
  return {
    tokens,
    logProbabilities: tokens.map((_, index) => (index === 0 ? null : -1)),
    isLikeliest: tokens.map((_, index) => index === 0),
    reused: 0,
    notes: [],
  }
}

/** An interpreter that runs nothing: every program of tests passes. */
export const standInInterpreter: Interpreter = {
  name: 'stand-in',
  isSandbox: true,
  run: async () => ({ ok: true, outputs: [{ kind: 'value', text: `'${standInText}'` }] }),
  addFile: async () => undefined,
  listFiles: async () => [],
  readFile: async () => new Uint8Array(),
  restart: async () => undefined,
  close: async () => undefined,
}
