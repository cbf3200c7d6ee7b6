import { findDifferences } from './compare.ts'

/** `node scripts/ts.mjs proof/conformance/chat/fuzz/main.ts COUNT [SEED]`: a long differential fuzzing run; prints the differences. */
const [count = '2000', seed = '1'] = process.argv.slice(2)
const batch = 500
let found = 0
for (let done = 0; done < Number(count); done += batch) {
  for (const { seed: at, template, python, ours, way } of findDifferences(Number(seed) + done, batch)) {
    found++
    console.log(`seed ${at} (${way})\n  ${JSON.stringify(template)}\n  python ${JSON.stringify(python)}\n  ours   ${JSON.stringify(ours)}`)
  }
}
console.log(`${found} differences in ${count} templates`)
process.exitCode = found > 0 ? 1 : 0
