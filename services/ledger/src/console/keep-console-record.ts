import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { readRecordName } from './read-record-name'
import { keepRecord } from './store/console-records'

const bodyBytesMax = 2_048
const secondsMax = 86_400

/** Keeps a record of the console in the database, so that each process of the console finds it. */
export function keepConsoleRecord(deps: Ledger): Operation<'keepConsoleRecord'> {
  return async (request) => {
    const name = readRecordName(request)
    const { body, idleSeconds, lifeSeconds } = request
    if (body.length > bodyBytesMax) throw new Fault('invalid_request', { field: 'body' })
    for (const [field, seconds] of Object.entries({ idleSeconds, lifeSeconds })) {
      if (seconds < 1 || seconds > secondsMax) throw new Fault('invalid_request', { field })
    }
    await keepRecord(deps.db, { ...name, body: Buffer.from(body), idleSeconds, lifeSeconds })
    return {}
  }
}
