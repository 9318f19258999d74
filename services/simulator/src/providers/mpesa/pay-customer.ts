import { minorFromMajorText } from '@malipo/kernel/money'
import { receiveSms, type Phone } from '../../phones/rules/phone'
import type { Understood } from '../rules/rail'
import { fieldText, type Fields } from '../wire-call'
import { twoDecimals, receivedSms } from './callback-body'
import {
  failed,
  numberOnWire,
  type OperationEnd,
  succeeded,
  takeOrder,
  type OrderCall,
} from './operation'
import { refuseField } from './errors'
import { type Payout, payoutRefusal, sendPayout } from './send-payout'
import type { Mpesa } from './state'
import { dottedTime } from './times'

const commands = ['SalaryPayment', 'BusinessPayment', 'PromotionPayment']

/** `POST /mpesa/b2c/v1/paymentrequest`: the short code sends money to a phone. */
export const payCustomer: OrderCall = {
  moment: 'payout',
  path: '/mpesa/b2c/v1/paymentrequest',
  commands,
  understand: understandPayout,
}

/** In v3 the merchant names the order. */
export const payCustomerNamed: OrderCall = {
  ...payCustomer,
  path: '/mpesa/b2c/v3/paymentrequest',
  understand: (mpesa, fields) =>
    fieldText(fields, 'OriginatorConversationID') === ''
      ? refuseField(mpesa, 'OriginatorConversationID')
      : understandPayout(mpesa, fields),
}

function understandPayout(mpesa: Mpesa, fields: Fields): Understood {
  const amountMinor = minorFromMajorText(fieldText(fields, 'Amount'))
  const business = fieldText(fields, 'PartyA')
  const msisdn = fieldText(fields, 'PartyB')
  if (amountMinor === undefined) return refuseField(mpesa, 'Amount')
  if (business !== mpesa.settings.shortCode) return refuseField(mpesa, 'PartyA')
  if (!/^254[17]\d{8}$/.test(msisdn)) return refuseField(mpesa, 'PartyB')
  return takeOrder(mpesa, {
    fields,
    facets: { business, msisdn, amountMinor },
    run: ({ originatorConversationId: reference }) => {
      const phone = mpesa.world.phones.find(msisdn)
      if (!isCustomer(phone)) return failed('2040')
      const account = fieldText(fields, 'Occasion')
      return pay(mpesa, phone, { account, amountMinor, reference })
    },
  })
}

function isCustomer(phone: Phone | undefined): phone is Phone {
  return phone?.network === 'safaricom' && phone.simState !== 'not_registered'
}

function pay(mpesa: Mpesa, phone: Phone, payout: Payout): OperationEnd {
  const refusal = payoutRefusal(mpesa, payout.amountMinor)
  if (refusal !== undefined) return refusal
  const row = sendPayout(mpesa, { ...payout, msisdn: phone.msisdn })
  phone.balanceMinor += row.amountMinor
  receiveSms(phone, receivedSms(row, mpesa.settings.businessName, phone.balanceMinor))
  return succeeded(row.receipt, {
    TransactionAmount: numberOnWire(twoDecimals(row.amountMinor)),
    TransactionReceipt: row.receipt,
    B2CRecipientIsRegisteredCustomer: 'Y',
    B2CChargesPaidAccountAvailableFunds: 0,
    ReceiverPartyPublicName: `${phone.msisdn} - ${phone.name}`,
    TransactionCompletedDateTime: dottedTime(row.atMs),
    B2CUtilityAccountAvailableFunds: numberOnWire(twoDecimals(mpesa.balance.minor)),
    B2CWorkingAccountAvailableFunds: 0,
  })
}
