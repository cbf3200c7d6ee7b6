import type { Block, ReplySyntax, TaggedParameter } from '../syntax.ts'
import { chatmlEnds, chatmlTurns, openThinkSpan, thinkSpan } from './spans.ts'

// Families that write each argument between separate marks. Values are text: their types are in the tool's schema.

/** `<parameter name="key">value</parameter>`, with a prefix before each tag's name. */
function parameterOf(prefix = '', more: Partial<TaggedParameter> = {}): TaggedParameter {
  return { open: `<${prefix}parameter name="`, keyEnd: '"', valueOpen: '>', close: `</${prefix}parameter>`, ...more }
}

function invokeOf(prefix = '', more: Partial<TaggedParameter> = {}): Block {
  return {
    open: [`<${prefix}invoke name="`],
    close: `</${prefix}invoke>`,
    tagged: { nameEnd: '"', headEnd: '>', parameter: parameterOf(prefix, more) },
  }
}

const functionBlock: Block = {
  open: ['<function='],
  close: '</function>',
  tagged: { nameEnd: '>', parameter: { open: '<parameter=', keyEnd: '>', close: '</parameter>', padding: '\n' } },
}

/** Qwen3-Coder, Qwen3.5 and later, Nemotron 3, Step 3.5, MiMo. */
export const qwen3Coder: ReplySyntax = {
  name: 'qwen3-coder',
  ends: chatmlEnds,
  turns: chatmlTurns,
  reasoning: [openThinkSpan],
  sections: [{ open: '<tool_call>', close: '</tool_call>' }],
  blocks: [functionBlock],
}

/** Seed-OSS. */
export const seedOss: ReplySyntax = {
  name: 'seed-oss',
  ends: ['<seed:eos>'],
  turns: ['<seed:bos>'],
  reasoning: [{ open: '<seed:think>', close: '</seed:think>', endsAtCalls: true }],
  sections: [{ open: '<seed:tool_call>', close: '</seed:tool_call>' }],
  blocks: [functionBlock],
}

/** MiniCPM 5: `<function name="f"><param name="k">v</param></function>`; texts with `<`, `&` or line breaks are in CDATA sections. */
export const minicpm5: ReplySyntax = {
  name: 'minicpm5',
  ends: [...chatmlEnds, '</s>'],
  turns: chatmlTurns,
  reasoning: [openThinkSpan],
  blocks: [
    {
      open: ['<function name="'],
      close: '</function>',
      tagged: {
        nameEnd: '"',
        headEnd: '>',
        parameter: { open: '<param name="', keyEnd: '"', valueOpen: '>', close: '</param>', cdata: true },
      },
    },
  ],
}

/** MiniMax M2. */
export const minimaxM2: ReplySyntax = {
  name: 'minimax-m2',
  ends: ['[e~['],
  turns: [']~b]'],
  reasoning: [openThinkSpan],
  sections: [{ open: '<minimax:tool_call>', close: '</minimax:tool_call>' }],
  blocks: [invokeOf()],
}

/** MiniMax M3: one element for each argument, nested values as nested elements. */
export const minimaxM3: ReplySyntax = {
  name: 'minimax-m3',
  ends: ['[e~['],
  turns: [']~b]'],
  reasoning: [{ open: '<mm:think>', close: '</mm:think>', endsAtCalls: true }],
  sections: [{ open: ']<]minimax[>[<tool_call>', close: ']<]minimax[>[</tool_call>' }],
  blocks: [
    {
      open: [']<]minimax[>[<invoke name="'],
      close: ']<]minimax[>[</invoke>',
      tagged: { nameEnd: '"', headEnd: '>', elements: { open: ']<]minimax[>[<', close: ']<]minimax[>[</' } },
    },
  ],
}

/** DeepSeek V3.2 and V4: DSML, in which each argument says whether it is a text. */
export const deepseekDsml: ReplySyntax = {
  name: 'deepseek-dsml',
  ends: ['<｜end▁of▁sentence｜>'],
  turns: ['<｜Assistant｜>'],
  reasoning: [openThinkSpan],
  sections: ['function_calls', 'tool_calls'].map((name) => ({ open: `<｜DSML｜${name}>`, close: `</｜DSML｜${name}>` })),
  blocks: [invokeOf('｜DSML｜', { typeAttribute: 'string' })],
}

/** GigaChat 3.5: the same with other marks. */
export const gigachat35: ReplySyntax = {
  name: 'gigachat35',
  ends: ['</s>', '<|message_sep|>'],
  turns: ['<|role_sep|>'],
  reasoning: [thinkSpan],
  sections: [{ open: '<｜GCML｜tool_calls>', close: '</｜GCML｜tool_calls>' }],
  blocks: [invokeOf('｜GCML｜', { typeAttribute: 'string' })],
}

/** dots: `<invoke>` or JSON between `<dots_function_call>` marks. */
export const dots: ReplySyntax = {
  name: 'dots',
  ends: ['<|endofresponse|>', '<|endoftext|>'],
  turns: ['<|response|>'],
  reasoning: [thinkSpan],
  blocks: [
    {
      open: ['<dots_function_call>'],
      close: '</dots_function_call>',
      json: { name: 'name', arguments: ['arguments', 'parameters'], list: true, several: true },
    },
    invokeOf(),
  ],
}

/** Step 3. */
export const step3: ReplySyntax = {
  name: 'step3',
  ends: ['<|im_end|>', '<｜end▁of▁sentence｜>', '<|EOT|>'],
  turns: ['<|BOT|>', '<|im_start|>'],
  reasoning: [openThinkSpan],
  sections: [
    { open: '<｜tool_calls_begin｜>', close: '<｜tool_calls_end｜>' },
    { open: '<｜tool_call_begin｜>function<｜tool_sep｜>', close: '<｜tool_call_end｜>' },
    { open: '<｜tool_call_begin｜>', close: '<｜tool_call_end｜>' },
  ],
  blocks: [invokeOf('steptml:')],
}

/** Keys and values in separate tags; every mark contains `suffix`. */
function keyValueBlock(suffix = '', prefix = ''): Block {
  const tag = (name: string) => `<${prefix}${name}${suffix}>`
  const end = (name: string) => `</${prefix}${name}${suffix}>`
  return {
    open: [tag('tool_call')],
    close: end('tool_call'),
    tagged: { parameter: { open: tag('arg_key'), keyEnd: end('arg_key'), valueOpen: tag('arg_value'), close: end('arg_value') } },
  }
}

/** GLM-4.5 to 4.7, Ling 3, Laguna, Spark 2.5. */
export const glm: ReplySyntax = {
  name: 'glm',
  ends: ['<|user|>', '<|observation|>', '<|endoftext|>', '</assistant>'],
  turns: ['<|assistant|>', '<assistant>'],
  reasoning: [openThinkSpan],
  blocks: [keyValueBlock()],
}

/** Hunyuan 3: the same with a mark behind the name, and in one release `:opensource` in every mark. */
export const hunyuanV3: ReplySyntax = {
  name: 'hunyuan-v3',
  ends: ['<｜hy_eos｜>', '<｜hy_eos:opensource｜>'],
  turns: ['<｜hy_Assistant｜>', '<｜hy_Assistant:opensource｜>'],
  reasoning: ['', ':opensource'].map((suffix) => ({ open: `<think${suffix}>`, close: `</think${suffix}>`, endsAtCalls: true as const })),
  sections: ['', ':opensource'].map((suffix) => ({ open: `<tool_calls${suffix}>`, close: `</tool_calls${suffix}>` })),
  blocks: ['', ':opensource'].map((suffix) => {
    const block = keyValueBlock(suffix)
    return { ...block, tagged: { ...block.tagged!, nameEnd: `<tool_sep${suffix}>` } }
  }),
}

/** K2 Horizon: the same with `ifm|` in every mark, or JSON between them. */
export const k2Horizon: ReplySyntax = {
  name: 'k2-horizon',
  ends: chatmlEnds,
  turns: chatmlTurns,
  reasoning: ['think', 'think_fast', 'think_faster'].map((name) => ({ open: `<ifm|${name}>`, close: `</ifm|${name}>` })),
  sections: [{ open: '<ifm|tool_calls>', close: '</ifm|tool_calls>' }],
  blocks: [{ ...keyValueBlock('', 'ifm|'), json: { name: 'name', arguments: ['arguments', 'parameters'], list: true } }],
}

/** Solar Open 2. */
export const solarOpen2: ReplySyntax = {
  name: 'solar-open2',
  ends: ['<|endoftext|>'],
  turns: ['<|begin|>'],
  reasoning: [{ open: '<|think:start|>', close: '<|think:end|>', endsAtCalls: true }, thinkSpan],
  blocks: [
    {
      open: ['<|tool_call:start|>'],
      close: '<|tool_call:end|>',
      tagged: { parameter: { open: '<|tool_arg:start|>', keyEnd: '<|tool_arg:value|>', close: '<|tool_arg:end|>' } },
    },
  ],
}

/** Kimi K3: every mark is `<|open|>name<|sep|>`, and each argument says its type. */
export const kimiK3: ReplySyntax = {
  name: 'kimi-k3',
  ends: ['<|end_of_msg|>'],
  turns: [],
  reasoning: [{ open: '<|open|>think<|sep|>', close: '<|close|>think<|sep|>', endsAtCalls: true }],
  ignored: ['<|open|>response<|sep|>', '<|close|>response<|sep|>', '<|close|>message<|sep|>'],
  sections: [{ open: '<|open|>tools<|sep|>', close: '<|close|>tools<|sep|>' }],
  blocks: [
    {
      open: ['<|open|>call tool="'],
      close: '<|close|>call<|sep|>',
      tagged: {
        nameEnd: '"',
        headEnd: '<|sep|>',
        parameter: {
          open: '<|open|>argument key="',
          keyEnd: '"',
          valueOpen: '<|sep|>',
          close: '<|close|>argument<|sep|>',
          typeAttribute: 'type',
        },
      },
    },
  ],
}

/** Gemma 4 and FunctionGemma: not JSON; texts are enclosed in a mark. */
export const gemma4: ReplySyntax = {
  name: 'gemma4',
  ends: ['<turn|>', '<|tool_response>'],
  turns: ['<|turn>'],
  reasoning: [
    { open: '<|channel>thought', close: '<channel|>', endsAtCalls: true },
    { open: '<|channel>', close: '<channel|>', endsAtCalls: true },
  ],
  ignored: ['<channel|>'],
  blocks: [{ open: ['<|tool_call>'], close: '<tool_call|>', quoted: { prefix: 'call:', quote: '<|"|>' } }],
}

export const functiongemma: ReplySyntax = {
  name: 'functiongemma',
  ends: ['<end_of_turn>', '<start_function_response>'],
  turns: ['<start_of_turn>'],
  blocks: [{ open: ['<start_function_call>'], close: '<end_function_call>', quoted: { prefix: 'call:', quote: '<escape>' } }],
}
