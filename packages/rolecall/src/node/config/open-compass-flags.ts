import { basename } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { type PyValue, repr } from '@rolecall/core/internal/python'
import { type ImportedConfig, importConfig } from '../../compat/opencompass/import/import-config.ts'
import { readSettings } from '../tasks/key-values.ts'
import { readData } from './import-python.ts'

/** The flags of OpenCompass that describe one model of Hugging Face and one file of questions. */
export type OpenCompassFlags = {
  hfPath?: string
  hfType?: 'base' | 'chat'
  tokenizerPath?: string
  modelKwargs?: string
  tokenizerKwargs?: string
  generationKwargs?: string
  peftPath?: string
  maxSeqLen?: number
  maxOutLen?: number
  hfNumGpus?: number
  customDatasetPath?: string
  customDatasetMetaPath?: string
  customDatasetDataType?: string
  customDatasetInferMethod?: string
}

/** The entries that these flags describe, read as the config that OpenCompass makes of them. */
export function entriesOfFlags(flags: OpenCompassFlags): ImportedConfig {
  const text = `models = ${literal(modelsOf(flags))}\ndatasets = ${literal(datasetsOf(flags))}\n`
  return importConfig('flags.py', { read: (path) => (path === 'flags.py' ? text : undefined), readData, hashes: false })
}

/** Refuses these flags beside a config: OpenCompass ignores them there. */
export function refuseBesideConfig({ hfPath, customDatasetPath }: OpenCompassFlags, config: string): void {
  const flag = hfPath !== undefined ? '--hf-path' : customDatasetPath !== undefined ? '--custom-dataset-path' : undefined
  if (flag === undefined) return
  throw new PromptError('both', {
    where: flag,
    problem: `${config} has models and datasets as well`,
    fix: 'leave one of them out; OpenCompass would use the config alone',
  })
}

function modelsOf(flags: OpenCompassFlags): PyValue[] {
  const { hfPath: path, hfType = 'chat', maxOutLen = 256 } = flags
  if (path === undefined) return []
  const kwargs = (text: string | undefined, flag: string) => (text === undefined ? undefined : readSettings(text, flag))
  return [
    withoutUndefined({
      type: hfType === 'chat' ? 'HuggingFacewithChatTemplate' : 'HuggingFaceBaseModel',
      abbr: `${basename(path)}_hf`,
      path,
      tokenizer_path: flags.tokenizerPath,
      peft_path: flags.peftPath,
      model_kwargs: kwargs(flags.modelKwargs, '--model-kwargs'),
      tokenizer_kwargs: kwargs(flags.tokenizerKwargs, '--tokenizer-kwargs'),
      generation_kwargs: kwargs(flags.generationKwargs, '--generation-kwargs'),
      max_seq_len: flags.maxSeqLen,
      max_out_len: maxOutLen,
      run_cfg: { num_gpus: flags.hfNumGpus ?? 1 },
    }),
  ]
}

function datasetsOf(flags: OpenCompassFlags): PyValue[] {
  const { customDatasetPath: path } = flags
  if (path === undefined) return []
  return [
    withoutUndefined({
      path,
      meta_path: flags.customDatasetMetaPath,
      data_type: flags.customDatasetDataType,
      infer_method: flags.customDatasetInferMethod,
    }),
  ]
}

function withoutUndefined(entry: Readonly<Record<string, PyValue | undefined>>): PyValue {
  return new Map(Object.entries(entry).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}

function literal(value: PyValue): string {
  return String(repr(value))
}
