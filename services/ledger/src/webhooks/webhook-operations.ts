import type { Log } from '@malipo/runtime/log'
import type { SharedDatabase } from '../database/database'
import { beginDelivery } from './begin-delivery'
import { claimDeliveries } from './claim-deliveries'
import { readWebhooks } from './read-webhooks'
import { recordDelivery } from './record-delivery'
import { removeWebhook } from './remove-webhook'
import { resendDelivery } from './resend-delivery'
import { resendSince } from './resend-since'
import { sendTestEvent } from './send-test-event'
import { switchWebhookOn } from './switch-webhook-on'

/** The RPCs of webhooks: endpoints for the hub, deliveries for the worker. */
export function webhookOperations(
  deps: Pick<SharedDatabase, 'db' | 'pool'> & { readonly log: Log },
) {
  return {
    switchWebhookOn: switchWebhookOn(deps),
    removeWebhook: removeWebhook(deps),
    readWebhooks: readWebhooks(deps),
    sendTestEvent: sendTestEvent(deps),
    resendDelivery: resendDelivery(deps),
    resendSince: resendSince(deps),
    claimDeliveries: claimDeliveries(deps),
    beginDelivery: beginDelivery(deps),
    recordDelivery: recordDelivery(deps),
  }
}
