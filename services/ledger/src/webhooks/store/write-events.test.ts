import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = join(__dirname, '../..')

/**
 * Files whose changes of intents are never an event, which src/webhooks/rules/payment-event.test.ts proves for each.
 */
const silent = [
  'audit/store/assume-sent.ts', // reserved -> submitted
  'intents/store/begin-query.ts', // no status
  'intents/store/claim-due.ts', // no status
  'intents/store/expire-overdue.ts', // to expired
  'intents/store/save-start.ts', // begins as reserved
]

test('a file whose statements move intents writes their events, or is listed as silent', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|harness)\.ts$/.test(file))
    .filter((file) => !file.startsWith('database/generated/'))
  const textOf = (file: string) => readFileSync(join(sources, file), 'utf8')
  const moving = files.filter((file) => /(?:UPDATE|INSERT INTO) intents\b/.test(textOf(file)))
  const writing = moving.filter((file) => /writingEvents\(|query\(writeEvents,/.test(textOf(file)))
  expect(moving.filter((file) => !writing.includes(file)).toSorted()).toEqual(silent)
  for (const file of writing) {
    const text = textOf(file)
    const changes = text.match(/(?:UPDATE|INSERT INTO) intents\b/g) ?? []
    const asides = text.match(/\$\{eventsAreWritten\}/g) ?? []
    expect([file, asides.length]).toEqual([file, changes.length])
  }
})
