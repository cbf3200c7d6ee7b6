import type { Files } from '../../../compat/opencompass/loaders/files.ts'

/** How missing data of OpenCompass's classes is downloaded. Commands that need rows set it; a report over thousands of configs must not download. */
export const dataDownloads: Pick<Files, 'download' | 'repository' | 'tokenizer'> = {}
