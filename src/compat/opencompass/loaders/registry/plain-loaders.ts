import { chatml } from '../families/chatml.ts'
import * as plain from '../families/plain.ts'
import type { Loader } from '../loader.ts'

/** Files as they are: dataset class of OpenCompass → how its rows are read. */
export const plainLoaders: Readonly<Record<string, Loader>> = {
  HFDataset: plain.huggingface,
  JsonlDataset: plain.jsonLines,
  CustomDataset: plain.custom,
  CodeCustomDataset: plain.codeCustom,
  ChatMLDataset: chatml,
}
