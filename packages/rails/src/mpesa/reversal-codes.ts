/**
 * Result codes of a reversal (README.md; portal of 28 December 2025). `R000001`, already reversed, is the same to the
 * payer: the money is back. A code that is not here leaves the refund as it is.
 */
const reversed = ['0', 'R000001']
/** No funds, wrong or unentitled operator, inactive account, not permitted, locked, unknown payment. */
const refused = ['1', '11', '21', '2001', '2006', '2028', '8006', 'R000002']

export function meaningOfReversal(code: string): 'reversed' | 'refused' | undefined {
  if (reversed.includes(code)) return 'reversed'
  return refused.includes(code) ? 'refused' : undefined
}
