import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Transcript, TranscriptStep } from '../../model/agent/transcript.ts'
import { messagesIn, recognise } from '../../node/config/recognise.ts'
import { readWholeText } from '../../node/read-whole-file.ts'

export type LoadedChat = { messages: readonly ChatMessage[]; steps: readonly TranscriptStep[]; kind: string }

/** Loads a conversation to continue: a chat saved by `/save`, messages as JSON, or a transcript in InternLM2's format. */
export function loadChat(path: string, where: string): LoadedChat {
  const text = readUserText(path, where)
  const recognised = recognise(text, path)
  const found = recognised && messagesIn(recognised)
  if (!found) {
    throw new PromptError('bad-transcript', {
      where: path,
      problem: 'not a conversation',
      fix: "load a chat saved by /save, { messages } as JSON, or a transcript in InternLM2's format",
    })
  }
  return {
    messages: found.messages,
    steps: stepsIn(text),
    kind: recognised.kind === 'transcript' ? "a conversation in InternLM2's format" : 'chat messages',
  }
}

function readUserText(path: string, where: string): string {
  try {
    return readWholeText(path)
  } catch (error) {
    if (error instanceof PromptError) throw error
    throw new PromptError('no-file', { where, problem: `cannot read ${path}: ${(error as Error).message}`, fix: 'check the path' })
  }
}

/** The exact prompts and replies of a chat saved by `/save`. */
function stepsIn(text: string): readonly TranscriptStep[] {
  try {
    const { steps = [] } = JSON.parse(text) as Partial<Transcript>
    return Array.isArray(steps) ? steps : []
  } catch {
    return []
  }
}
