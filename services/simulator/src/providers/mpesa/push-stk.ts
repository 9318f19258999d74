import { minorFromMajorText } from '@malipo/kernel/money'
import { draw } from '../../sessions/rules/draw'
import type { Phone } from '../../phones/rules/phone'
import { jsonAnswer, type Operation, type Performed, type Understood } from '../rules/rail'
import { showPrompt } from '../../phones/rules/phone-prompt'
import { shownFacets } from '../../sessions/rules/world'
import { fieldText, type Fields } from '../wire-call'
import { conclude, refuseByNetwork } from './conclude'
import { errorAnswer, type DarajaError, refuseField } from './errors'
import { badPushField, understandSigned } from './fields'
import { nextCheckoutRequestId, nextRequestId } from './ids'
import { payFromMenu } from './pay-from-menu'
import { isTill } from './settings'
import type { NetworkOutcome } from './result-codes'
import type { Mpesa, Push } from './state'

/** `POST /mpesa/stkpush/v1/processrequest`: asks a phone for money (providers.md 1.2 to 1.5). */
export function pushOperation(mpesa: Mpesa): Operation {
  return {
    moment: 'push',
    method: 'POST',
    path: '/mpesa/stkpush/v1/processrequest',
    understand: (call) =>
      understandSigned(mpesa, call, badPushField, (fields) => understandPush(mpesa, fields)),
  }
}

function understandPush(mpesa: Mpesa, fields: Fields): Understood {
  const msisdn = fieldText(fields, 'PhoneNumber')
  const receiver = fieldText(fields, 'PartyB')
  const phone = mpesa.world.phones.find(msisdn)
  const request = {
    msisdn,
    amountMinor: minorFromMajorText(fieldText(fields, 'Amount')) ?? 0n,
    // A push to a till is signed with the number of its store, and the money goes to the till.
    business: isTill(mpesa.settings, receiver) ? receiver : fieldText(fields, 'BusinessShortCode'),
    account: fieldText(fields, 'AccountReference'),
  }
  if (phone?.network !== 'safaricom' || phone.simState === 'not_registered') {
    return { ...refuseField(mpesa, 'PhoneNumber'), facets: request }
  }
  const callbackUrl = fieldText(fields, 'CallBackURL')
  const perform = () =>
    accept(mpesa, phone, { ...request, callbackUrl }, networkRule(mpesa, fields))
  return { kind: 'understood', facets: request, perform }
}

type Wanted = Pick<Push, 'msisdn' | 'amountMinor' | 'business' | 'account' | 'callbackUrl'>

function accept(
  mpesa: Mpesa,
  phone: Phone,
  wanted: Wanted,
  refusal: NetworkOutcome | undefined,
): Performed {
  const { world } = mpesa
  const merchantRequestId = nextRequestId(mpesa)
  const busy = busyWith(mpesa, phone)
  if (busy !== undefined) {
    world.events.append('request_refused', { ...shownFacets(wanted), why: busy })
    return { answer: errorAnswer(busy, merchantRequestId) }
  }
  const push: Push = {
    ...wanted,
    merchantRequestId,
    checkoutRequestId: nextCheckoutRequestId(mpesa, wanted.msisdn),
    result: undefined,
    queries: 0,
    waiting: [],
    calledBack: false,
  }
  mpesa.pushes.set(push.checkoutRequestId, push)
  world.events.append('push_accepted', { ...shownFacets(push), reference: push.checkoutRequestId })
  if (refusal === undefined) askPhone(mpesa, phone, push)
  else
    world.time.after(
      networkMs,
      () => {
        refuseByNetwork(mpesa, push, refusal)
      },
      `the network refuses: ${refusal}`,
    )
  return {
    answer: acceptedAnswer(mpesa, push),
    reference: push.checkoutRequestId,
    whenCalledBack(run) {
      if (push.calledBack) run()
      else push.waiting.push(run)
    },
  }
}

function busyWith(mpesa: Mpesa, phone: Phone): DarajaError | undefined {
  if (phone.prompt !== undefined) return 'subscriber_locked'
  return mpesa.world.book.isFull() ? 'system_busy' : undefined
}

/** How long the network takes to refuse by its own rule. A guess. */
const networkMs = 1_000

function askPhone(mpesa: Mpesa, phone: Phone, push: Push): void {
  showPrompt(mpesa.world, phone, push.checkoutRequestId, {
    rail: 'mpesa',
    business: push.business,
    businessName: mpesa.settings.businessName,
    account: push.account,
    amountMinor: push.amountMinor,
    payFromMenu(amountMinor) {
      const { business, account } = push
      void payFromMenu(mpesa, phone, { business, account, amountMinor })
    },
    concluded: (outcome) => {
      conclude(mpesa, phone, push, outcome)
    },
  })
}

/** KES 1 to KES 250,000 a payment (providers.md 2.6). */
const minimumMinor = 100n
const maximumMinor = 25_000_000n

/** What the network refuses after it has accepted the request: limits, and a receiver that does not fit. */
function networkRule(mpesa: Mpesa, fields: Fields): NetworkOutcome | undefined {
  const amountMinor = minorFromMajorText(fieldText(fields, 'Amount')) ?? 0n
  if (amountMinor < minimumMinor) return 'below_minimum'
  if (amountMinor > maximumMinor) return 'above_maximum'
  const receiver = receiverOf(mpesa, fields)
  if (receiver === undefined) return 'not_permitted'
  return fieldText(fields, 'PartyB') === receiver ? undefined : 'wrong_receiver'
}

/** The number that a kind of payment goes to; undefined where the merchant has none of that kind. */
function receiverOf({ settings }: Mpesa, fields: Fields): string | undefined {
  const isBuyGoods = fieldText(fields, 'TransactionType').trim() === 'CustomerBuyGoodsOnline'
  return isBuyGoods ? settings.till : fieldText(fields, 'BusinessShortCode')
}

const success = 'Success. Request accepted for processing'

/** `CustomerMessage` is missing from an answer that was quoted from the live sandbox, so sometimes from ours. */
function acceptedAnswer(mpesa: Mpesa, push: Push) {
  const isShort = draw(mpesa.world.seed, `short answer ${push.checkoutRequestId}`) < 0.2
  return jsonAnswer(200, {
    MerchantRequestID: push.merchantRequestId,
    CheckoutRequestID: push.checkoutRequestId,
    ResponseCode: '0',
    ResponseDescription: success,
    ...(isShort ? {} : { CustomerMessage: success }),
  })
}
