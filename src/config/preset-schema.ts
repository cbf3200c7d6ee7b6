import { z } from 'zod'

/** A known benchmark among `datasets`: its templates and scores are ours, its files are the user's. */
export const presetUseSchema = z
  .strictObject({
    preset: z.string().describe('A benchmark by name, e.g. "mmlu"; `rolecall presets` lists them.'),
    path: z.string().describe('The folder with its files as they were downloaded, relative to the config.'),
    abbr: z.string().optional().describe('A short name for tables and files; the name of the preset by default.'),
    mode: z.enum(['gen', 'ppl']).optional().describe('Generation or perplexity, where the preset has both; generation by default.'),
    shots: z.int().nonnegative().optional().describe('How many examples are shown; as many as usual by default.'),
    subjects: z.array(z.string()).min(1).optional().describe('Only these subjects, by the names of their files.'),
  })
  .describe('A known benchmark, from the files that you have.')

export type PresetUse = z.input<typeof presetUseSchema>
