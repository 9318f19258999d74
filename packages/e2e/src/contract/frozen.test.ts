import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How the suite is given its stack, and this file: what may change while the contract does not. */
const changing = ['contract-stack.ts', 'frozen.json', 'frozen.test.ts']

const digestOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(__dirname, file)))
    .digest('hex')

test('the suite of the contract is the one that was frozen', () => {
  const frozen = JSON.parse(readFileSync(join(__dirname, 'frozen.json'), 'utf8')) as object
  const files = readdirSync(__dirname).filter((file) => !changing.includes(file))
  expect(Object.fromEntries(files.sort().map((file) => [file, digestOf(file)]))).toEqual(frozen)
})
