import type { ForeignFlag } from './foreign-flag.ts'

const noCluster = {
  problem: 'jobs are not submitted to a cluster',
  fix: 'run the command in your job: --shard auto in a Slurm array, or --queue and `rolecall worker` on many machines',
}
const noStation = {
  problem: 'there is no results station',
  fix: 'leave it out; `rolecall view` and `compare` read all runs below a folder',
}
const noSpeed = { problem: 'speed is not measured under a given load', fix: 'leave it out; each record has the time of its answer' }

/**
 * The flags of OpenCompass (`opencompass --help`, version 0.5.3) and of AISBench (`ais_bench --help`) that mean the same here, change nothing,
 * or are refused; `-m` and `--mode` are in `otherCommand`. Flags of both and of lm_eval are in its table.
 */
export const openCompassFlags: Readonly<Record<string, ForeignFlag>> = {
  'with-python': { takes: 'optional' },
  debug: { takes: 'none', ignored: 'rows are sent by this process, and its errors are shown as they occur' },
  accelerator: { takes: 'one', is: 'launch' },
  'config-dir': {
    takes: 'one',
    refused: {
      problem: 'config files are named from the folder that has configs/ or opencompass/configs/',
      fix: 'run the command there, or give the path of the file',
    },
  },
  'config-verbose': { takes: 'none', ignored: '--dry-run shows every setting and where it is set' },
  lark: {
    takes: 'none',
    short: '-l',
    refused: { problem: 'no messages are sent to Lark', fix: 'leave it out; --events and --otel report the run' },
  },
  'max-workers-per-gpu': { takes: 'one', ignored: 'the server of the model decides what runs on a GPU' },
  retry: { takes: 'one', ignored: 'requests are sent again as `retry` of the model says' },
  'dump-eval-details': { takes: 'optional', ignored: 'every row is recorded with its answer and score' },
  'dump-res-length': { takes: 'none', ignored: 'every row is recorded with the tokens of its answer' },
  'dump-extract-rate': {
    takes: 'none',
    ignored: 'every row is recorded with the answer that was extracted; `rolecall view` counts those without',
  },
  'analysis-repeat': { takes: 'none', ignored: 'every row is recorded, and no answers are searched for repetitions' },
  'station-path': { takes: 'one', refused: noStation },
  'station-overwrite': { takes: 'none', refused: noStation },
  'read-from-station': { takes: 'none', refused: noStation },
  'dataset-num-runs': {
    takes: 'one',
    refused: {
      problem: 'the number of answers to a row belongs to the dataset',
      fix: 'write n=NUMBER (and k) in the entry of the dataset',
    },
  },
  'dump-only-message-path': {
    takes: 'one',
    refused: { problem: 'this is another command here', fix: '`rolecall render CONFIG --json` prints the messages of all rows' },
  },
  slurm: { takes: 'none', refused: noCluster },
  partition: { takes: 'one', short: '-p', refused: noCluster },
  quotatype: { takes: 'one', short: '-q', refused: noCluster },
  qos: { takes: 'one', refused: noCluster },
  dlc: { takes: 'none', refused: noCluster },
  'aliyun-cfg': { takes: 'one', refused: noCluster },
  'hf-type': { takes: 'one' },
  'hf-path': { takes: 'one' },
  'model-kwargs': { takes: 'pairs' },
  'tokenizer-path': { takes: 'one' },
  'tokenizer-kwargs': { takes: 'pairs' },
  'peft-path': { takes: 'one' },
  'peft-kwargs': { takes: 'pairs', ignored: 'the engine loads the adapter as its own flags say' },
  'generation-kwargs': { takes: 'pairs' },
  'max-seq-len': { takes: 'one' },
  'max-out-len': { takes: 'one' },
  'min-out-len': { takes: 'one', ignored: 'no minimum is sent; set `extra_body` of a model for servers that have one' },
  'num-gpus': { takes: 'one', refused: { problem: 'this flag is deprecated in OpenCompass', fix: 'write --hf-num-gpus' } },
  'hf-num-gpus': { takes: 'one' },
  'pad-token-id': { takes: 'one', ignored: 'rows are sent one by one, without padding' },
  'stop-words': { takes: 'words', is: 'stop' },
  'custom-dataset-path': { takes: 'one' },
  'custom-dataset-meta-path': { takes: 'one' },
  'custom-dataset-data-type': { takes: 'one' },
  'custom-dataset-infer-method': { takes: 'one' },
  'num-prompts': { takes: 'one', is: 'limit' },
  'num-warmups': { takes: 'one', ignored: 'speed is not measured, and no request is left out' },
  'merge-ds': { takes: 'none', ignored: 'datasets of one kind are sent at once anyway; a summarizer has their mean' },
  pressure: { takes: 'none', refused: noSpeed },
  'pressure-time': { takes: 'one', refused: noSpeed },
  search: {
    takes: 'none',
    refused: { problem: 'this is another command here', fix: '`rolecall list` prints names; --dry-run shows what a name gives' },
  },
}

/** A command line that means another command here, and a note that says so. */
type Rewritten = { words: string[]; note: string | undefined }

/**
 * `--mode` of OpenCompass and AISBench: `all` is what `run` does, `infer` is `--no-score`, `eval` and `viz` read a finished run, which is
 * `rolecall score`. Our own modes (gen, ppl) stay.
 */
export function withMode(args: readonly string[]): Rewritten {
  const at = args.findIndex((word) => /^(?:--mode|-m)(?:=|$)/.test(word))
  const [, written] = (args[at] ?? '').split('=')
  const mode = written ?? args[at + 1]
  if (at < 0 || args[0] !== 'run') return { words: [...args], note: undefined }
  const rest = args.toSpliced(at, written === undefined ? 2 : 1)
  const same = { words: [...rest, '--mode', ...(mode === undefined ? [] : [mode])], note: undefined }
  switch (mode) {
    case 'all':
      return { words: rest, note: undefined }
    case 'infer':
      return {
        words: [...rest, '--no-score'],
        note: '--mode infer is --no-score here: answers are collected, and `rolecall score` scores them',
      }
    case 'eval':
    case 'viz': {
      const run = runGiven(rest)
      if (run === undefined) return same
      const shown = `rolecall score ${run}`
      const does = mode === 'eval' ? 'it scores the recorded answers, and sends nothing' : 'it computes the summary again and shows it'
      return { words: ['score', run, ...kept(rest)], note: `--mode ${mode} is \`${shown}\` here: ${does}` }
    }
    default:
      return same
  }
}

/** The run that -r and -w name, else the latest of the config. */
function runGiven(words: readonly string[]): string | undefined {
  const textOf = (long: string, short: string) => {
    const at = words.findIndex((word) => word === long || word === short || word.startsWith(`${long}=`))
    if (at < 0) return undefined
    const [, equal] = words[at]?.split(/=(.*)/s) ?? []
    const next = words[at + 1]
    return equal ?? (next === undefined || next.startsWith('-') ? '' : next)
  }
  const time = textOf('--reuse', '-r')
  const folder = textOf('--work-dir', '-w')
  const config = words.slice(1).find((word) => /\.(?:py|ya?ml|json|[cm]?[jt]s)$/.test(word))
  if (time === undefined) return undefined
  const isTime = time !== '' && time !== 'latest' && time !== config
  if (folder) return isTime ? `${folder}/${time}` : folder
  return isTime ? time : config
}

/** The flags that `score` has as well. */
function kept(words: readonly string[]): string[] {
  return words.filter((word) => word === '--json')
}
