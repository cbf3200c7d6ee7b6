import { type Command, Option } from 'commander'
import { logProbabilitiesToKeep } from '../../evaluation/run/record/trim-scores.ts'
import { modelFlagUsage } from '../../model/model-types/index.ts'
import { withCiOptions } from '../ci/report-run.ts'
import {
  duration,
  durationOrForever,
  factor,
  orNone,
  positiveDuration,
  positiveInteger,
  positiveNumber,
  rowsOrShare,
  seedOrSeeds,
  withStop,
} from '../flag-values.ts'
import {
  baseUrlHelp,
  datasetsHelp,
  judgeHelp,
  modelsHelp,
  withCompatFlag,
  withFormatFlags,
  withOpenCompassFlags,
  withPresetOptions,
  withPythonFlags,
} from '../flags.ts'
import { withSamplingFlags } from '../sampling-flags.ts'
import { shardFlag } from './shard-flag.ts'

/** The flags of `rolecall run`, grouped by what they decide. */
export function withRunOptions(command: Command): Command {
  return [modelOptions, dataOptions, samplingOptions, limitOptions, resultOptions, queueOptions].reduce((given, add) => add(given), command)
}

function modelOptions(command: Command): Command {
  const grouped = command
    .optionsGroup('Model:')
    .option('--models <names>', modelsHelp)
    .option('--base-url <url>', baseUrlHelp)
    .option('--judge <model@url>', judgeHelp)
    .option('--wait-for-server <time>', 'how long a server may take to start, e.g. 5m (default: 1s; max_server_wait of a model)', duration)
    .option(
      '--model <model>',
      `run this model instead of the config's: local-completions or local-chat-completions, as in lm-evaluation-harness; ${modelFlagUsage}`,
    )
    .option('--model-args <settings>', 'with --model local-completions: model=NAME,base_url=URL, and tokenizer=FOLDER,num_concurrent=8')
  const launched = grouped
    .option(
      '--launch <engine>',
      "start an engine for the path of each local model, with the config's settings, and stop it after the run: vllm, sglang, lmdeploy, llama-server, or a command with {path} and {port}",
    )
    .option('--launch-time <time>', 'with --launch: how long an engine may take until it answers (default: 30m)', positiveDuration)
  return withFormatFlags(launched).option(
    '--formats <names>',
    'run every model in each of these formats (comma-separated), to see how much the format alone changes',
  )
}

function dataOptions(command: Command): Command {
  const withData = withPresetOptions(withCompatFlag(command.optionsGroup('Data:').option('--datasets <names>', datasetsHelp))).addOption(
    new Option(
      '--mode <mode>',
      'with --preset: generation or perplexity; as in OpenCompass: all, infer (--no-score), or, with -r, eval and viz (`rolecall score`)',
    ).choices(['gen', 'ppl', 'all', 'infer', 'eval', 'viz']),
  )
  return withPythonFlags(withOpenCompassFlags(withData))
}

function samplingOptions(command: Command): Command {
  const grouped = command
    .optionsGroup('Sampling (overrides the config):')
    .option('--max-out-len <number>', 'maximum tokens per answer', positiveInteger)
    .option(
      '--stop <text>',
      'a stop sequence, in addition to those of the format; can be repeated; \\n is a newline, "" means none',
      withStop,
    )
  return withSamplingFlags(grouped, {
    seed: {
      does: 'sampling seed; each row and sample derives its own from it; with --tasks also the seed of few-shot examples, or four seeds as in lm-evaluation-harness: 0,1234,1234,1234',
      read: seedOrSeeds,
    },
  })
}

function limitOptions(command: Command): Command {
  return command
    .optionsGroup('Limits:')
    .option('--epochs <number>', 'answers to each row, of every dataset: `n` of a dataset in the config', positiveInteger)
    .option('--limit <number>', 'at most this many rows of each dataset; below 1, this share of them, e.g. 0.1', rowsOrShare)
    .option(
      '--batch-size <size>',
      'accepted as in lm-evaluation-harness; each row is a separate request; --max-num-workers sets how many are sent at once',
    )
    .option('--max-num-workers <number>', 'rows in flight at once (default: as many as the model serves)', positiveInteger)
    .option(
      '--max-cost <amount>',
      "send no more rows when the next would bring the cost above this, in the currency of the models' prices; resume with -r and a higher limit, or none",
      orNone(positiveNumber),
    )
    .option(
      '--prices <file>',
      "prices of the models and judges without `price`, per token, as JSON in LiteLLM's format: for costs, --max-cost and --dry-run",
    )
    .option('--max-tokens-total <number>', 'the same for prompt and generated tokens, of models and judges', orNone(positiveInteger))
    .option('--max-time <time>', 'send no more rows after this time, e.g. 90s, 30m or 2h', orNone(positiveDuration))
    .option(
      '--batch',
      'send requests through the batch endpoint of OpenAI or Anthropic: within a day, at half the price; -r resumes after a kill without paying twice',
    )
    .option('--dry-run', 'show what would be sent, how many tokens, and what it is expected to cost, without sending anything', false)
    .option('--print-config', 'print the config in its full form as YAML, as experts write it, and run nothing')
}

function resultOptions(command: Command): Command {
  const grouped = command
    .optionsGroup('Results:')
    .option(
      '--summarizer <name>',
      "OpenCompass's summarizer of this name or path: its groups, and the datasets and groups that the tables show",
    )
    .option('-w, --work-dir <folder>', 'where results go, in a new folder named by the time (default: outputs/<name> beside the config)')
    .option('-r, --reuse [run]', 'resume a run: the latest, or the one with this time or path; rows already answered are kept')
    .option('--retry-errors', 'with -r: retry rows that failed', false)
    .option(
      '--retry-cut <factor>',
      'send rows whose answer was cut at max_out_len once more, with a larger limit, e.g. 2x, and record both; with -r also those of the run',
      factor,
    )
    .option('--cache <folder>', 'where answers are cached between runs (default: ROLECALL_CACHE, else ~/.cache/rolecall)')
    .option('--no-cache', 'neither read nor write the cache of answers')
    .option('--frozen', 'refuse anything from a hub that rolecall.lock does not list')
    .option('--no-score', 'collect answers without scoring (unknown evaluators are allowed); `rolecall score` scores them later')
    .option('--allow-unscorable', 'run datasets even if none of their gold answers can be scored right')
    .option('--prompts', 'also write the prompts that were sent', false)
    .addOption(
      new Option(
        '--layout <program>',
        'also write predictions/, results/ and summary/ as this program does; the records of Rolecall are then in rolecall/ (docs/outputs.md)',
      ).choices(['opencompass']),
    )
    .addOption(
      new Option(
        '--log-probabilities <kept>',
        'which log-probabilities to write for perplexity and likelihood: every token (all, the default), each label (labels), or none',
      ).choices(logProbabilitiesToKeep),
    )
    .option('--output-path <path>', 'with --tasks: also write results_*.json as lm-evaluation-harness does, to this folder or .json file')
    .option('--log-samples', 'with --output-path: also write samples_*.jsonl, with every document, prompt and reply')
    .option('--json', 'print the summary as JSON', false)
    .option('--verbose', 'print everything that summary/summary.md has, and a line for each finished model and dataset', false)
    .option('--events <file>', 'write events as JSON lines (docs/outputs.md) to this file, or to standard output (-) instead of the tables')
    .option('--metrics <address>', 'serve metrics for Prometheus at /metrics of this port, or of HOST:PORT, during the run')
    .addOption(
      new Option(
        '--otel [text]',
        'send an OpenTelemetry span per row to OTEL_EXPORTER_OTLP_ENDPOINT, without prompts and answers; with content, with answers, and with prompts if --prompts is given',
      ).choices(['content']),
    )
  return withCiOptions(grouped)
}

function queueOptions(command: Command): Command {
  return command
    .optionsGroup('Many machines:')
    .option(
      '--queue [address]',
      'distribute the rows to workers (`rolecall runs worker`) through this Redis or Valkey server, e.g. redis://10.0.0.5:6379 (default: ROLECALL_QUEUE)',
    )
    .option(
      '--wait-for-workers <time>',
      'with --queue: end the run if a model has no worker for this long, e.g. 30m or forever (default: 10m)',
      durationOrForever,
    )
    .option(
      '--shard <part/parts>',
      'only this part of the rows, e.g. 2/4, or auto in a Slurm array (auto/8 in a Kubernetes indexed Job); `rolecall runs merge` joins the parts',
      (text: string) => shardFlag(text),
    )
}
