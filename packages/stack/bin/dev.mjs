#!/usr/bin/env node
// `npm run dev`: the whole of Malipo from its sources. An edit restarts the processes that import the edited file.
import { watch } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { generate, repositoryDir, setUp } from './set-up.mjs'
import { claimStack } from './claim-stack.mjs'
import { askedToStop, onProgress, runToTheEnd, untilStopped } from './run-to-the-end.mjs'

const help = `Usage: npm run dev [-- OPTIONS]

Starts what \`npm start\` starts, from the sources. After an edit only the processes that import the edited file start again,
which this terminal shows with the time it took; a file that does not compile is shown with its error. The account hub
reloads in the browser by itself. An edit of proto/ or of a schema.prisma generates code first. Types are not checked:
\`npm run types\` does. SQL and migrations are applied when this command starts.

  --inspect NAME  open a debugger for one process (gateway-ke, ledger-ug, keys, ...); the address is in its log
  and the options of \`npm start\`: --fresh, --ports auto, --observe, --cells 2, --replicas 2, --till, --whole-shillings,
                  --dir PATH
  --help          this text
`

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

async function main() {
  if (process.argv.includes('--help')) return process.stdout.write(help)
  await setUp()
  const { readOptions } = await import('../dist/config.js')
  const { freePort } = await import('../dist/free-port.js')
  const { openDevelopment, readInspected } = await import('../dist/development.js')
  const { readyTable } = await import('../dist/table.js')
  const { createSampleCheckout } = await import('../dist/sample-checkout.js')

  const signal = askedToStop()
  const { inspected, rest } = readInspected(process.argv.slice(2))
  const options = readOptions(rest, process.env)
  if (options.standby) {
    throw new Error('npm run dev keeps no standby, which nothing could promote: use npm start')
  }
  // Vite listens at the hub's public address, and forwards to the auth service what is not a file of the hub.
  const authPort = await freePort()
  const development = openDevelopment({ dir: options.dir, inspected, authPort, onProgress })
  const stack = await claimStack(options, { onProgress, signal, command: development.command })
  try {
    const hub = await serveHub(stack.file.hosts.ke.auth_url, authPort)
    const checkoutUrl = await createSampleCheckout(stack.file, { onProgress, signal })
    process.stdout.write(readyTable(stack.file, options.dir, checkoutUrl))
    development.reportRestarts()
    const generating = watchGenerated()
    await untilStopped(signal)
    for (const watcher of generating) watcher.close()
    development.stop()
    await hub.close()
  } finally {
    await stack.stop()
  }
}

/** Starts Vite's server of the hub at the public address of the auth service. */
async function serveHub(authUrl, authPort) {
  const hubDir = join(repositoryDir, 'services/auth/hub')
  const { createServer } = await import(
    createRequire(join(hubDir, 'vite.config.mjs')).resolve('vite')
  )
  const { hostname, port } = new URL(authUrl)
  const before = process.listeners('SIGTERM')
  const hub = await createServer({
    configFile: join(hubDir, 'vite.config.mjs'),
    logLevel: 'warn',
    plugins: [{ name: 'hub-home', configureServer: addSlash }],
    server: {
      host: hostname,
      port: Number(port),
      strictPort: true,
      proxy: { '^/(?!hub/)(?!hub$)': `http://${hostname}:${authPort}` },
    },
  })
  // Vite's own listeners would end this process before the stack has stopped.
  const added = process.listeners('SIGTERM').filter((listener) => !before.includes(listener))
  for (const listener of added) process.off('SIGTERM', listener)
  return hub.listen()
}

/** Redirects `/hub`, which `npm start` prints, to `/hub/`, because Vite serves only that. */
function addSlash({ middlewares }) {
  middlewares.use((request, response, next) => {
    if (request.url !== '/hub') return next()
    response.writeHead(307, { location: '/hub/' }).end()
  })
}

/** Generates code again after an edit of its sources. Edits during a run cause one more run. */
function watchGenerated() {
  let isRunning = false
  let isWanted = false
  const run = async () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    while (isWanted) {
      isWanted = false
      await generate().catch((error) => onProgress(error.message))
    }
    isRunning = false
  }
  const schemas = ['auth', 'keys', 'ledger'].map((name) => `services/${name}/prisma`)
  return [
    watch(join(repositoryDir, 'proto'), { recursive: true }, run),
    // Many editors save by a rename, after which a watch of the file itself would see nothing more.
    ...schemas.map((folder) =>
      watch(join(repositoryDir, folder), (_event, file) => {
        if (file === 'schema.prisma') void run()
      }),
    ),
  ]
}

runToTheEnd(main)
