import { generateKeyPairSync } from 'node:crypto'
import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Calls } from '@malipo/runtime/grpc'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'
import { startUpstreams } from '../upstreams.harness'

/** A further operator, whose key the two operators can retire. */
export interface RetirableOperator {
  readonly calls: Calls<AccountServiceServer>
  retire(): Promise<void>
}

/** The auth service on its own database, and two enrolled operators who call it. */
export interface TwoOperators {
  readonly database: TestDatabase
  readonly auth: RunningAuth
  readonly amina: Calls<AccountServiceServer>
  readonly brian: Calls<AccountServiceServer>
  /** Has the two operators enrol a key for a person; `subject` identifies the person, and is `name` unless given. */
  enrolled(name: string, subject?: string): Promise<RetirableOperator>
  stop(): Promise<void>
}

export async function startTwoOperators(): Promise<TwoOperators> {
  const database = await cloneDatabase('auth')
  const upstreams = await startUpstreams()
  const { ledgerAddresses } = upstreams.config
  const auth = await startAuth(database, { ...(ledgerAddresses && { ledgerAddresses }) })
  const [amina, brian] = [await upstreams.enrolled('amina'), await upstreams.enrolled('brian')]
  const [ledgerOfAmina, ledgerOfBrian] = [upstreams.ledgerAs(amina), upstreams.ledgerAs(brian)]
  return {
    database,
    auth,
    amina: auth.as(amina),
    brian: auth.as(brian),
    async enrolled(name, subject = name) {
      const identity = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
      const { operatorId, publicKey } = identity
      const decision = { operatorId, agreed: true }
      await ledgerOfAmina.enrollOperator({ name, publicKey, subject })
      expect((await ledgerOfBrian.decideEnrollment(decision)).outcome).toMatch(/_ENROLLED$/)
      return {
        calls: auth.as(identity),
        async retire() {
          await ledgerOfAmina.askRetirement({ operatorId })
          expect((await ledgerOfBrian.decideRetirement(decision)).outcome).toMatch(/_RETIRED$/)
        },
      }
    },
    async stop() {
      await auth.stop()
      await database.drop()
      await upstreams.stop()
    },
  }
}
