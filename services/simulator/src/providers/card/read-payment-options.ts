import { jsonAnswer, type Operation } from '../rules/rail'
import { merchantPath, understandMerchant } from './gate'
import type { Gateway } from './state'

/** `POST …/paymentOptionsInquiry`: what the merchant may take; shops ask it to check their credentials. */
export function readPaymentOptionsOperation(gateway: Gateway): Operation {
  return {
    moment: 'query',
    method: 'POST',
    path: `${merchantPath}/paymentOptionsInquiry`,
    understand: (call) =>
      understandMerchant(gateway, call, () => ({
        kind: 'understood',
        facets: { business: gateway.settings.merchantId },
        perform: () => ({
          answer: jsonAnswer(200, {
            merchant: gateway.settings.merchantId,
            paymentTypes: {
              card: {
                cardTypes: [{ cardType: 'MASTERCARD' }, { cardType: 'VISA' }],
                supportedSchemes: ['MASTERCARD', 'VISA'],
              },
            },
            result: 'SUCCESS',
            supportedPaymentOperations: ['AUTHORIZE', 'PURCHASE'],
            transactionMode: 'PURCHASE',
          }),
        }),
      })),
  }
}
