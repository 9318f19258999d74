import { minorFromMajorText } from '@malipo/kernel/money'
import type { Operation, Understood } from '../rules/rail'
import { asFields, fieldText, type Fields } from '../wire-call'
import { payFromMenu } from './pay-from-menu'
import { isReceivingNumber, isTill } from './settings'
import { refuse, refuseField } from './errors'
import { answerAccepted } from './register-urls'
import type { Mpesa } from './state'
import { tokenProblem } from './issue-token'

/** `POST /mpesa/c2b/v{1,2}/simulate`: the sandbox simulates a payment from the menu (providers.md 2.2). */
export function simulatePayBillOperation(mpesa: Mpesa, version: 'v1' | 'v2'): Operation {
  return {
    moment: 'simulate',
    method: 'POST',
    path: `/mpesa/c2b/${version}/simulate`,
    understand(call) {
      const problem = tokenProblem(mpesa, call, 'invalid_token_c2b')
      if (problem !== undefined) return refuse(mpesa, problem)
      const fields = asFields(call.json)
      return fields === undefined
        ? refuse(mpesa, 'invalid_payload')
        : understandPayment(mpesa, fields)
    },
  }
}

const commandOf = { pay_bill: 'CustomerPayBillOnline', till: 'CustomerBuyGoodsOnline' }

function understandPayment(mpesa: Mpesa, fields: Fields): Understood {
  const business = fieldText(fields, 'ShortCode')
  const msisdn = fieldText(fields, 'Msisdn')
  // For a till, clients send null or a placeholder as the account, because a payer of a till types none.
  const account = isTill(mpesa.settings, business) ? '' : fieldText(fields, 'BillRefNumber')
  const amountMinor = minorFromMajorText(fieldText(fields, 'Amount'))
  const phone = mpesa.world.phones.find(msisdn)
  if (!isReceivingNumber(mpesa.settings, business)) return refuseField(mpesa, 'ShortCode')
  if (
    fieldText(fields, 'CommandID') !==
    commandOf[isTill(mpesa.settings, business) ? 'till' : 'pay_bill']
  ) {
    return refuseField(mpesa, 'CommandID')
  }
  if (amountMinor === undefined) return refuseField(mpesa, 'Amount')
  if (phone === undefined) return refuseField(mpesa, 'Msisdn')
  return {
    kind: 'understood',
    facets: { business, msisdn, account, amountMinor },
    perform() {
      void payFromMenu(mpesa, phone, { business, account, amountMinor })
      return { answer: answerAccepted(mpesa) }
    },
  }
}
