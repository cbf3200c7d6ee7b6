import { buildCli } from './build-cli.ts'

/** Runs once before all tests. */
export default async function setup(): Promise<void> {
  console.log(`seed ${process.env.ROLECALL_SEED} (ROLECALL_SEED=${process.env.ROLECALL_SEED} repeats this run)`)
  await buildCli()
}
