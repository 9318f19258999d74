import { join } from 'node:path'
import { archiveSettings } from '../backup/archive'
import { claimDir } from '../claim'
import { smallMachine } from '../databases'
import { freePort } from '../free-port'
import { initialisePostgres, postgresCommand, postgresUrl, untilPostgresAnswers } from '../postgres'
import { openSupervisor } from '../supervisor'
import type { StandbyOptions } from './standby'

/** The database server of a stack, as a start runs it but without databases, and the options of its standby. */
export interface RunningServer extends StandbyOptions {
  stop(): Promise<void>
}

export async function startServer(dir: string, password: string): Promise<RunningServer> {
  const claim = await claimDir(dir)
  const supervisor = openSupervisor({ dir, claim, began: () => undefined })
  const primary = {
    dataDir: join(dir, 'postgres'),
    password,
    port: await freePort(),
    settings: { ...smallMachine, ...archiveSettings(dir) },
  }
  initialisePostgres(primary)
  const [command, args] = postgresCommand(primary)
  const server = supervisor.keep('databases', {
    ...{ name: 'postgres', command, args, env: {} },
    stopSignals: ['SIGINT', 'SIGQUIT'],
  })
  await untilPostgresAnswers(postgresUrl(primary, 'postgres'), 60_000)
  return {
    ...{ dir, primary, server, port: await freePort(), supervisor, environment: {} },
    onProgress: () => undefined,
    async stop() {
      await supervisor.stopAll(() => undefined)
      claim.release()
    },
  }
}
