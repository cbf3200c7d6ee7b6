/** A dataset with its template, a row and a model, as texts of a config, and the mode. */
export type ConfigTexts = { model: string; dataset: string; row: string; mode: '' | 'gen' | 'ppl' }

export const panes = ['row', 'dataset', 'model'] as const
export type Pane = (typeof panes)[number]
