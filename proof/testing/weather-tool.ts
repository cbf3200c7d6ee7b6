/** The tool of document 004 in OpenAI's format. */
export const weatherTool = {
  type: 'function' as const,
  function: {
    name: 'get_current_weather',
    description: 'Get the current weather in a given location',
    parameters: {
      type: 'object',
      properties: { location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA,' }, unit: { type: 'string' } },
      required: ['location'],
    },
  },
}
