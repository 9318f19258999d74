import { createHash } from 'node:crypto'
import {
  ConsoleRecordKind,
  type KeepConsoleRecordRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { TestLedger } from '../ledger.harness'
import { unique } from '../payments.harness'

export const body = Buffer.from('{"operatorId":"op_1"}')
const kind = ConsoleRecordKind.SESSION
const times = { idleSeconds: 1_800, lifeSeconds: 28_800 }

/**
 * Keeps, reads and takes records as the console does, by their tokens. A record is a session unless another kind is
 * named.
 */
export function consoleRecords(at: Pick<TestLedger, 'ledger'>) {
  const digestOf = (token: string) => createHash('sha256').update(token).digest()
  return {
    async keep(changes: Partial<KeepConsoleRecordRequest> = {}): Promise<string> {
      const token = unique('t')
      const record = { kind, digest: digestOf(token), body, ...times }
      await at.ledger.keepConsoleRecord({ ...record, ...changes })
      return token
    },
    read: async (token: string, of: ConsoleRecordKind = kind) =>
      (await at.ledger.readConsoleRecord({ kind: of, digest: digestOf(token) })).body,
    take: async (token: string) =>
      (await at.ledger.takeConsoleRecord({ kind, digest: digestOf(token) })).body,
  }
}
