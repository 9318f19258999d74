import { z } from 'zod'
import { controlRoute } from '../control-api/control-route'
import { minorShape, msisdnParams } from '../control-api/shapes'
import { payByMenu } from './pay-from-menu'

export const buyGoodsRoute = controlRoute({
  method: 'post',
  path: '/phones/{msisdn}/buy-goods',
  summary:
    'Pays to a till from the menu of the phone: the till and the amount that its owner types, and no account',
  params: msisdnParams,
  body: z.strictObject({
    till_number: z.string().max(20),
    amount: minorShape,
    pin: z.string().max(12).optional(),
  }),
  success: { status: 200, shape: z.object({ receipt: z.string() }) },
  answer(host, { params, body: { till_number: business, amount: amountMinor, pin } }) {
    return payByMenu(host, params.msisdn, { business, account: '', amountMinor, pin })
  },
})
