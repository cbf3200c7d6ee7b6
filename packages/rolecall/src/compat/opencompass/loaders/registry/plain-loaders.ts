import { chatml } from '../families/chatml.ts'
import * as plain from '../families/plain.ts'
import type { Loader } from '../loader.ts'

/** Plain files: dataset class of OpenCompass → its loader. */
export const plainLoaders: Readonly<Record<string, Loader>> = {
  HFDataset: plain.huggingface,
  JsonlDataset: plain.jsonLines,
  CustomDataset: plain.custom,
  CodeCustomDataset: plain.codeCustom,
  ChatMLDataset: chatml,
}
