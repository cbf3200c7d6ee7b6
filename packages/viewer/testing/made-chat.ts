// A saved conversation with everything the page can show: reasoning, calls, JSON and errors of tools, turns sent as ids.

const atlantis = '{"error": "there is no city Atlantis"}'
const tokens = { prompt: 30, reused: 0, reply: 12 }

export const madeChat = {
  version: 1,
  model: 'internlm2',
  format: 'internlm2',
  tools: [
    { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
  ],
  interpreter: true,
  messages: [
    { role: 'system', content: 'You are helpful.' },
    { role: 'user', content: 'What is the weather in Atlantis?' },
    {
      role: 'assistant',
      content: 'Let me look.',
      reasoning_content: 'I have a tool for that.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Atlantis"}' } }],
      token_ids: [5, 6, 7],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'get_weather', content: atlantis },
    { role: 'assistant', content: 'There is none.' },
  ],
  steps: [
    {
      prompt: {
        kind: 'completion',
        bos: 'none',
        parts: [{ control: '<|im_start|>' }, { text: 'user\nWhat is the weather in Atlantis?' }, { control: '<|im_end|>\n' }],
      },
      reply: { text: 'Let me look.<|call|>', ids: [5, 6, 7], finish: 'stop', tokens },
    },
    {
      prompt: {
        kind: 'completion',
        bos: 'none',
        parts: [
          { control: '<|im_start|>' },
          { text: 'user\nWhat is the weather in Atlantis?' },
          { ids: [5, 6, 7] },
          { text: `tool\n${atlantis}` },
        ],
      },
      reply: { text: 'There is none.', finish: 'length', tokens },
    },
  ],
}
