import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderWith } from '../../folder-with.ts'
import { sumsFolder, until } from '../../queued-run.ts'
import { expectTrue, type Fault, finished } from './fault.ts'
import { otherVersion } from './stage.ts'

/** No worker serves the run, or one has nothing to do. */
export const noWorkers: readonly Fault[] = [
  {
    name: 'no worker',
    holds: 'the run ends after --wait-for-workers, and says so',
    async attempt(stage) {
      const folder = stage.folder()
      const first = stage.coordinate(folder, '--wait-for-workers', '3s')
      const code = await first.ended
      expectTrue(code === 2 && first.said().includes('there are none on the queue'), `it ends with words: ${code} ${first.said()}`)
      stage.work()
      await finished(stage, stage.coordinate(folder), folder, 0)
      return 'ended with 2 after 3 s; started again with a worker, the run is complete'
    },
  },
  {
    name: 'all workers refuse',
    holds: 'the run ends and lists the reason of each worker; nothing is asked',
    async attempt(stage) {
      // The coordinator has the tokenizer's file, and the workers' folder does not.
      const folder = sumsFolder('http://127.0.0.1:1/v1', 3, { tokenizer_path: 'tokenizer.json', format: 'chatml' })
      cpSync(
        fileURLToPath(new URL('../../../../packages/rolecall/embedded-model/tokenizer.json', import.meta.url)),
        join(folder, 'tokenizer.json'),
      )
      const elsewhere = ['--folder', folderWith({})]
      const workers = [stage.work({}, undefined, stage.redis.url, elsewhere), stage.work({}, undefined, stage.redis.url, elsewhere)]
      const coordinator = stage.coordinate(folder, '--wait-for-workers', '8s')
      const code = await coordinator.ended
      const reasons = coordinator
        .said()
        .split('\n')
        .filter((line) => /^ +\S+-\d+-[0-9a-f]{6}: .*tokenizer\.json/.test(line))
      expectTrue(code === 2 && reasons.length === workers.length, `each reason is listed: ${code} ${coordinator.said().slice(-1500)}`)
      expectTrue(stage.asked.size === 0, 'nothing is asked')
      expectTrue(
        workers.every(({ child }) => child.exitCode === null),
        'the workers wait for other runs',
      )
      return `${reasons.length} reasons, e.g. ${reasons[0]!.trim()}`
    },
  },
  {
    name: 'idle worker',
    holds: 'with --exit-when-idle it leaves after the run, not before it, with exit code 0; 1 if it refused the run',
    async attempt(stage) {
      const folder = stage.folder()
      const coordinator = stage.coordinate(folder)
      await until(() => coordinator.said().includes('no workers yet'), 'the run is on the queue')
      const idle = ['--exit-when-idle', '4s']
      const [worker, old] = [stage.work({}, undefined, stage.redis.url, idle), stage.work({}, otherVersion('0.0.1'), stage.redis.url, idle)]
      await finished(stage, coordinator, folder, 0)
      const codes = [await worker.ended, await old.ended]
      expectTrue(codes.join() === '0,1', `they leave: ${codes} ${worker.said()} ${old.said()}`)
      return `exit codes ${codes.join(' and ')}`
    },
  },
]
