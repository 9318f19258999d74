import { majorText } from '@malipo/kernel/money'
import { jsonAnswer, type Operation } from '../rules/rail'
import { understandAuthorised } from './gate'
import { currencies } from './settings'
import { balanceOf, type MtnMomo, type Product } from './state'

/** `GET /{product}/v1_0/account/balance`: the merchant's balance, which all products share here. */
export function readBalanceOperation(mtn: MtnMomo, product: Product): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: `/${product}/v1_0/account/balance`,
    understand: (call) =>
      understandAuthorised(mtn, call, product, ({ targetEnvironment }) => ({
        kind: 'understood',
        facets: { business: mtn.settings.targetEnvironment },
        perform() {
          const currency = currencies[targetEnvironment]
          const availableBalance = majorText(balanceOf(mtn, currency))
          return { answer: jsonAnswer(200, { availableBalance, currency }) }
        },
      })),
  }
}
