import type { Minor } from '@malipo/kernel/money'
import { receiveSms, type Phone } from '../../phones/rules/phone'
import { jsonAnswer, type Operation, type Performed, type Understood } from '../rules/rail'
import { moveMoney, shownFacets } from '../../sessions/rules/world'
import { asFields, fieldsAt, fieldText, type Fields } from '../wire-call'
import { errorAnswer, refuse } from './errors'
import { understandAuthorised } from './gate'
import type { Market } from './settings'
import { readAmount } from './pay'
import { nextReceipt } from './conclude'
import { type AirtelMoney, changeBalance } from './state'

/** `POST /standard/v{1,2}/disbursements/`: the merchant sends money to a wallet, with its PIN, encrypted by RSA. */
export function payOutOperations(airtel: AirtelMoney): readonly Operation[] {
  return (['v1', 'v2'] as const).map((version) => ({
    moment: 'payout',
    method: 'POST',
    path: `/standard/${version}/disbursements/`,
    understand: (call) =>
      understandAuthorised(airtel, call, (market) =>
        understandPayout(airtel, market, asFields(call.json) ?? {}),
      ),
  }))
}

function understandPayout(airtel: AirtelMoney, market: Market, fields: Fields): Understood {
  const transaction = fieldsAt(fields, 'transaction')
  const id = fieldText(transaction, 'id')
  const account = fieldText(fields, 'reference')
  const amountMinor = readAmount(transaction['amount'], market)
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id) || !/^.{1,64}$/.test(account))
    return refuse('invalid_fields')
  if (amountMinor === undefined) return refuse('payout_amount')
  const { business } = market
  const msisdn = `${market.callingCode}${fieldText(fieldsAt(fields, 'payee'), 'msisdn')}`
  const facets = { msisdn, amountMinor, business, account }
  const phone = airtel.world.phones.find(msisdn)
  if (phone?.network !== 'airtel' || phone.simState === 'not_registered') {
    return { ...refuse('payout_msisdn'), facets }
  }
  // The simulator does not know the merchant's PIN, so any four digits that it can decrypt are taken.
  const pin = airtel.keys.decrypted(fieldText(fields, 'pin')) ?? ''
  if (!/^\d{4}$/.test(pin)) return { ...refuse('payout_failed'), facets }
  // The id and the balance are checked in `perform`, so that rules apply to a call that is refused there too.
  const perform = () => payOut(airtel, phone, { market, id, account, amountMinor })
  return { kind: 'understood', facets, perform }
}

interface Order {
  readonly market: Market
  readonly id: string
  readonly account: string
  readonly amountMinor: Minor
}

function payOut(airtel: AirtelMoney, phone: Phone, order: Order): Performed {
  const { world, settings } = airtel
  const { market, id, account, amountMinor } = order
  if (airtel.payouts.get(id)) return { answer: errorAnswer('payout_duplicate') }
  if (amountMinor > (airtel.balances.get(market.country) ?? 0n))
    return { answer: errorAnswer('payout_no_funds') }
  if (world.book.isFull()) return { answer: errorAnswer('payout_failed') }
  const { msisdn } = phone
  changeBalance(airtel, market, -amountMinor)
  phone.balanceMinor += amountMinor
  const facets = { msisdn, amountMinor, business: market.business, account }
  world.events.append('payout_accepted', { ...shownFacets(facets), reference: id })
  const own = { receipt: nextReceipt(airtel), provider: 'airtel_money', kind: 'payout' } as const
  const row = moveMoney(world, { ...own, ...facets, reference: id })
  const { receipt } = row
  airtel.payouts.set(id, { id, market, msisdn, receipt })
  const text = `${settings.businessName} has sent you money, reference ${account}. Trans ID ${receipt}.`
  receiveSms(phone, { atMs: row.atMs, from: 'AirtelMoney', text })
  return { answer: sentAnswer(id, receipt), reference: id }
}

function sentAnswer(id: string, receipt: string) {
  return jsonAnswer(200, {
    data: { transaction: { reference_id: receipt, airtel_money_id: receipt, id, status: 'TS' } },
    status: {
      code: '200',
      message: `Trans.ID : ${receipt}.`,
      result_code: 'ESB000010',
      response_code: 'DP00900001001',
      success: true,
    },
  })
}
