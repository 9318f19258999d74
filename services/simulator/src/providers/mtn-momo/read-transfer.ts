import type { Operation } from '../rules/rail'
import { understandAuthorised } from './gate'
import { referenceIn, understandStatus } from './read-status'
import type { MtnMomo } from './state'
import { type SendingProduct, transferKey } from './transfer'

/** `GET /{product}/v1_0/transfer/{referenceId}`: returns the status of a transfer that the merchant sent. */
export function readTransferOperation(mtn: MtnMomo, product: SendingProduct): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: `/${product}/v1_0/transfer/{referenceId}`,
    takesLies: true,
    understand: (call) =>
      understandAuthorised(mtn, call, product, (user) =>
        understandStatus(mtn, user, mtn.transfers.get(transferKey(product, referenceIn(call)))),
      ),
  }
}
