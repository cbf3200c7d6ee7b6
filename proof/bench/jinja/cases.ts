import type { PyValue } from '../../../packages/rolecall/src/python.ts'

/** A template and its variables; both engines and Python get the same. */
export type JinjaCase = {
  name: string
  template: string
  variables: Readonly<Record<string, PyValue>>
  tokens: Readonly<Record<string, string>>
}

const chatml = `{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`

/** Written for this benchmark in the layout Llama 3.1 was trained on: tools as indented JSON in the first user turn. */
const llama31 = `{{- bos_token }}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{%- if not tools_in_user_message is defined %}
    {%- set tools_in_user_message = true %}
{%- endif %}

{#- The system message stands in the header, with the dates. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\\n" }}
{%- endif %}
{{- "Cutting Knowledge Date: December 2023\\n" }}
{{- "Today Date: " + date_string + "\\n\\n" }}
{%- if tools is not none and not tools_in_user_message %}
    {%- for tool in tools %}
        {{- tool | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{{- system_message }}
{{- "<|eot_id|>" }}

{#- Tools are described in the first user turn. #}
{%- if tools_in_user_message and not tools is none %}
    {%- if messages | length != 0 %}
        {%- set first_user_message = messages[0]['content'] | trim %}
        {%- set messages = messages[1:] %}
    {%- else %}
        {{- raise_exception("There is no user message to put the tools into.") }}
    {%- endif %}
    {{- '<|start_header_id|>user<|end_header_id|>\\n\\n' -}}
    {{- "These functions can be called. Answer with the one that fits, as JSON, with its arguments.\\n\\n" }}
    {{- 'Use the form {"name": function name, "parameters": arguments by name}. ' }}
    {{- "Write values, not variables.\\n\\n" }}
    {%- for tool in tools %}
        {{- tool | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
    {{- first_user_message + "<|eot_id|>"}}
{%- endif %}

{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls | length == 1 %}
            {{- raise_exception("One call at a time.") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}
        {{- '{"name": "' + tool_call.name + '", ' }}
        {{- '"parameters": ' }}
        {{- tool_call.arguments | tojson }}
        {{- "}" }}
        {{- "<|eot_id|>" }}
    {%- elif message.role == "tool" or message.role == "ipython" %}
        {{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}
        {%- if message.content is mapping or message.content is iterable %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
`

const words = 'the quick brown fox jumps over lazy dogs while seventeen physicists measure oscillating pendulums near Geneva in May'.split(
  ' ',
)
const say = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => words[(seed * 7 + index * 3 + ((seed * index) % 5)) % words.length]).join(' ')

const tenTurns: PyValue[] = [
  { role: 'system', content: say(0, 20) },
  ...Array.from({ length: 10 }, (_, turn) => ({ role: turn % 2 === 0 ? 'user' : 'assistant', content: say(turn + 1, 40) })),
]

const tool = (name: string, unit: string): PyValue => ({
  type: 'function',
  function: {
    name,
    description: `Get the ${unit} at a place`,
    parameters: {
      type: 'object',
      properties: {
        location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'], description: `The unit of the ${unit}` },
        days: { type: 'integer', description: 'How many days ahead' },
      },
      required: ['location'],
    },
  },
})

const call = (id: string, name: string): PyValue => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: { location: 'Paris, FR', unit: 'celsius', days: 2 } } }],
})

export const jinjaCases: readonly JinjaCase[] = [
  {
    name: 'jinja-chatml-10-turns',
    template: chatml,
    variables: { messages: tenTurns, tools: null, documents: null, add_generation_prompt: true },
    tokens: {},
  },
  {
    name: 'jinja-llama31-tools-6-messages',
    template: llama31,
    variables: {
      messages: [
        { role: 'system', content: `  ${say(3, 12)} ` },
        { role: 'user', content: say(4, 20) },
        call('a', 'get_weather'),
        { role: 'tool', tool_call_id: 'a', name: 'get_weather', content: '{"temperature": 21.5, "sky": "clear"}' },
        { role: 'assistant', content: say(5, 30) },
        { role: 'user', content: say(6, 15) },
      ],
      tools: [tool('get_weather', 'temperature'), tool('get_pressure', 'pressure')],
      documents: null,
      add_generation_prompt: true,
    },
    tokens: { bos_token: '<|begin_of_text|>', eos_token: '<|eot_id|>' },
  },
]
