import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DatabaseService, repositoryDir } from '@malipo/stack/migrate'

/**
 * Returns the SQL that would change a migrated database into that of the service's schema.prisma; empty when they
 * agree.
 */
export async function schemaDifference(service: DatabaseService, url: string): Promise<string> {
  const script = join(repositoryDir, 'packages/stack/bin/engine.mjs')
  const args = [script, '--service', join(repositoryDir, 'services', service), '--diff']
  const environment = { ...process.env, DATABASE_URL: url }
  return promisify(execFile)(process.execPath, args, { env: environment }).then(
    () => '',
    (error: unknown) => {
      const ran = error as { code: unknown; stdout: string }
      // The exit code 2 says that there is a difference; any other, that the comparison failed.
      if (ran.code === 2) return ran.stdout
      throw new Error(`The schema of ${service} was not compared`, { cause: error })
    },
  )
}
