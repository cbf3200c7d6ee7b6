import { type AgentTool, defineTool } from '../../model/agent/agent-tool.ts'

/** Invented, so that the demo needs no network; Shanghai is as warm as in document 004. */
const temperatures: Readonly<Record<string, number>> = { Shanghai: 22, Beijing: 18, Paris: 15, London: 11, Tokyo: 20, Rome: 24, Berlin: 12 }

const zones: Readonly<Record<string, string>> = {
  Shanghai: 'Asia/Shanghai',
  Beijing: 'Asia/Shanghai',
  Paris: 'Europe/Paris',
  London: 'Europe/London',
  Tokyo: 'Asia/Tokyo',
  Rome: 'Europe/Rome',
  Berlin: 'Europe/Berlin',
}

const text = { type: 'string' } as const

/** The tools the embedded model was trained with: the weather of document 004, the time, reminders. */
export const demoTools: readonly AgentTool[] = [
  defineTool<{ location: string }>({
    name: 'get_current_weather',
    description: 'Get the current weather in a given location',
    parameters: {
      type: 'object',
      properties: { location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' }, unit: text },
      required: ['location'],
    },
    run: ({ location }) => (temperatures[location] === undefined ? { error: 'not found' } : { temperature: temperatures[location] }),
  }),
  defineTool<{ city: string }>({
    name: 'get_time',
    description: 'Get the current time in a city',
    parameters: { type: 'object', properties: { city: text }, required: ['city'] },
    run: ({ city }) => {
      const timeZone = zones[city]
      if (timeZone === undefined) return { error: 'not found' }
      return { time: new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date()) }
    },
  }),
  defineTool<{ text: string }>({
    name: 'add_reminder',
    description: 'Add a reminder',
    parameters: { type: 'object', properties: { text }, required: ['text'] },
    run: () => ({ ok: true }),
  }),
]
