import { z } from 'zod'
import { controlRoute, refusal } from '../control-api/control-route'
import { msisdnParams } from '../control-api/shapes'
import { payByMenu } from './pay-from-menu'

/** A picture of the size that Daraja draws has some kilobytes. */
const pictureLengthMax = 200_000

export const scanCodeRoute = controlRoute({
  method: 'post',
  path: '/phones/{msisdn}/scan',
  summary:
    'Pays what a QR code of the provider asks for: its picture, a PNG in base64, as the provider drew it',
  params: msisdnParams,
  body: z.strictObject({
    picture: z.base64().max(pictureLengthMax),
    pin: z.string().max(12).optional(),
  }),
  success: { status: 200, shape: z.object({ receipt: z.string() }) },
  answer(host, { params, body: { picture, pin } }) {
    const { rails } = host.current()
    const payment = rails.map((rail) => rail.readCode?.(picture)).find((one) => one !== undefined)
    if (payment === undefined) return refusal(404, 'code_not_found')
    return payByMenu(host, params.msisdn, { ...payment, pin })
  },
})
