import type { PyValue } from '@rolecall/core/internal/python'

/** What code asks `load_dataset` for: a builder such as `json` or a folder, and where its files are. */
export type DatasetRequest = { path: string; name?: string; files?: PyValue; folder?: string; split?: string }

/** An archive of OpenCompass's data that code would download, and the folder that it would unpack it in. */
export type ArchiveRequest = { archive: string; md5: string; folder: string }

export type DataRequest = DatasetRequest | ArchiveRequest

/** Ends a call that needs data: it is read or downloaded, and the call is made again. */
export class DataNeeded extends Error {
  constructor(readonly request: DataRequest) {
    super('data is needed')
  }
}
