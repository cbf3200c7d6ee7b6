import { judgePair, readTruth } from './judge-truth.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: npm run why-truth -- DIR\nDIR has truth.json and the result folders it names.')
  process.exit(2)
}
const pairs = readTruth(folder)
let right = 0
for (const pair of pairs) {
  const { found, wrong } = await judgePair(folder, pair)
  if (wrong.length === 0) right++
  const metric = typeof pair.metric === 'string' ? pair.metric : `${pair.metric.a} → ${pair.metric.b}`
  console.log(
    `${wrong.length === 0 ? 'yes' : 'NO '}  ${pair.a} → ${pair.b} (${metric}): ${pair.cause}${wrong.length === 0 ? '' : `; found ${found}: ${wrong.join('; ')}`}`,
  )
}
console.log(`${right} of ${pairs.length} pairs: cause, change and rows`)
process.exitCode = right / pairs.length >= 0.95 ? 0 : 1
