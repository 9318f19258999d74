import type { ControlRoute } from './control-route'
import { addPhones } from '../phones/add-phones'
import { addRule } from '../faults/add-rule'
import { answerPromptRoute } from '../phones/answer-prompt'
import { buyGoodsRoute } from '../phones/buy-goods'
import { changeClock } from '../clock/change-clock'
import { changePhone } from '../phones/change-phone'
import { endSession } from '../sessions/end-session'
import { expectEvent } from '../inspector/expect-event'
import { listPhones } from '../phones/list-phones'
import { listRules } from '../faults/list-rules'
import { listSnapshots } from '../snapshots/list-snapshots'
import { payFromMenuRoute } from '../phones/pay-from-menu'
import { playPack } from '../faults/play-pack'
import { readBook } from '../book/read-book'
import { readClock } from '../clock/read-clock'
import { readEvent } from '../inspector/read-event'
import { readEvents } from '../inspector/read-events'
import { readMeta } from './read-meta'
import { readOperatorKey } from './read-operator-key'
import { readPhone } from '../phones/read-phone'
import { removeRule } from '../faults/remove-rule'
import { replayEvent } from '../inspector/replay-event'
import { reset } from './reset'
import { restoreSnapshotRoute } from '../snapshots/restore-snapshot'
import { scanCodeRoute } from '../phones/scan-code'
import { setPolicy } from '../phones/set-policy'
import { takeSnapshotRoute } from '../snapshots/take-snapshot'

/** The control API by the names of its operations, in the order of its document. */
const operations = {
  readMeta,
  readOperatorKey,
  reset,
  endSession,
  listPhones,
  addPhones,
  readPhone,
  changePhone,
  answerPrompt: answerPromptRoute,
  payFromMenu: payFromMenuRoute,
  buyGoods: buyGoodsRoute,
  scanCode: scanCodeRoute,
  setPolicy,
  listRules,
  addRule,
  removeRule,
  playPack,
  readBook,
  readEvents,
  readEvent,
  replayEvent,
  expectEvent,
  readClock,
  changeClock,
  listSnapshots,
  takeSnapshot: takeSnapshotRoute,
  restoreSnapshot: restoreSnapshotRoute,
} as const satisfies Readonly<Record<string, ControlRoute>>

export type OperationId = keyof typeof operations

export const controlRoutes = Object.entries(operations).map(([operationId, route]): NamedRoute => ({
  operationId: operationId as OperationId,
  ...route,
}))

export interface NamedRoute extends ControlRoute {
  readonly operationId: OperationId
}
