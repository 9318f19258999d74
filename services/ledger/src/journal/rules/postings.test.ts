import {
  amountMatches,
  checkoutStates,
  dispositionOf,
  walletStates,
  chartOf,
  providerOf,
  creditOf,
  debitOf,
  dispositions,
} from './postings'

test('received money goes to the merchant or into suspense, by what is known of checkout, amount and wallet', () => {
  const lines = checkoutStates.flatMap((checkout) =>
    amountMatches.flatMap((amount) =>
      walletStates.map(
        (wallet) =>
          `${checkout}, amount ${amount}, wallet ${wallet}: ${dispositionOf[checkout][amount][wallet]}`,
      ),
    ),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   unpaid, amount exact, wallet open: merchant
   unpaid, amount exact, wallet frozen: suspense_unmatched
   unpaid, amount differs, wallet open: suspense_mismatch
   unpaid, amount differs, wallet frozen: suspense_mismatch
   paid, amount exact, wallet open: suspense_duplicate
   paid, amount exact, wallet frozen: suspense_duplicate
   paid, amount differs, wallet open: suspense_duplicate
   paid, amount differs, wallet frozen: suspense_duplicate
   "
  `)
})

test('each disposition credits its account', () => {
  const lines = dispositions.map(
    (disposition) => `${disposition}: ${creditOf(disposition, 'acc_1')}`,
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   merchant: wallet:acc_1
   suspense_duplicate: suspense:duplicate
   suspense_mismatch: suspense:mismatch
   suspense_unmatched: suspense:unmatched
   "
  `)
})

test('Pay Bill payments and M-Pesa prompts are debited to the same float account', () => {
  expect(debitOf('mpesa')).toBe('float:mpesa')
  expect(debitOf('paybill')).toBe('float:mpesa')
  expect(debitOf('mtn_momo')).toBe('float:mtn_momo')
  expect(debitOf('airtel_money')).toBe('float:airtel_money')
})

test('every account that money is posted to without a merchant is in the chart', () => {
  const suspense = dispositions
    .filter((disposition) => disposition !== 'merchant')
    .map((disposition) => creditOf(disposition, 'acc_1'))
  expect(chartOf('ke')).toEqual(
    expect.arrayContaining([...suspense, debitOf('mpesa'), debitOf('paybill')]),
  )
  expect(chartOf('ug')).toEqual(
    expect.arrayContaining([...suspense, debitOf('mtn_momo'), debitOf('airtel_money')]),
  )
})

test('a wallet account never has the name of an account in the chart', () => {
  expect(creditOf('merchant', 'suspense:duplicate')).toBe('wallet:suspense:duplicate')
  expect(Object.values(providerOf)).not.toContain('')
})
