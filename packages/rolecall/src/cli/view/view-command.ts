import { PromptError } from '@rolecall/core/internal/errors'
import { Command } from 'commander'
import type { PresetFlags } from '../../node/config/dataset-flags.ts'
import type { FormatFlags } from '../../node/formats/format-flags.ts'
import { ownVersion } from '../../node/own-files.ts'
import { onDisk } from '../../node/runs/disk-error.ts'
import { buildViewer } from '../../server/viewer/build-viewer.ts'
import { type Exported, exportSite } from '../../server/viewer/export-site.ts'
import { closeViewed, serveViewer } from '../../server/viewer/serve-viewer.ts'
import { positiveInteger } from '../flag-values.ts'
import { withFormatFlags, withPresetOptions, withTaskSeed } from '../flags.ts'
import { printReport } from '../screen/print-screen.ts'
import { colors } from '../terminal.ts'
import { openViewed } from './open-viewed.ts'
import { portNumber, servePage } from './serve-page.ts'

type Options = FormatFlags &
  PresetFlags & { port?: number; open: boolean; readOnly: boolean; control: boolean; export?: string; limit?: number }

export const viewCommand = withFormatFlags(withTaskSeed(withPresetOptions(new Command('view'))))
  .description('view prompts, tokens and results in the browser')
  .argument(
    '[what...]',
    'config files, run folders, saved conversations, models (ORG/NAME) or datasets (hf://datasets/ORG/NAME) on a hub (default: the nearest rolecall.config.ts, .js, .json or .yaml, else a built-in example)',
  )
  .option('--port <number>', 'the port on 127.0.0.1 (default: a free one)', portNumber)
  .option('--no-open', 'print the address without opening a browser')
  .option('--read-only', 'refuse changes from the page, such as notes on rows', false)
  .option('--control', 'let the page pause, limit and stop runs in progress, with the token that is printed', false)
  .option(
    '--export <target>',
    'export the pages with their data: to a single .html file that opens from disk, or to a folder for a web server',
  )
  .option('--limit <number>', 'with --export: at most this many rows per dataset', positiveInteger)
  .addHelpText(
    'after',
    `
Examples:
  rolecall view                        the prompts of the config in this folder, or the shipped example
  rolecall view outputs/sums           the runs in a folder, also while one is in progress
  rolecall view outputs/a outputs/b    two runs, compared row by row
  rolecall view chat.json              a saved conversation
  rolecall view Qwen/Qwen3-8B          the shipped example in the chat template of a model on a hub
  rolecall view hf://datasets/openai/gsm8k/main/test   the rows of a dataset on a hub, or the results in it
  rolecall view outputs/sums --export report.html   export to a single file, for mail and archives
  rolecall view outputs/sums --export site   export to a static site with the embedded model
  rolecall view --tasks arc_easy --include-path tasks --data-dir data   the prompts of an lm-evaluation-harness task
  rolecall view outputs/sums --control   the same, and control a run that is in progress
  rolecall view eval.yaml --no-open    print the address only`,
  )
  .action(async (what: string[], options: Options) => {
    if (options.control && (options.readOnly || options.export !== undefined)) throw contradiction(options)
    const viewed = { version: ownVersion(), ...(await openViewed(what, options)) }
    buildViewer()
    if (options.export !== undefined) {
      const { export: target, limit } = options
      const exported = await onDisk(
        () => target,
        () => exportSite(viewed, target, limit === undefined ? {} : { limit }),
        '--export TARGET',
      ).finally(() => closeViewed(viewed))
      printReport(`${exported.path}\n${colors.dim(describeExport(exported, options.export))}`)
      return
    }
    const { port, readOnly: isReadOnly, control: hasControl } = options
    const server = await serveViewer(viewed, { ...(port === undefined ? {} : { port }), isReadOnly, hasControl })
    await servePage(server, server.url, options)
  })

function contradiction({ readOnly }: Options): PromptError {
  return new PromptError('contradiction', {
    where: readOnly ? '--control, --read-only' : '--control, --export',
    problem: readOnly ? 'a read-only page controls nothing' : 'an exported page has no server that could control a run',
    fix: 'leave one of them out',
  })
}

function describeExport({ rows, bytes, leftOut }: Exported, target: string): string {
  if (bytes === undefined) return `${rows} rows. Serve it with any file server, e.g. npx http-server ${target}`
  const size = `${rows} rows in ${(bytes / 1_000_000).toFixed(1)} MB${bytes > maxMailBytes ? '; use --limit for fewer rows' : ''}. Open it with a double click.`
  const omitted = ['the lab', 'the embedded model', ...leftOut]
  return `${size}\nNot included: ${omitted.join(', ')}.`
}

/** Mail servers reject larger files. */
const maxMailBytes = 20_000_000
