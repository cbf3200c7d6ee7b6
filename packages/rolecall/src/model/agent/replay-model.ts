import { checkOptionsOf, isObject, PromptError } from '@rolecall/core/internal/errors'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { LanguageModel } from '../language-model/language-model.ts'
import { refuseNewerTranscript, type SavedPrompt, savedReply, savePrompt, type Transcript } from './transcript.ts'

/** A model that replays a transcript. It checks that every prompt equals the recorded one: a difference is an error that shows where. */
export function replayModel(transcript: Transcript, options: { tokenizer?: Tokenizer } = {}): LanguageModel {
  checkOptionsOf(options, { tokenizer: isObject }, 'replayModel › options')
  refuseNewerTranscript(transcript, 'the transcript')
  let next = 0
  return {
    name: transcript.model,
    tokenizer: options.tokenizer,
    async generate(prompt, { onText }) {
      const number = next++
      const step = transcript.steps[number]
      if (step === undefined) {
        throw new PromptError('replay-over', {
          where: `step ${number}`,
          problem: `the transcript has ${transcript.steps.length} steps, but another prompt was sent`,
          fix: 'compare the prompts with those of the transcript',
        })
      }
      checkSame(savePrompt(prompt), step.prompt, number)
      if (step.reply.text !== '') onText?.(step.reply.text)
      return savedReply(step.reply)
    },
  }
}

function checkSame(given: SavedPrompt, saved: SavedPrompt, step: number): void {
  const [sent, expected] = [JSON.stringify(given), JSON.stringify(saved)]
  if (sent === expected) return
  let at = 0
  while (at < sent.length && sent[at] === expected[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 40)
  throw new PromptError('replay-differs', {
    where: `step ${step}, character ${at}`,
    problem: `the prompt is not the one of the transcript: …${around(sent)}… instead of …${around(expected)}…`,
    fix: 'render with the same format, tools and results as then',
  })
}
