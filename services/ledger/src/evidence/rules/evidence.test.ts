import {
  absenceOf,
  askingKindOf,
  callbackReceiptOf,
  denialOf,
  earlierDenials,
  earlierReports,
  effectOf,
  factKinds,
  checkResults,
  messageKinds,
  paidAnswerOf,
  promptAges,
  strengthOf,
  strengths,
  countersOf,
  type Outcome,
} from './evidence'

test('each kind of message has this strength, by which of its source, request and amount are right', () => {
  const lines = messageKinds.flatMap((kind) =>
    checkResults.flatMap((source) =>
      checkResults.flatMap((request) =>
        checkResults.map((amount) => {
          const given = { source, request, amount }
          return `${kind}: source ${source}, request ${request}, amount ${amount}: ${strengthOf(kind, given)}`
        }),
      ),
    ),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   callback: source right, request right, amount right: E3
   callback: source right, request right, amount wrong: E2
   callback: source right, request wrong, amount right: E2
   callback: source right, request wrong, amount wrong: E1
   callback: source wrong, request right, amount right: E2
   callback: source wrong, request right, amount wrong: E1
   callback: source wrong, request wrong, amount right: E1
   callback: source wrong, request wrong, amount wrong: E1
   hint: source right, request right, amount right: E2
   hint: source right, request right, amount wrong: E2
   hint: source right, request wrong, amount right: E2
   hint: source right, request wrong, amount wrong: E2
   hint: source wrong, request right, amount right: E1
   hint: source wrong, request right, amount wrong: E1
   hint: source wrong, request wrong, amount right: E1
   hint: source wrong, request wrong, amount wrong: E1
   query_answer: source right, request right, amount right: E4
   query_answer: source right, request right, amount wrong: E4
   query_answer: source right, request wrong, amount right: E1
   query_answer: source right, request wrong, amount wrong: E1
   query_answer: source wrong, request right, amount right: E4
   query_answer: source wrong, request right, amount wrong: E4
   query_answer: source wrong, request wrong, amount right: E1
   query_answer: source wrong, request wrong, amount wrong: E1
   statement_row: source right, request right, amount right: E4
   statement_row: source right, request right, amount wrong: E4
   statement_row: source right, request wrong, amount right: E4
   statement_row: source right, request wrong, amount wrong: E4
   statement_row: source wrong, request right, amount right: E4
   statement_row: source wrong, request right, amount wrong: E4
   statement_row: source wrong, request wrong, amount right: E4
   statement_row: source wrong, request wrong, amount wrong: E4
   "
  `)
})

test('each fact has this effect, by the strength of its message', () => {
  const lines = factKinds.flatMap((fact) =>
    strengths.map((strength) => `${fact}, ${strength}: ${effectOf[strength][fact]}`),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   receipt, E1: keep
   receipt, E2: ask
   receipt, E3: settle
   receipt, E4: settle
   paid, E1: keep
   paid, E2: ask
   paid, E3: ask
   paid, E4: await_receipt
   declined, E1: keep
   declined, E2: ask
   declined, E3: decline
   declined, E4: corroborate
   declined_after_paid, E1: keep
   declined_after_paid, E2: keep
   declined_after_paid, E3: contradict
   declined_after_paid, E4: contradict
   not_found, E1: keep
   not_found, E2: keep
   not_found, E3: keep
   not_found, E4: evaluate_absence
   undecided, E1: keep
   undecided, E2: keep
   undecided, E3: keep
   undecided, E4: wait
   unreadable, E1: park
   unreadable, E2: park
   unreadable, E3: park
   unreadable, E4: park
   "
  `)
})

test('"declined" in a status answer has this effect, by the age of the prompt and the answer before', () => {
  const lines = promptAges.flatMap((age) =>
    earlierDenials.map((earlier) => `${age} prompt, earlier ${earlier}: ${denialOf[age][earlier]}`),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   young prompt, earlier none: keep
   young prompt, earlier other: keep
   young prompt, earlier same_too_soon: keep
   young prompt, earlier same: keep
   young prompt, earlier hinted: decline
   old prompt, earlier none: remember
   old prompt, earlier other: remember
   old prompt, earlier same_too_soon: keep
   old prompt, earlier same: decline
   old prompt, earlier hinted: decline
   "
  `)
})

test('"not found" in a status answer ends only a card payment that was reported as declined', () => {
  const lines = Object.entries(askingKindOf).flatMap(([rail, asking]) =>
    earlierReports.map((earlier) => `${rail}, reported ${earlier}: ${absenceOf[asking][earlier]}`),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   mpesa, reported none: wait
   mpesa, reported declined: wait
   mpesa, reported paid: wait
   paybill, reported none: wait
   paybill, reported declined: wait
   paybill, reported paid: wait
   mtn_momo, reported none: wait
   mtn_momo, reported declined: wait
   mtn_momo, reported paid: wait
   airtel_money, reported none: wait
   airtel_money, reported declined: wait
   airtel_money, reported paid: wait
   card, reported none: wait
   card, reported declined: decline
   card, reported paid: wait
   "
  `)
})

test('a large receipt of a callback waits for "paid", and "paid" without a receipt settles by one that is reported', () => {
  const receipts = Object.entries(callbackReceiptOf).flatMap(([amount, answers]) =>
    Object.entries(answers).map(
      ([answer, effect]) => `receipt of a ${amount} amount, answered ${answer}: ${effect}`,
    ),
  )
  const answers = Object.entries(paidAnswerOf).map(
    ([reported, effect]) => `paid, receipts reported ${reported}: ${effect}`,
  )
  expect(`\n${[...receipts, ...answers].join('\n')}\n`).toMatchInlineSnapshot(`
"
receipt of a small amount, answered none: settle
receipt of a small amount, answered paid: settle
receipt of a large amount, answered none: ask
receipt of a large amount, answered paid: settle
paid, receipts reported none: await_receipt
paid, receipts reported one: settle
paid, receipts reported several: await_receipt
"
`)
})

const settled = {
  result: 'settled',
  statusBefore: 'pending',
  kind: 'callback',
  strength: 'E3',
  disposition: 'merchant',
} as Outcome

test.each<[string, Partial<Outcome>, string[]]>([
  ['an ordinary payment', {}, []],
  ['money after we gave up', { statusBefore: 'expired' }, ['late_success']],
  ['money after a failure', { statusBefore: 'failed' }, ['late_success']],
  [
    'a second payment',
    { disposition: 'suspense_duplicate' },
    ['double_payment', 'suspense_duplicate'],
  ],
  ['money of another amount', { disposition: 'suspense_mismatch' }, ['suspense_mismatch']],
  ['money without a payee', { disposition: 'suspense_unmatched' }, ['suspense_unmatched']],
  ['a "no" after the money', { result: 'contradiction', disposition: null }, ['contradiction']],
  ['an unreadable body', { result: 'parked', disposition: null }, ['inbox_parked']],
  [
    'a callback that is not in order',
    { result: 'kept', strength: 'E2', disposition: null },
    ['callback_mismatch'],
  ],
  [
    'a query without a verdict',
    { result: 'kept', kind: 'query_answer', strength: 'E4', disposition: null },
    [],
  ],
  ['a receipt twice', { result: 'already_settled', disposition: null }, []],
])('raises the counters of %s', (_, changes, news) => {
  expect(countersOf({ ...settled, ...changes })).toEqual(news)
})
