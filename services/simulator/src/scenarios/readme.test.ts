import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mpesa, startSimulator } from '../start.harness'

test('the ten scenarios by curl in the README of the package meet what they expect', async () => {
  const readme = readFileSync(join(__dirname, '../../npm-readme.md'), 'utf8')
  const lines = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, block = '']) => block)
    .join('')
  expect(lines.match(/^# \d+\./gm)).toHaveLength(10)
  const merchant = { consumerKey: 'consumer-key', consumerSecret: 'consumer-secret' }
  const sim = await startSimulator({ mpesa: { ...mpesa, ...merchant, passkey: 'passkey' } })
  const script = `set -e\n${lines.replaceAll('http://127.0.0.1:4010', sim.url)}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script])
  await sim.stop()
  expect(stdout.match(/"met":\w+/g)).toEqual(Array(10).fill('"met":true'))
  expect(stdout).not.toMatch(/"error/)
})
