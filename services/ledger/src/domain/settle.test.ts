import { amountMatches, checkoutStates, dispositionOf, walletStates } from './settle'

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
