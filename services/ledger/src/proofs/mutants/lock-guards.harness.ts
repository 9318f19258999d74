import type { Guard } from './mutant.harness'

const checkoutLock = 'ORDER BY c.id FOR NO KEY UPDATE ${whatIsHeld}'
const intentLock = 'ORDER BY i.id FOR NO KEY UPDATE ${whatIsHeld}'

/** The locks of the loads, behind which a save needs no guard of its own. Left out: what a lock and a guard both keep. */
export const lockGuards: readonly Guard[] = [
  {
    breaks: 'evidence does not lock the checkout',
    file: 'settlement/apply-evidence.ts',
    ...{ from: checkoutLock, to: 'ORDER BY c.id' },
    checks: ['rpc/apply-evidence'],
  },
  {
    breaks: 'evidence does not lock the intent',
    file: 'settlement/apply-evidence.ts',
    ...{ from: intentLock, to: 'ORDER BY i.id' },
    checks: ['rpc/apply-evidence'],
  },
  {
    breaks: 'Pay Bill money does not lock the checkout',
    file: 'settlement/apply-pay-bill.ts',
    ...{ from: checkoutLock, to: 'ORDER BY c.id' },
    checks: ['rpc/apply-pay-bill-races.db.test.ts'],
  },
  {
    breaks: 'Pay Bill money does not lock the intent',
    file: 'settlement/apply-pay-bill.ts',
    ...{ from: intentLock, to: 'ORDER BY i.id' },
    checks: ['rpc/apply-pay-bill-handles.db.test.ts'],
  },
  {
    breaks: 'a start does not lock the checkout',
    file: 'start/load-start.ts',
    from: `FOR NO KEY UPDATE \${isWaiting ? '' : 'SKIP LOCKED'}`,
    to: '',
    checks: ['store/start/'],
  },
  {
    breaks: 'a start alone does not lock the phone',
    file: 'start/load-start.ts',
    from: '`pg_advisory_xact_lock(${phone}) IS NOT NULL`',
    to: `'true'`,
    checks: ['store/start/', 'rpc/start-intent'],
  },
  {
    breaks: 'a start in a batch does not lock the phone',
    file: 'start/load-start.ts',
    ...{ from: '`pg_try_advisory_xact_lock(${phone})`', to: `'true'` },
    checks: ['store/start/saves.db.test.ts'],
  },
  {
    breaks: 'a prompt is handed out without a lock of the checkout',
    file: 'submit/load-begin-submit.ts',
    from: `FOR NO KEY UPDATE \${isWaiting ? '' : 'SKIP LOCKED'}`,
    to: '',
    checks: ['store/submit/', 'store/start/races.db.test.ts', 'rpc/races/'],
  },
  {
    breaks: 'a prompt alone is handed out without a lock of the phone',
    file: 'submit/load-begin-submit.ts',
    ...{ from: '`pg_advisory_xact_lock(${phone}) IS NOT NULL`', to: `'true'` },
    checks: ['store/submit/saves.db.test.ts'],
  },
  {
    breaks: 'a prompt in a batch is handed out without a lock of the phone',
    file: 'submit/load-begin-submit.ts',
    ...{ from: '`pg_try_advisory_xact_lock(${phone})`', to: `'true'` },
    checks: ['store/submit/saves.db.test.ts'],
  },
  {
    breaks: 'an attempt fails without a lock of its checkout',
    file: 'submit/record-submit.ts',
    from: 'FOR NO KEY UPDATE ${whatIsHeld}',
    to: '',
    checks: ['rpc/apply-pay-bill-races.db.test.ts'],
  },
  {
    breaks: 'a refund does not lock its row',
    file: 'refunds/load-refunds.ts',
    ...{ from: 'ORDER BY r.id FOR NO KEY UPDATE OF r', to: 'ORDER BY r.id' },
    checks: ['store/refunds/', 'rpc/decide-refund-races', 'rpc/apply-evidence-refund'],
  },
  {
    breaks: 'a refund does not lock the wallet',
    file: 'refunds/load-refunds.ts',
    ...{ from: ')) ORDER BY w.account_id FOR NO KEY UPDATE', to: ')) ORDER BY w.account_id' },
    checks: ['rpc/apply-evidence-refund', 'rpc/decide-refund-races', 'store/refunds/'],
  },
  {
    breaks: 'a refund does not lock the intents',
    file: 'refunds/load-refunds.ts',
    ...{ from: ')) ORDER BY i.id FOR NO KEY UPDATE`', to: ')) ORDER BY i.id`' },
    checks: ['store/refunds/', 'rpc/decide-refund-races', 'rpc/apply-evidence-refund'],
  },
  {
    breaks: 'operators are not locked while one retires',
    file: 'operators.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('operators', 0))`,
    to: 'SELECT',
    checks: ['rpc/decide-retirement.db.test.ts'],
  },
  {
    breaks: 'freezing does not wait for a reading of the statement',
    file: 'freeze-unconfirmed.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('statement rows', 0))`,
    to: 'SELECT',
    checks: ['store/freeze-unconfirmed.db.test.ts'],
  },
  {
    breaks: 'freezing does not lock the receipt',
    file: 'freeze-unconfirmed.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:mpesa:' || receipt, 0))`,
    to: 'SELECT',
    checks: ['store/freeze-unconfirmed.db.test.ts', 'rpc/', 'store/'],
  },
  {
    breaks: 'freezing does not lock the wallet',
    file: 'freeze-unconfirmed.ts',
    ...{ from: ')) ORDER BY w.account_id FOR NO KEY UPDATE', to: ')) ORDER BY w.account_id' },
    checks: ['store/freeze-unconfirmed.db.test.ts', 'rpc/', 'store/'],
  },
  {
    breaks: 'asking for a refund does not lock the receipt',
    file: 'refunds/ask-refund.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0))`,
    to: 'SELECT $1::text',
    checks: ['store/refunds/saves.db.test.ts', 'rpc/ask-refund'],
  },
  {
    breaks: 'a placement does not lock the receipt',
    file: 'placements/load-placing.ts',
    from: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0))`,
    to: 'SELECT $1::text',
    checks: ['rpc/decide-placement', 'rpc/ask-placement', 'rpc/'],
  },
  {
    breaks: 'a placement does not lock the checkout',
    file: 'placements/load-placing.ts',
    ...{ from: 'SELECT FROM checkouts WHERE id = $1 FOR NO KEY UPDATE', to: 'SELECT $1::text' },
    checks: ['rpc/decide-placement', 'rpc/ask-placement', 'rpc/'],
  },
]
