import type { NewWebhookSecretView } from '@malipo/interface/hub'
import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import { readId } from '../hub-server/read-id'
import type { Hub } from '../operation'
import { pinSchema } from '../accounts/account-fields'
import { requireEndpoint, rotateSecret } from './store/webhook-endpoints'
import { newSecret, secretText } from './store/webhook-secrets'
import { checkPin } from '../credentials/check-pin'
import type { VisitOperation } from '../sessions/signed-in'

const bodySchema = z.strictObject({ pin: pinSchema })

/**
 * `POST /v1/hub/webhooks/{id}/rotate`: makes a new secret; earlier secrets also sign for one more day. Only this answer
 * contains the new secret. Faults: invalid_request (also after four rotations), wrong_pin, pin_locked, pin_not_set.
 */
export function rotateWebhookSecret(deps: Hub): VisitOperation {
  return async (request, { account: { accountId }, caller }) => {
    const endpointId = readId(request, 'we_')
    const { pin } = readJsonBody(bodySchema, await readRawBody(request))
    await checkPin(deps, { accountId, pin, caller })
    const own = await requireEndpoint(deps.db, accountId, endpointId)
    const secret = newSecret()
    await rotateSecret(deps.db, deps.webhookSecrets, { ...own, secret, caller })
    const view: NewWebhookSecretView = { endpoint_id: own.endpointId, secret: secretText(secret) }
    return succeed(200, 'Secret rotated', view)
  }
}
