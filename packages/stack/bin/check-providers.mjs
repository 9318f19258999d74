// `npm run operate -- provider check`. It needs no stack and no operator's key. The rails are named by their path: as a
// dependency they would close a circle, because their tests start stacks.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseEnv } from 'node:util'

export async function checkProviders({ values }) {
  const [{ checkProviders }, { textTable }] = await Promise.all([
    import('../../rails/dist/check-providers.js'),
    import('../dist/operations/text-table.js'),
  ])
  const environment =
    values.env === undefined ? process.env : parseEnv(readFileSync(values.env, 'utf8'))
  const checks = await checkProviders(environment, Date.now)
  return {
    text: textTable(checks.map(({ what, result, said }) => [result, what, said])),
    isGood: checks.every(({ result }) => result !== 'wrong'),
  }
}
