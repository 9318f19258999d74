import type { UsedCard } from './state'

/** The gateway's published test cards (providers.md 5.2), and whether the bank of each asks for 3-D Secure. */
const cards: ReadonlyMap<string, { scheme: UsedCard['scheme']; isEnrolled: boolean }> = new Map([
  ['5123450000000008', { scheme: 'MASTERCARD', isEnrolled: true }],
  ['2223000000000007', { scheme: 'MASTERCARD', isEnrolled: true }],
  ['5111111111111118', { scheme: 'MASTERCARD', isEnrolled: false }],
  ['2223000000000023', { scheme: 'MASTERCARD', isEnrolled: false }],
  ['4508750015741019', { scheme: 'VISA', isEnrolled: true }],
  ['4012000033330026', { scheme: 'VISA', isEnrolled: false }],
])

/** The bank's decision, by the expiry date of the card. */
export const outcomeOfExpiry: ReadonlyMap<string, string> = new Map([
  ['01/39', 'APPROVED'],
  ['05/39', 'DECLINED'],
  ['04/27', 'EXPIRED_CARD'],
  ['08/28', 'TIMED_OUT'],
  ['01/37', 'ACQUIRER_SYSTEM_ERROR'],
  ['02/37', 'UNSPECIFIED_FAILURE'],
  ['05/37', 'UNKNOWN'],
])

export const testCards: readonly (readonly [number: string, isEnrolled: boolean])[] = [
  ...cards,
].map(([number, { isEnrolled }]) => [number, isEnrolled])

export type ReadCard =
  | { readonly kind: 'card'; readonly card: UsedCard; readonly isEnrolled: boolean }
  | { readonly kind: 'wrong'; readonly problem: string }

/** Reads the form of the payer. Only the first six and the last four digits of the card's number are kept. */
export function readCard(form: URLSearchParams): ReadCard {
  const number = (form.get('number') ?? '').replace(/[ -]/g, '')
  const known = cards.get(number)
  if (known === undefined) return wrong('This is none of the test cards')
  const expiry = `${(form.get('month') ?? '').padStart(2, '0')}/${form.get('year') ?? ''}`
  if (!/^(?:0[1-9]|1[0-2])\/\d\d$/.test(expiry)) return wrong('Month and year, such as 01 and 39')
  const securityCode = form.get('csc') ?? ''
  if (!/^\d{3}$/.test(securityCode)) return wrong('The security code has three digits')
  const masked = `${number.slice(0, 6)}xxxxxx${number.slice(-4)}`
  const name = form.get('name') ?? ''
  const { scheme, isEnrolled } = known
  return { kind: 'card', card: { masked, scheme, expiry, securityCode, name }, isEnrolled }
}

function wrong(problem: string): ReadCard {
  return { kind: 'wrong', problem }
}
