import { z } from 'zod'
import { controlRoute } from './control-route'

export const readOperatorKey = controlRoute({
  method: 'get',
  path: '/operator-key',
  summary:
    'The key to encrypt the SecurityCredential of Daraja orders with, in place of its certificate',
  success: { status: 200, shape: z.object({ public_key: z.string() }) },
  answer(host) {
    const { rails } = host.current()
    const publicKey = rails.find((rail) => rail.operatorKey)?.operatorKey?.() ?? ''
    return { status: 200, body: { public_key: publicKey } }
  },
})
