import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Calls } from '@malipo/runtime/grpc'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'
import { startUpstreams } from '../upstreams.harness'

/** The auth service on its own database, and two enrolled operators who call it. */
export interface TwoOperators {
  readonly database: TestDatabase
  readonly auth: RunningAuth
  readonly amina: Calls<AccountServiceServer>
  readonly brian: Calls<AccountServiceServer>
  stop(): Promise<void>
}

export async function startTwoOperators(): Promise<TwoOperators> {
  const database = await cloneDatabase('auth')
  const upstreams = await startUpstreams()
  const { ledgerAddresses } = upstreams.config
  const auth = await startAuth(database, { ...(ledgerAddresses && { ledgerAddresses }) })
  return {
    database,
    auth,
    amina: auth.as(await upstreams.enrolled('amina')),
    brian: auth.as(await upstreams.enrolled('brian')),
    async stop() {
      await auth.stop()
      await database.drop()
      await upstreams.stop()
    },
  }
}
