import type { NewWebhookSecretView } from '@malipo/interface/hub'
import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import { isLoopbackHost, webhookUrlProblem } from './rules/webhook-url'
import { pinSchema } from '../accounts/account-fields'
import { addEndpoint, removeEndpoint } from './store/webhook-endpoints'
import { newSecret, secretText } from './store/webhook-secrets'
import { checkPin } from '../credentials/check-pin'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `POST /v1/hub/webhooks`: adds an event endpoint, for an owner with the PIN. Only this answer contains the secret.
 * Faults: invalid_request, wrong_pin, pin_locked, pin_not_set, ledger_unavailable.
 */
export function addWebhook(deps: Hub): VisitOperation {
  const { db, ledgers, webhookSecrets } = deps
  const bodySchema = bodySchemaOf(isLoopbackHost(new URL(deps.origin).hostname))
  return async (request, { account, caller }) => {
    const { pin, url } = readJsonBody(bodySchema, await readRawBody(request))
    const { accountId } = account
    await checkPin(deps, { accountId, pin, caller })
    const ledger = ledgers.of(account)
    const secret = newSecret()
    const endpointId = await addEndpoint(db, webhookSecrets, { accountId, url, secret, caller })
    await ledger.switchWebhookOn({ accountId, endpointId }).catch(async (error: unknown) => {
      // The endpoint is removed because its secret would never be shown. If the ledger stored it after all, the
      // first delivery disables it.
      await removeEndpoint(db, { accountId, endpointId, url }, caller)
      throw error
    })
    const view: NewWebhookSecretView = { endpoint_id: endpointId, secret: secretText(secret) }
    return succeed(201, 'Webhook added', view)
  }
}

const bodySchemaOf = (isLocal: boolean) =>
  z.strictObject({
    pin: pinSchema,
    url: z
      .string()
      .check(({ value, issues }) => {
        const message = webhookUrlProblem(value, { isLocal })
        if (message !== undefined) issues.push({ code: 'custom', message, input: value })
      })
      // One address can be written in many ways. It is stored as a browser writes it, so that a second addition is
      // recognised.
      .transform((text) => new URL(text).href),
  })
