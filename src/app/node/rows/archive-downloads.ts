import type { Files } from '../../../compat/opencompass/loaders/files.ts'

/** How archives of OpenCompass's data are downloaded. Commands that need rows set it; a report over thousands of configs must not download. */
export const archiveDownloads: Pick<Files, 'download'> = {}
