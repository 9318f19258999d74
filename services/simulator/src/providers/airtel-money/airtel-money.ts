import type { Rail } from '../rules/rail'
import { enquireOperation } from './enquire'
import { errorAnswer, errorNames } from './errors'
import { issueTokenOperation } from './issue-token'
import { giveBackOperation } from './give-back'
import { limitCalls } from './limit-calls'
import { markets, type AirtelMoneySettings } from './settings'
import { payOperations } from './pay'
import { payOutOperations } from './pay-out'
import { openAirtelMoney, type AirtelMoneyWiring } from './state'
import { readBalanceOperation } from './read-balance'
import { readKeyOperation } from './read-key'
import { readPayoutOperation } from './read-payout'
import { readUserOperation } from './read-user'

/** Airtel Money's APIs for collections and disbursements, v1 and v2, for one application in Uganda and Kenya. */
export function airtelMoneyRail(settings: AirtelMoneySettings, wiring: AirtelMoneyWiring): Rail {
  const airtel = openAirtelMoney(settings, wiring)
  return {
    name: 'airtel_money',
    businesses: markets.map(({ business }) => ({
      shortCode: business,
      name: settings.businessName,
    })),
    operations: [
      issueTokenOperation(airtel),
      ...limitCalls(airtel, [
        readKeyOperation(airtel),
        ...payOperations(airtel),
        giveBackOperation(airtel),
        enquireOperation(airtel),
        readUserOperation(airtel),
        readBalanceOperation(airtel),
        ...payOutOperations(airtel),
        readPayoutOperation(airtel),
      ]),
    ],
    errorNames,
    errorAnswer,
    stray(path, isKnownPath) {
      if (!/^\/(?:auth\/oauth2|merchant|standard|v1\/rsa)\//.test(path)) return undefined
      return errorAnswer(isKnownPath ? 'method_not_allowed' : 'no_such_path')
    },
  }
}
