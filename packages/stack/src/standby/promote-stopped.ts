import { archiveSettings } from '../backup/archive'
import type { Claim } from '../claim'
import { smallMachine } from '../databases'
import { openPostgres } from '../postgres'
import { identify } from '../process-identity'
import { readSecrets } from '../secrets'
import { endRecovery } from './standby'
import { holdsServer, standbyDirOf, takePlace } from './standby-dir'

/** The deadline of a promotion: the standby first replays the log that it had not replayed when it ended. */
const replayMs = 600_000

export interface PromoteStoppedOptions {
  readonly dir: string
  /** Claims the folder, which ends what a killed supervisor has left. Called only where there is a standby. */
  readonly claim: () => Promise<Claim>
  readonly onProgress: (line: string) => void
}

/** Has the standby of a stopped stack take the place of the server, also where an earlier promotion was broken off. */
export async function promoteStopped(options: PromoteStoppedOptions): Promise<void> {
  const { dir, onProgress } = options
  const dataDir = standbyDirOf(dir)
  if (!holdsServer(dataDir)) {
    throw new Error(
      `There is no standby in ${dir}: where its databases are lost, docs/runbooks/restore.md brings them back`,
    )
  }
  const claim = await options.claim()
  try {
    onProgress('Promoting the standby …')
    await promoteIn(dir, claim)
    takePlace(dir)
  } finally {
    claim.release()
  }
}

async function promoteIn(dir: string, claim: Claim): Promise<void> {
  const { postgresPassword: password } = readSecrets(dir)
  const server = await openPostgres({
    dataDir: standbyDirOf(dir),
    password,
    settings: { ...smallMachine, ...archiveSettings(dir) },
    startMs: replayMs,
  })
  const identity = identify(server.pid)
  if (identity) claim.record('postgres-standby', identity, 'SIGINT')
  try {
    await endRecovery(dir, server.url('postgres'), replayMs)
  } finally {
    await server.stop()
  }
}
