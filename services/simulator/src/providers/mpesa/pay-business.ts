import { minorFromMajorText, type Minor } from '@malipo/kernel/money'
import type { Understood } from '../rules/rail'
import { fieldText, type Fields } from '../wire-call'
import { twoDecimals } from './callback-body'
import { type OperationEnd, succeeded, takeOrder, type OrderCall } from './operation'
import { accountText } from './query-balance'
import { refuseField } from './errors'
import { type Payout, payoutRefusal, sendPayout } from './send-payout'
import type { Mpesa } from './state'
import { compactTime } from './times'

const commands = [
  'BusinessPayBill',
  'BusinessBuyGoods',
  'BusinessPayToBulk',
  'BusinessToBusinessTransfer',
  'DisburseFundsToBusiness',
  'MerchantToMerchantTransfer',
]

/** `POST /mpesa/b2b/v1/paymentrequest`: the short code pays another short code, which exists in no simulation. */
export const payBusiness: OrderCall = {
  moment: 'payout',
  path: '/mpesa/b2b/v1/paymentrequest',
  commands,
  understand: understandPayment,
}

function understandPayment(mpesa: Mpesa, fields: Fields): Understood {
  const amountMinor = minorFromMajorText(fieldText(fields, 'Amount'))
  const business = fieldText(fields, 'PartyA')
  const receiver = fieldText(fields, 'PartyB')
  const account = fieldText(fields, 'AccountReference')
  if (amountMinor === undefined) return refuseField(mpesa, 'Amount')
  if (business !== mpesa.settings.shortCode) return refuseField(mpesa, 'PartyA')
  if (!/^\d{5,7}$/.test(receiver) || receiver === business) return refuseField(mpesa, 'PartyB')
  for (const field of ['SenderIdentifierType', 'RecieverIdentifierType']) {
    if (!/^[124]$/.test(fieldText(fields, field))) return refuseField(mpesa, field)
  }
  if (fieldText(fields, 'CommandID') === 'BusinessPayBill' && account === '') {
    return refuseField(mpesa, 'AccountReference')
  }
  return takeOrder(mpesa, {
    fields,
    facets: { business, account, amountMinor },
    run: ({ originatorConversationId: reference }) =>
      pay(mpesa, receiver, { account, amountMinor, reference }),
  })
}

function pay(mpesa: Mpesa, receiver: string, payout: Payout): OperationEnd {
  const refusal = payoutRefusal(mpesa, payout.amountMinor)
  if (refusal !== undefined) return refusal
  const row = sendPayout(mpesa, { ...payout, msisdn: '' })
  const left = amountText(mpesa.balance.minor)
  return succeeded(row.receipt, {
    DebitAccountBalance: left,
    Amount: twoDecimals(row.amountMinor),
    DebitPartyAffectedAccountBalance: accountText(
      'Utility Account',
      twoDecimals(mpesa.balance.minor),
    ),
    TransCompletedTime: compactTime(row.atMs),
    DebitPartyCharges: '',
    ReceiverPartyPublicName: `${receiver} - Business ${receiver}`,
    Currency: 'KES',
    InitiatorAccountCurrentBalance: left,
  })
}

function amountText(minor: Minor): string {
  return `{Amount={CurrencyCode=KES, MinimumAmount=${String(minor)}, BasicAmount=${twoDecimals(minor)}}}`
}
