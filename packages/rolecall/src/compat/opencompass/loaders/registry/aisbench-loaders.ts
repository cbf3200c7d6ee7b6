import * as aisbench from '../families/aisbench-classes.ts'
import * as images from '../families/aisbench-images.ts'
import * as long from '../families/long-context.ts'
import type { Loader } from '../loader.ts'

/** Dataset classes of AISBench that OpenCompass does not have → their loaders. */
export const aisbenchLoaders: Readonly<Record<string, Loader>> = {
  Aime2025Dataset: aisbench.aime,
  Aime2026Dataset: aisbench.aime,
  BFCLDataset: aisbench.bfcl,
  DAPOMathDataset: aisbench.dapoMath,
  DocVQADataset: images.documentImages,
  InfoVQADataset: images.documentImages,
  LEvalCodeUDataset: long.lEval(),
  LEvalSciFiDataset: long.lEval(),
  MMStarDataset: images.mmStar,
  RealworldQADataset: images.realWorldQa,
  TEXTVQADataset: images.textVqa,
  VideoBenchDataset: aisbench.videoBench,
  VocalSoundDataset: aisbench.vocalSound,
}
