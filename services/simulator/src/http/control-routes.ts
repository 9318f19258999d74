import type { ControlRoute } from './control-route'
import { addPhones } from './control/add-phones'
import { addRule } from './control/add-rule'
import { answerPromptRoute } from './control/answer-prompt'
import { changeClock } from './control/change-clock'
import { changePhone } from './control/change-phone'
import { endSession } from './control/end-session'
import { expectEvent } from './control/expect-event'
import { listPhones } from './control/list-phones'
import { listRules } from './control/list-rules'
import { listSnapshots } from './control/list-snapshots'
import { payFromMenuRoute } from './control/pay-from-menu'
import { playPack } from './control/play-pack'
import { readBook } from './control/read-book'
import { readClock } from './control/read-clock'
import { readEvent } from './control/read-event'
import { readEvents } from './control/read-events'
import { readMeta } from './control/read-meta'
import { readOperatorKey } from './control/read-operator-key'
import { readPhone } from './control/read-phone'
import { removeRule } from './control/remove-rule'
import { replayEvent } from './control/replay-event'
import { reset } from './control/reset'
import { restoreSnapshotRoute } from './control/restore-snapshot'
import { setPolicy } from './control/set-policy'
import { takeSnapshotRoute } from './control/take-snapshot'

/** The control API, in the order of its document. */
export const controlRoutes: readonly ControlRoute[] = [
  readMeta,
  readOperatorKey,
  reset,
  endSession,
  listPhones,
  addPhones,
  readPhone,
  changePhone,
  answerPromptRoute,
  payFromMenuRoute,
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
  takeSnapshotRoute,
  restoreSnapshotRoute,
]
