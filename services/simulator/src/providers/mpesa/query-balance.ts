import type { Understood } from '../rules/rail'
import { fieldText, type Fields } from '../wire-call'
import { twoDecimals } from './callback-body'
import { numberOnWire, succeeded, takeOrder, type OrderCall } from './operation'
import { refuseField } from './errors'
import type { Mpesa } from './state'
import { compactTime } from './times'

/** `POST /mpesa/accountbalance/v1/query`: what the short code has in each of its accounts. */
export const queryBalance: OrderCall = {
  moment: 'query',
  path: '/mpesa/accountbalance/v1/query',
  commands: ['AccountBalance'],
  understand: understandBalance,
}

function understandBalance(mpesa: Mpesa, fields: Fields): Understood {
  const business = fieldText(fields, 'PartyA')
  if (business !== mpesa.settings.shortCode) return refuseField(mpesa, 'PartyA')
  if (fieldText(fields, 'IdentifierType') !== '4') return refuseField(mpesa, 'IdentifierType')
  return takeOrder(mpesa, {
    fields,
    facets: { business },
    run: () =>
      succeeded('0000000000', {
        AccountBalance: accountsText(mpesa),
        BOCompletedTime: numberOnWire(compactTime(mpesa.world.wallNow())),
      }),
  })
}

/** An account as Daraja writes it: name, currency, and the balance in all, available, reserved and uncleared. */
export function accountText(name: string, balance: string): string {
  return [name, 'KES', balance, balance, '0.00', '0.00'].join('|')
}

function accountsText({ balance }: Mpesa): string {
  return [
    accountText('Working Account', '0.00'),
    accountText('Utility Account', twoDecimals(balance.minor)),
    accountText('Charges Paid Account', '0.00'),
  ].join('&')
}
