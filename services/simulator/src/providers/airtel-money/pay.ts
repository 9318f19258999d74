import { minorFromMajorText, type Minor } from '@malipo/kernel/money'
import { draw } from '../../sessions/rules/draw'
import type { Phone } from '../../phones/rules/phone'
import { jsonAnswer, type Operation, type Performed, type Understood } from '../rules/rail'
import { showPrompt } from '../../phones/rules/phone-prompt'
import { shownFacets } from '../../sessions/rules/world'
import { asFields, fieldsAt, fieldText, type Fields } from '../wire-call'
import { conclude, finish } from './conclude'
import { errorAnswer, refuse } from './errors'
import { understandAuthorised, understandSigned } from './gate'
import type { Market } from './settings'
import type { AirtelMoney, Payment } from './state'

/** `POST /merchant/v1/payments/`, and v2 for signed messages: asks a phone for money (providers.md 4). */
export function payOperations(airtel: AirtelMoney): readonly Operation[] {
  const operationOf = (
    version: 'v1' | 'v2',
    understandMessage: typeof understandSigned,
  ): Operation => ({
    moment: 'push',
    method: 'POST',
    path: `/merchant/${version}/payments/`,
    understand: (call) =>
      understandAuthorised(airtel, call, (market) =>
        understandMessage(airtel, call, () =>
          understandPay(airtel, market, asFields(call.json) ?? {}),
        ),
      ),
  })
  return [
    operationOf('v1', (_airtel, _call, understand) => understand()),
    operationOf('v2', understandSigned),
  ]
}

function understandPay(airtel: AirtelMoney, market: Market, fields: Fields): Understood {
  const transaction = fieldsAt(fields, 'transaction')
  const id = fieldText(transaction, 'id')
  const account = fieldText(fields, 'reference')
  const amountMinor = readAmount(transaction['amount'], market)
  const isGood = /^[A-Za-z0-9-]{1,64}$/.test(id) && /^.{1,64}$/.test(account)
  if (!isGood || amountMinor === undefined) return refuse('invalid_fields')
  // The number must come without its country code.
  const national = fieldText(fieldsAt(fields, 'subscriber'), 'msisdn')
  if (!market.national.test(national)) return refuse('msisdn_invalid')
  const { business } = market
  const facets = { msisdn: `${market.callingCode}${national}`, amountMinor, business, account }
  const phone = airtel.world.phones.find(facets.msisdn)
  if (phone?.network !== 'airtel' || phone.simState === 'not_registered') {
    return { ...refuse('msisdn_not_found'), facets }
  }
  return {
    kind: 'understood',
    facets,
    // Checked in `perform`, so that rules apply to a call with a used id too.
    perform: () =>
      airtel.payments.get(id)
        ? { answer: errorAnswer('duplicate') }
        : accept(airtel, phone, {
            ...facets,
            market,
            id,
            result: undefined,
            receipt: undefined,
            refunded: false,
            waiting: [],
            calledBack: false,
          }),
  }
}

/** An amount is a JSON number. Airtel publishes nothing about cents: here Kenya may have them, and Uganda has none. */
export function readAmount(amount: unknown, { currency }: Market): Minor | undefined {
  if (typeof amount !== 'number' || amount < 1) return undefined
  const minor = minorFromMajorText(String(amount))
  const isWhole = Number.isSafeInteger(amount)
  return currency === 'UGX' && !isWhole ? undefined : minor
}

function accept(airtel: AirtelMoney, phone: Phone, payment: Payment): Performed {
  const { world } = airtel
  airtel.payments.set(payment.id, payment)
  world.events.append('push_accepted', { ...shownFacets(payment), reference: payment.id })
  // A phone has one prompt at a time. Airtel does not publish what happens to a second one; here the network is busy.
  if (phone.prompt !== undefined || world.book.isFull()) {
    world.time.after(networkMs, () => {
      finish(airtel, payment, 'busy')
    })
  } else askPhone(airtel, phone, payment)
  return {
    answer: acceptedAnswer(world.seed, payment),
    reference: payment.id,
    whenCalledBack(run) {
      if (payment.calledBack) run()
      else payment.waiting.push(run)
    },
  }
}

/** How long the network takes to refuse by its own rule. An estimate. */
const networkMs = 1_000

/** Airtel publishes no life of a prompt, and wants no enquiry for three minutes (providers.md 10.3). An estimate. */
const ringMs = 180_000

function askPhone(airtel: AirtelMoney, phone: Phone, payment: Payment): void {
  showPrompt(airtel.world, phone, payment.id, {
    rail: 'airtel_money',
    business: payment.business,
    businessName: airtel.settings.businessName,
    account: payment.account,
    amountMinor: payment.amountMinor,
    ringMs,
    concluded: (outcome) => {
      conclude(airtel, phone, payment, outcome)
    },
  })
}

/** SUCCESS means that the payer gets a prompt. The portal's own sample has `false` as the id, so ours does at times. */
function acceptedAnswer(seed: string, { id }: Payment) {
  const isIdHidden = draw(seed, `hidden id ${id}`) < 0.2
  return jsonAnswer(200, {
    data: { transaction: { id: isIdHidden ? false : id, status: 'SUCCESS' } },
    status: {
      code: '200',
      message: 'SUCCESS',
      result_code: 'ESB000010',
      response_code: 'DP00800001006',
      success: true,
    },
  })
}
