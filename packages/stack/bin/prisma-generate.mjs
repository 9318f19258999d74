// Runs `prisma generate` in the package that called it. Prisma's CLI wants a schema-engine binary that it downloads;
// generating never runs it, so the variable names another existing file, and nothing is downloaded.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

const require = createRequire(join(process.cwd(), 'package.json'))
const cli = join(dirname(require.resolve('prisma/package.json')), 'build', 'index.js')
const { status } = spawnSync(
  process.execPath,
  [cli, 'generate', '--schema', 'prisma/schema.prisma'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  },
)
process.exit(status ?? 1)
