import type { Files } from '../../compat/opencompass/loaders/files.ts'

type Downloads = Pick<Files, 'download' | 'repository' | 'split' | 'note' | 'tokenizer'>

/**
 * How missing data of OpenCompass's classes is downloaded for a config in a folder, which may have a lock. Commands that need rows set it; a
 * report over thousands of configs must not download.
 */
export const dataDownloads: { for: (folder: string) => Downloads } = { for: () => ({}) }
