/** Rules, tested on the input, for where lagent's `extract_code` and Rolecall differ. `docs/replies.md` lists them as a table. */
export const codeRules: Record<string, { reason: string; applies: (input: string) => boolean }> = {
  'code-ticks-in-line': {
    reason: 'Ticks inside a line of code close the fence, which cuts the code.',
    applies: (input) => /^```\w*\n[^\n]*\S[^\n]*```/.test(input),
  },
  'code-newline-kept': {
    reason: 'The newline before the closing fence is part of the code.',
    applies: (input) => /^```\w*\n[\s\S]*\n```/.test(input),
  },
  'code-unclosed-fence': {
    reason: 'A fence that never closes holds no code, although a reply may be cut short.',
    applies: (input) => input.startsWith('```'),
  },
  'code-inline-span': {
    reason: 'The first `inline` span is the code, also where ticks are part of the code.',
    applies: (input) => /`[^`]+`/.test(input),
  },
  'code-json': {
    reason: 'Of a JSON object the member "code" is the code, also where that object is the program.',
    applies: (input) => input.startsWith('{'),
  },
}
