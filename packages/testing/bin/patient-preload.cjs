// Loaded into each service of a stack by NODE_OPTIONS. Makes its calls wait longer, because a machine that stalls is no
// fault of a service.
const { createRequire } = require('node:module')
const process = require('node:process')

const [, script = ''] = process.argv
if (script.endsWith('dist/main.js')) {
  // The service's own copy, wherever its packages lie.
  const { stretchWaits } = createRequire(script)('@malipo/runtime/waits')
  stretchWaits(10)
}
