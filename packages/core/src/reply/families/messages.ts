import type { ReplySyntax } from '../syntax.ts'
import { llamaEnds, llamaTurns } from './spans.ts'

// Families whose reply is a row of messages, each with a head that says whom it is for.

/**
 * gpt-oss: harmony. Thoughts are in the channel `analysis`, calls go to `functions.name`, all else is for the user.
 * @see https://github.com/openai/harmony
 */
export const gptOss: ReplySyntax = {
  name: 'gpt-oss',
  ends: [],
  turns: ['<|start|>'],
  messages: {
    start: '<|start|>',
    channel: '<|channel|>',
    body: '<|message|>',
    ends: ['<|end|>', '<|call|>', '<|return|>'],
    recipient: 'to=',
    prefix: 'functions.',
    thoughts: ['analysis'],
    readers: ['user', 'assistant', 'all'],
    calls: 'json',
  },
  blocks: [],
}

/** Muse Glimmer: thoughts go to `self`, text to `user`, and calls to a tool are tagged. */
export const museGlimmer: ReplySyntax = {
  name: 'muse-glimmer',
  ends: ['<|eot|>'],
  turns: ['<|start|>'],
  messages: {
    start: '<|start|>',
    body: '<|message|>',
    ends: ['<|eom|>'],
    recipient: 'to=',
    thoughts: ['self'],
    readers: ['user', 'assistant'],
    calls: 'blocks',
  },
  sections: [{ open: '<atem:function_calls>', close: '</atem:function_calls>' }],
  blocks: [
    {
      open: ['<atem:invoke name="'],
      close: '</atem:invoke>',
      tagged: {
        nameEnd: '"',
        headEnd: '>',
        namespaced: true,
        parameter: { open: '<atem:parameter name="', keyEnd: '"', valueOpen: '>', close: '</atem:parameter>' },
      },
    },
  ],
}

/** Functionary v3.2: `>>>all` before text, `>>>name` before a call's JSON. */
export const functionary32: ReplySyntax = {
  name: 'functionary-v3.2',
  ends: llamaEnds,
  turns: llamaTurns,
  messages: { start: '>>>', body: '\n', ends: [], thoughts: [], readers: ['all'], calls: 'json' },
  blocks: [],
}
