import * as aisbench from '../families/aisbench-classes.ts'
import type { Loader } from '../loader.ts'

/** Dataset classes of AISBench that OpenCompass does not have → their loaders. */
export const aisbenchLoaders: Readonly<Record<string, Loader>> = {
  Aime2025Dataset: aisbench.aime,
  Aime2026Dataset: aisbench.aime,
  BFCLDataset: aisbench.bfcl,
  DAPOMathDataset: aisbench.dapoMath,
  VideoBenchDataset: aisbench.videoBench,
  VocalSoundDataset: aisbench.vocalSound,
}
