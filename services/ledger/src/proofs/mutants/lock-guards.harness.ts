import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Guard, Mutant } from './table-entries.harness'
import { saveGuards } from './save-guards.harness'

const checkoutLock = 'ORDER BY c.id FOR NO KEY UPDATE ${whatIsHeld}'
const intentLock = 'ORDER BY i.id FOR NO KEY UPDATE ${whatIsHeld}'

/**
 * The locks that alone protect a decision. A lock is not listed if the save checks the same thing again, because then
 * no test fails when only one of the two is taken away.
 */
const lockGuards: readonly Guard[] = [
  {
    breaks: 'evidence does not lock the checkout',
    file: 'evidence/store/apply-evidence.ts',
    ...{ from: checkoutLock, to: 'ORDER BY c.id' },
    checks: ['evidence/apply-evidence', 'refunds/apply-evidence', 'cards/apply-evidence'],
  },
  {
    breaks: 'evidence does not lock the intent',
    file: 'evidence/store/apply-evidence.ts',
    ...{ from: intentLock, to: 'ORDER BY i.id' },
    checks: ['evidence/apply-evidence', 'refunds/apply-evidence', 'cards/apply-evidence'],
  },
  {
    breaks: 'evidence does not lock a receipt that lies in suspense',
    file: 'evidence/store/load-elsewhere.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1 || ':' || receipt, 0))`,
    to: 'SELECT $1::text',
    checks: ['evidence/apply-evidence-elsewhere'],
  },
  {
    breaks: 'a posting by hand does not lock the intent',
    file: 'reports/store/report-postings.ts',
    from: '(SELECT count(*) FROM held) >= 0 FOR NO KEY UPDATE',
    to: '(SELECT count(*) FROM held) >= 0',
    checks: ['reports/decide-report-posting'],
  },
  {
    breaks: 'Pay Bill money does not lock the checkout',
    file: 'pay-bill/store/apply-pay-bill.ts',
    ...{ from: checkoutLock, to: 'ORDER BY c.id' },
    checks: ['pay-bill/apply-pay-bill-races.db.test.ts'],
  },
  {
    breaks: 'Pay Bill money does not lock the intent',
    file: 'pay-bill/store/apply-pay-bill.ts',
    ...{ from: intentLock, to: 'ORDER BY i.id' },
    checks: ['pay-bill/apply-pay-bill-handles.db.test.ts'],
  },
  {
    breaks: 'a start does not lock the checkout',
    file: 'intents/store/start-intent.ts',
    from: `FOR NO KEY UPDATE \${isWaiting ? '' : 'SKIP LOCKED'}`,
    to: '',
    checks: ['intents/store/start-'],
  },
  {
    breaks: 'a start alone does not lock the phone',
    file: 'intents/store/start-intent.ts',
    from: '`pg_advisory_xact_lock(${phone}) IS NOT NULL`',
    to: `'true'`,
    checks: ['intents/store/start-', 'intents/start-intent'],
  },
  {
    breaks: 'a start in a batch does not lock the phone',
    file: 'intents/store/start-intent.ts',
    ...{ from: '`pg_try_advisory_xact_lock(${phone})`', to: `'true'` },
    checks: ['intents/store/start-saves.db.test.ts'],
  },
  {
    breaks: 'a prompt is handed out without a lock of the checkout',
    file: 'intents/store/load-begin-submit.ts',
    from: `FOR NO KEY UPDATE \${isWaiting ? '' : 'SKIP LOCKED'}`,
    to: '',
    checks: ['intents/store/submit-', 'intents/store/start-races.db.test.ts', 'proofs/races/'],
  },
  {
    breaks: 'a prompt alone is handed out without a lock of the phone',
    file: 'intents/store/load-begin-submit.ts',
    ...{ from: '`pg_advisory_xact_lock(${phone}) IS NOT NULL`', to: `'true'` },
    checks: ['intents/store/submit-saves.db.test.ts'],
  },
  {
    breaks: 'a prompt in a batch is handed out without a lock of the phone',
    file: 'intents/store/load-begin-submit.ts',
    ...{ from: '`pg_try_advisory_xact_lock(${phone})`', to: `'true'` },
    checks: ['intents/store/submit-saves.db.test.ts'],
  },
  {
    breaks: 'an attempt fails without a lock of its checkout',
    file: 'intents/store/record-submit.ts',
    from: 'FOR NO KEY UPDATE ${whatIsHeld}',
    to: '',
    checks: ['pay-bill/apply-pay-bill-races.db.test.ts'],
  },
  {
    breaks: 'a refund does not lock its row',
    file: 'refunds/store/load-refunds.ts',
    ...{ from: 'ORDER BY r.id FOR NO KEY UPDATE OF r', to: 'ORDER BY r.id' },
    checks: ['refunds/store/', 'refunds/decide-refund-races', 'refunds/apply-evidence-refund'],
  },
  {
    breaks: 'a refund does not lock the wallet',
    file: 'refunds/store/load-refunds.ts',
    ...{ from: ')) ORDER BY w.account_id FOR NO KEY UPDATE', to: ')) ORDER BY w.account_id' },
    checks: ['refunds/apply-evidence-refund', 'refunds/decide-refund-races', 'refunds/store/'],
  },
  {
    breaks: 'a refund does not lock the intents',
    file: 'refunds/store/load-refunds.ts',
    ...{ from: ')) ORDER BY i.id FOR NO KEY UPDATE`', to: ')) ORDER BY i.id`' },
    checks: ['refunds/store/', 'refunds/decide-refund-races', 'refunds/apply-evidence-refund'],
  },
  {
    breaks: 'operators are not locked while one retires',
    file: 'operators/store/operators.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('operators', 0))`,
    to: 'SELECT',
    checks: ['operators/decide-retirement.db.test.ts'],
  },
  {
    breaks: 'freezing does not wait for a reading of the statement',
    file: 'freezes/store/freeze-unconfirmed.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('statement rows', 0))`,
    to: 'SELECT',
    checks: ['freezes/store/freeze-unconfirmed.db.test.ts'],
  },
  {
    breaks: 'freezing does not lock the receipt',
    file: 'freezes/store/freeze-unconfirmed.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:mpesa:' || receipt, 0))`,
    to: 'SELECT',
    checks: ['freezes/store/freeze-unconfirmed.db.test.ts', 'freezes/', 'statements/'],
  },
  {
    breaks: 'freezing does not lock the wallet',
    file: 'freezes/store/freeze-unconfirmed.ts',
    ...{ from: ')) ORDER BY w.account_id FOR NO KEY UPDATE', to: ')) ORDER BY w.account_id' },
    checks: ['freezes/store/freeze-unconfirmed.db.test.ts', 'freezes/', 'statements/'],
  },
  {
    breaks: 'asking for a refund does not lock the receipt',
    file: 'refunds/store/ask-refund.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0))`,
    to: 'SELECT $1::text',
    checks: ['refunds/store/saves.db.test.ts', 'refunds/ask-refund'],
  },
  {
    breaks: 'a placement does not lock the receipt',
    file: 'suspense/store/load-placing.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0))`,
    to: 'SELECT $1::text',
    checks: ['suspense/decide-placement', 'suspense/ask-placement', 'suspense/', 'evidence/'],
  },
  {
    breaks: 'a placement does not lock the checkout',
    file: 'suspense/store/load-placing.ts',
    ...{ from: 'SELECT FROM checkouts WHERE id = $1 FOR NO KEY UPDATE', to: 'SELECT $1::text' },
    checks: ['suspense/decide-placement', 'suspense/ask-placement', 'suspense/', 'evidence/'],
  },
]

const sourceDir = join(__dirname, '../..')

/** The guards and the locks as mutants. */
export function guardMutants(): readonly Mutant[] {
  return [...saveGuards, ...lockGuards].map(({ breaks: name, file, from, to, checks }) => {
    const path = join(sourceDir, file)
    const start = placeOf(from, path)
    return {
      ...{ name, file: path, start, end: start + from.length, to },
      checks: checks.map((check) => join(sourceDir, check)),
    }
  })
}

function placeOf(text: string, file: string): number {
  const source = readFileSync(file, 'utf8')
  const start = source.indexOf(text)
  if (start < 0 || source.includes(text, start + 1)) {
    throw new Error(`${file} does not have this text once:\n${text}`)
  }
  return start
}
