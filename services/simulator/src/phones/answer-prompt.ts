import { z } from 'zod'
import { answerPrompt } from './rules/phone-prompt'
import { controlRoute, refusal } from '../control-api/control-route'
import { answerShape, msisdnParams, shownPhone } from '../control-api/shapes'
import { showPhone } from '../control-api/show'

export const answerPromptRoute = controlRoute({
  method: 'post',
  path: '/phones/{msisdn}/prompt',
  summary:
    'Answers the prompt that the phone shows. `approve` with a `pin` is right only if the PIN is; without one it is',
  params: msisdnParams,
  body: z.strictObject({ action: answerShape, pin: z.string().max(12).optional() }),
  success: { status: 200, shape: shownPhone },
  answer(host, { params, body }) {
    const { world } = host.current()
    const phone = world.phones.find(params.msisdn)
    if (phone === undefined) return refusal(404, 'phone_not_found')
    const isAnswered = answerPrompt(world, phone, { answer: body.action, pin: body.pin })
    if (!isAnswered) return refusal(409, 'no_prompt')
    return { status: 200, body: showPhone(phone, world.time.now()) }
  },
})
