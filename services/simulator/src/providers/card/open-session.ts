import { drawHex } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation, type WireAnswer } from '../rules/rail'
import { shownFacets } from '../../sessions/rules/world'
import { merchantPath, understandMerchant } from './gate'
import { readOrderFields } from './order-fields'
import { refuse } from './errors'
import type { OrderRequest, Gateway } from './state'

/** `POST …/session`: opens a page on which one order can be paid. */
export function openSessionOperation(gateway: Gateway): Operation {
  return {
    moment: 'session',
    method: 'POST',
    path: `${merchantPath}/session`,
    understand: (call) =>
      understandMerchant(gateway, call, () => {
        const read = readOrderFields(gateway.settings, call.params['version'] ?? '', call.json)
        if (read.kind === 'wrong') return refuse('invalid_request', read.explanation)
        const { request, lifeSeconds } = read
        return {
          kind: 'understood',
          facets: facetsOf(gateway, request),
          perform: () => ({ answer: open(gateway, request, lifeSeconds) }),
        }
      }),
  }
}

export function facetsOf({ settings }: Gateway, { amountMinor, id }: OrderRequest) {
  return { amountMinor, business: settings.merchantId, account: id }
}

function open(gateway: Gateway, request: OrderRequest, lifeSeconds: number): WireAnswer {
  const { world, settings, counts } = gateway
  counts.sessions += 1
  const draw = (what: string, digits: number) =>
    drawHex(world.seed, `card ${what} ${String(counts.sessions)}`, digits)
  const id = `SESSION0002${draw('session', 20).toUpperCase()}`
  const successIndicator = draw('success', 16)
  gateway.sessions.set(id, {
    id,
    successIndicator,
    request,
    endsAtMs: world.time.now() + lifeSeconds * 1_000,
    openedBy: undefined,
    challenged: undefined,
  })
  world.events.append('session_opened', shownFacets(facetsOf(gateway, request)))
  return jsonAnswer(201, {
    checkoutMode: 'WEBSITE',
    merchant: settings.merchantId,
    result: 'SUCCESS',
    session: { id, updateStatus: 'SUCCESS', version: draw('version', 10) },
    successIndicator,
  })
}
