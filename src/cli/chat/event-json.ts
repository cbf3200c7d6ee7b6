import type { AgentEvent } from '../../agent/agent-event.ts'
import { savePrompt } from '../../agent/transcript.ts'

/** An event as a line for programs; undefined for those that tell nothing new. Images are files: their path is told. */
export function eventJson(event: AgentEvent, { showPrompt }: { showPrompt: boolean }): string | undefined {
  switch (event.type) {
    case 'prompt':
      return showPrompt ? JSON.stringify({ type: 'prompt', turn: event.turn, prompt: savePrompt(event.prompt) }) : undefined
    case 'image':
      return JSON.stringify({ type: 'image', id: event.id, path: event.path, mime: event.mime })
    case 'output': {
      const { output } = event
      return JSON.stringify({ ...event, output: output.kind === 'image' ? { ...output, data: undefined } : output })
    }
    case 'call':
      // Numbers that JavaScript cannot hold are in the text.
      return JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
    case 'done': {
      const { reason, text, turns, tokens, dropped } = event.result
      return JSON.stringify({ type: 'done', reason, text, turns, tokens, dropped })
    }
    default:
      return JSON.stringify(event)
  }
}
